// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "collision/shape.h"
#include "elements/lists.h"
#include "formula/graph.h"
#include "model/reading/model_error.h"

namespace tappet {

struct Parameter {
  std::string name;
  double value;
  Place place;
};

// A minimal coordinate; its velocity is written name'.
struct Coordinate {
  std::string name;
  double position = 0, velocity = 0;
  Place place;
};

struct FormulaJoint {
  std::string name;
  std::vector<Node> rows;  // g(t, q) = 0, or γ(t, q, u) = 0 where velocity_level
  bool velocity_level = false;
  Place place;
};

struct FormulaContact {
  std::string name;
  Node gap;
  std::vector<Node> slip;  // s(t, q) with γ_F = ds/dt, or γ_F(t, q, u) where slip_is_velocity
  bool slip_is_velocity = false;
  ContactLaw law;
  Place place;
};

// A part of the state of a body that a force names, beside the variables of formulas (state_names.h).
struct StateInput {
  enum class Kind : std::uint8_t { position, velocity, rotation, quaternion };
  int body = -1;
  Kind kind = Kind::position;
  int index = 0;  // into the body's own q or u; of a rotation matrix 3 row + column; of a quaternion 0 … 3
};

// Inputs of every formula: slot 0 is t; then the positions, then the velocities, of the variables. The
// model's own coordinates come first; coordinates of point and planar bodies that some formula names
// (`rod.x`, `rod.phi'`) follow them.
struct Formulas {
  struct BodyCoordinate {
    int body, index;  // index into the body's own q (and u)
  };
  static constexpr int first_state_slot = 1 << 24;  // slots of state_inputs: formulas of force elements alone have them
  Graph graph;
  std::vector<Coordinate> coordinates;
  std::vector<BodyCoordinate> body_coordinates;
  std::vector<StateInput> state_inputs;
  std::vector<std::pair<std::string, Node>> definitions;  // `define:`
  std::optional<Node> kinetic, potential;                 // `lagrangian:`
  std::vector<std::vector<Node>> mass;                    // `mass:` n × n, instead of kinetic
  std::vector<std::optional<Node>> forces;                // generalised force on each variable
  bool forces_are_complete = false;                       // `mass:` given: forces hold the Coriolis terms too
  std::vector<FormulaJoint> joints;
  std::vector<FormulaContact> contacts;
  Place energy_place, forces_place;  // of `lagrangian:` or `mass:`, and of `forces:`
};

// A body by index into Model::bodies; −1 is the ground. `node` picks a node of a flexible body.
struct Attachment {
  int body = -1;
  int node = 0;
};

template <class Variant>
struct Entry {
  std::string name;
  Variant element;
  std::array<Attachment, 2> bodies;
  std::vector<int> targets;  // gravity: the bodies it acts on; empty: all
  Place place;
};

using BodyVariant = VariantOf<AllBodies>;
using JointVariant = VariantOf<Joints>;
using VelocityJointVariant = VariantOf<VelocityJoints>;
using ContactVariant = VariantOf<Contacts>;
using ForceVariant = VariantOf<Forces>;

// A force or torque on a body whose components are formulas of the state.
struct StateForce {
  std::string name;
  Attachment body;
  bool is_torque = false;
  std::array<Node, 3> components{};
  Vec3d at{};
  ForceFrame frame = ForceFrame::world;
  Place place;
};

struct BodyEntry {
  std::string name;
  BodyVariant element;
  std::vector<std::string> coordinates;  // names of its coordinates in results; generated ones are `name.x`, …
  bool generated = false;                // one of a group
  Place place;
};

// Bodies that one entry of the file makes: first, first + 1, …
struct BodyGroup {
  std::string name;
  int first = 0, count = 0;
};

struct ContactEntry : Entry<ContactVariant> {
  ContactLaw law;
};

// The names of its coordinates in results.
std::vector<std::string> coordinate_names(const BodyEntry& body);

// Solid shapes whose contacts are found while the run goes on: carried by one body, or by each body of a group. A pair
// has the smaller coefficients of its two colliders.
struct ColliderEntry {
  std::string name;
  std::vector<Collider> shapes;  // a container has several; their `body` is not set
  int first_body = -1, bodies = 1;
  ContactLaw law;
  Place place;
};

// One thing the report draws (docs/report-format.md). Points stand in the order of that document's table (`from`,
// `to`; `at`, `normal`); they are formulas of the coordinates, in a body's frame where `body` is given.
struct DrawItem {
  std::string kind, label, color;
  int body = -1;       // points in this body's frame; −1: the world
  bool planar = true;  // every point was given by two numbers
  std::vector<std::array<Node, 3>> points;
  std::vector<std::pair<std::string, Node>> numbers;       // radius, width, angle, …; size: size.x, size.y, size.z
  std::vector<std::pair<std::string, std::string>> words;  // fill, fixed, type, contact
  Place place;
};

struct Option {
  std::string key, value;
  Place place;
};

// When bodies that have come to rest are put to sleep (system/sleepers.h).
struct SleepingRule {
  double speed = 0.0;  // of the fastest point of a body, below which it is slow [m/s]; 0: none ever sleeps
  double after = 0.5;  // how long it must have been slow [s]
};

struct RunSettings {
  std::string scheme = "moreau-midpoint";
  double dt = 0, end = 0;
  int record_every = 1;
  std::vector<std::string> record_only;
  SleepingRule sleeping;
  std::vector<Option> options;  // of scheme and solver
  Place scheme_place;
};

// What the user said.
struct Model {
  std::string name;  // file name without extension
  std::string file;
  std::string text;  // the file itself, kept with the results
  std::string title, source;
  std::vector<Parameter> parameters;
  Formulas formulas;
  std::vector<BodyEntry> bodies;
  std::vector<BodyGroup> groups;
  std::vector<Entry<JointVariant>> joints;
  std::vector<Entry<VelocityJointVariant>> velocity_joints;
  std::vector<ContactEntry> contacts;
  std::vector<ColliderEntry> colliders;
  std::vector<Entry<ForceVariant>> forces;
  std::vector<StateForce> state_forces;
  std::vector<DrawItem> draw;
  RunSettings run;
  std::vector<std::string> warnings;
};

using Overrides = std::vector<std::pair<std::string, std::string>>;  // --set name=value

// Throw ModelError; std::runtime_error where the file cannot be read.
Model load(const std::filesystem::path& file, const Overrides& set = {});
Model parse_model(const std::string& text, const std::string& file, const Overrides& set = {});

}  // namespace tappet
