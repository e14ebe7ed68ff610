// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <climits>
#include <map>
#include <unordered_map>

#include "model/reading/values.h"

namespace tappet {

// The data that the readers of the sections share while a file is turned into a model, in the order in which they run.
struct Loading {
  Item root;
  Values values;
  Model& model;
  const ElementTypes& types;  // in addition to the built-in ones
  Scope scope;                // t, parameters, variables and their velocities, definitions
  int variables = 0;
  std::unordered_map<std::string, int> body_index = {};  // by name, without generated bodies
  std::map<std::array<int, 3>, int> state_index = {};    // into Formulas::state_inputs, by body, kind and index
  std::vector<std::array<StagedNumber, 2>> start = {};   // position and velocity of each coordinate

  Node position(int variable) const { return model.formulas.graph.input(1 + variable); }
  Node velocity(int variable) const { return model.formulas.graph.input(1 + variables + variable); }
  bool depends_on_slots(Node f, int first, int end) const;  // whether f uses an input slot in [first, end)
  bool depends_on_velocity(Node f) const;
  bool depends_on_position(Node f) const;
  bool is_linear_in_velocity(Node f) const;
  std::vector<std::string> variable_names() const;

  // A formula of the scope. If it is a constant, it must be finite.
  Node formula(const Item& item) const;
  // The same, but the formula may also name the state of bodies.
  Node state_formula(const Item& item);
  bool depends_on_state(Node f) const { return depends_on_slots(f, Formulas::first_state_slot, INT_MAX); }
  // One formula, or a list of at least one.
  std::vector<Node> formulas(const Item& item) const;
  // A number that a model may also have as a formula of parameters that are kept.
  double number(const Item& item) const;
  StagedNumber staged_number(const Item& item) const;  // the same for a caller who can follow its changes
  // The value of a formula at the initial state.
  StagedNumber initial(Node f) const;
  double held_initial(Node f) const;  // held if it depends on parameters that vary
  // Says where in the model a number goes.
  void use(StagedNumber number, std::function<double&(Model&)> where) const {
    if (values.uses()) values.uses()->add(number, std::move(where));
  }
};

// The names that a body gives its coordinates, such as x, y, phi.
std::vector<std::string> own_coordinates(const BodyVariant& body);

void load_geometry(Loading& loading);
void load_bodies(Loading& loading);
void load_coordinates(Loading& loading);  // also the scope and `define:`
void load_dynamics(Loading& loading);     // `lagrangian:` or `mass:`
void load_joints(Loading& loading);       // between bodies; forces may name their coordinates
void load_forces(Loading& loading);
void load_formula_joints(Loading& loading);
void load_contacts(Loading& loading);
void load_colliders(Loading& loading);
void load_draw(Loading& loading);
void load_run(Loading& loading);

// Parts of the functions above, for entries that are formulas.
FormulaJoint read_formula_joint(const Loading& loading, const Item& item);
// If the gap is the minimum of several formulas, there is one contact for each of them: `name.1`, `name.2`, …
std::vector<FormulaContact> read_formula_contact(const Loading& loading, const Item& item);

}  // namespace tappet
