// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/error.h>
#include <tappet/state.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "collision/solid.h"
#include "elements/lists.h"
#include "elements/own/own_element.h"
#include "formula/graph.h"

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
  std::vector<Node> rows;  // g(t, q) = 0, or γ(t, q, u) = 0 if velocity_level
  bool velocity_level = false;
  Place place;
};

struct FormulaContact {
  std::string name;
  Node gap;
  std::vector<Node> slip;  // s(t, q) with γ_F = ds/dt, or γ_F(t, q, u) if slip_is_velocity
  bool slip_is_velocity = false;
  ContactLaw law;
  Place place;
};

// A quantity of the state of a body that a force uses, in addition to the variables of formulas (state_names.h).
struct StateInput {
  enum class Kind : std::uint8_t { position, velocity, rotation, quaternion, joint };
  int body = -1;  // or, for `joint`, an index into Model::joints: its coordinate as it was counted last
  Kind kind = Kind::position;
  int index = 0;  // into the body's own q or u; 3 row + column in a rotation matrix; 0 … 3 in a quaternion
};

// The inputs of every formula. Slot 0 is t. Then come the positions of the variables, then their velocities. The
// coordinates of the model are the first variables. They are followed by the coordinates of point and planar bodies
// that some formula names (`rod.x`, `rod.phi'`).
struct Formulas {
  struct BodyCoordinate {
    int body, index;  // index into the body's own q (and u)
  };
  // the first slot of state_inputs, which only formulas of force elements have
  static constexpr int first_state_slot = 1 << 24;
  Graph graph;
  std::vector<Coordinate> coordinates;
  std::vector<BodyCoordinate> body_coordinates;
  std::vector<StateInput> state_inputs;
  std::vector<Node> parameters;                           // as in Model::parameters
  std::vector<std::pair<std::string, Node>> definitions;  // `define:`
  std::optional<Node> kinetic, potential;                 // `lagrangian:`
  std::vector<std::vector<Node>> mass;                    // `mass:` n × n, instead of kinetic
  std::vector<std::optional<Node>> forces;                // generalised force on each variable
  bool forces_are_complete = false;  // true if `mass:` is given; the forces then include the Coriolis terms
  std::vector<FormulaJoint> joints;
  std::vector<FormulaContact> contacts;
  Place energy_place, forces_place;  // of `lagrangian:` or `mass:`, and of `forces:`
};

// A body by its index in Model::bodies; −1 is the ground. `node` selects a node of a flexible body.
struct Attachment {
  int body = -1;
  int node = 0;
};

template <class Variant>
struct Entry {
  std::string name;
  Variant element;
  std::array<Attachment, 2> bodies;
  std::vector<int> targets;  // gravity: the bodies it acts on; empty means all
  Place place;
};

using BodyVariant = VariantOf<AllBodies>;
using JointVariant = VariantOf<AllJoints>;
using VelocityJointVariant = VariantOf<VelocityJoints>;
using ContactVariant = VariantOf<AllContacts>;
using ForceVariant = VariantOf<AllForces>;

// What a revolute or prismatic joint has beside its rows. Its contacts follow those of the file.
struct JointActions {
  bool measured = false;  // whether its coordinate is part of the state: one of these is given, or a formula names it
  JointCoordinate coordinate;
  struct Limits {
    double from = 0.0, to = 0.0, restitution = 0.0;
  };
  std::optional<Limits> limits;
  double friction = 0.0, damping = 0.0;  // [N m] [N m s/rad], or [N] [N s/m]
  int motor = -1;                        // into Model::state_forces; −1 if there is none
  ContactLaw stop, dry;                  // the laws of its stops and of its friction
  bool any() const { return limits || friction > 0.0 || damping > 0.0 || motor >= 0; }
};

struct JointEntry : Entry<JointVariant> {
  JointActions actions;
};

// A force or torque on a body whose components are formulas of the state, or the force along the coordinate of a joint.
struct StateForce {
  std::string name;
  Attachment body;
  int joint = -1;  // into Model::joints: the first component acts along its coordinate, and `body` is not used
  bool is_torque = false;
  std::array<Node, 3> components{};
  Vec3d at{};
  ForceFrame frame = ForceFrame::world;
  Place place;
};

// A shape of the section `geometry:`.
struct GeometryEntry {
  std::string name;
  std::shared_ptr<const Solid> solid;
  Place place;
};

struct BodyEntry {
  std::string name;
  BodyVariant element;
  std::vector<std::string> coordinates;  // names of its coordinates in results; generated bodies have `name.x`, …
  bool generated = false;                // whether it is one of a generated group
  int geometry = -1;                     // its shape, into Model::geometries; −1 if it has none
  Vec3d geometry_origin{};               // the origin of the geometry in the frame of the body
  std::optional<OneOrTwo> thickness;     // of a flat part in space: where it begins and ends along z of the geometry
  Place place;
};

// The bodies that one entry of the file creates: first, first + 1, …
struct BodyGroup {
  std::string name;
  int first = 0, count = 0;
};

struct ContactEntry : Entry<ContactVariant> {
  ContactLaw law;
};

// The names of the coordinates of a body in results.
std::vector<std::string> coordinate_names(const BodyEntry& body);

// Solid shapes whose contacts are found during the run. They are carried by one body, or by each body of a group. A
// contact has the smaller coefficients of its two colliders.
struct ColliderEntry {
  std::string name, type;
  std::vector<Collider> shapes;  // a container has several; their `body` is not set
  int geometry = -1;             // into Model::geometries; −1: the shapes are not from there
  int first_body = -1, bodies = 1;
  ContactLaw law;
  Place place;
};

// One thing that the report draws (docs/report-format.md). Its points are in the order of the table in that document
// (`from`, `to`; `at`, `normal`). They are formulas of the coordinates. If `body` is given, they are in the frame of
// that body.
struct DrawItem {
  std::string kind, label, color;
  int body = -1;       // the body in whose frame the points are given; −1 is the world
  bool planar = true;  // whether every point was given by two numbers
  std::vector<std::array<Node, 3>> points;
  std::vector<std::pair<std::string, Node>> numbers;       // radius, width, angle, …; size: size.x, size.y, size.z
  std::vector<std::pair<std::string, std::string>> words;  // fill, fixed, type, contact
  Place place;
};

// The rule by which bodies that have come to rest are put to sleep (system/sleepers.h).
struct SleepingRule {
  double speed = 0.0;  // a body is slow if its fastest point is slower than this [m/s]; 0: no body ever sleeps
  double after = 0.5;  // the time for which it must have been slow [s]
};

struct RunSettings {
  std::string scheme = "moreau-midpoint";
  double dt = 0, end = 0;  // 0 if the file does not give them
  int record_every = 1;
  std::vector<std::string> record_only;
  // whether contacts between colliders are recorded one by one (`record: {contacts: found}`)
  bool record_found = false;
  // the largest change of a coordinate when the start is moved onto joints and contacts; 0: it is not moved
  double project_start = 0.0;
  SleepingRule sleeping;
  std::vector<Option> options;  // of scheme and solver
  Place place, scheme_place, start_place;
};

inline constexpr double default_project_limit = 1e-3;  // m, rad

// The contents of a model file.
struct Model {
  std::string name;  // file name without extension
  std::string file;
  std::string text;  // the file itself, kept with the results
  std::string title, source;
  std::vector<Parameter> parameters;
  Formulas formulas;
  std::vector<GeometryEntry> geometries;
  std::vector<BodyEntry> bodies;
  std::vector<BodyGroup> groups;
  std::vector<JointEntry> joints;
  std::vector<Entry<VelocityJointVariant>> velocity_joints;
  std::vector<ContactEntry> contacts;
  std::vector<ColliderEntry> colliders;
  std::vector<Entry<ForceVariant>> forces;
  std::vector<StateForce> state_forces;
  std::vector<DrawItem> draw;
  RunSettings run;
  std::optional<StartState> start;
  std::vector<std::string> warnings;
};

using Overrides = std::vector<std::pair<std::string, std::string>>;  // --set name=value

// These throw a ModelError, or a std::runtime_error if the file cannot be read. `types` are element types in addition
// to the built-in ones.
Model load(const std::filesystem::path& file, const Overrides& set = {}, const ElementTypes& types = {});
Model parse_model(const std::string& text, const std::string& file, const Overrides& set = {},
                  const ElementTypes& types = {});

}  // namespace tappet
