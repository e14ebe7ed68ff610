// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "batch/equations/body_numbers.h"
#include "batch/equations/recorded_motion.h"
#include "formula/graph.h"
#include "model/kept.h"
#include "model/model.h"

namespace tappet {

// Everything that a step needs of a model, as formulas of one graph: the solution of linear equations included. Inputs
// are t, the positions q, velocities u, impulses P of the rows of contacts, and the parameters that vary.
struct BatchEquations {
  // Every contact has `stride` rows. Rows of friction that a contact does not have are zero.
  struct BatchContact {
    std::string name;
    int friction = 0;      // rows
    bool pressed = false;  // whether it is closed at all times: the pad of a joint with friction (System::Pad)
    Node gap, e_N, e_F, mu;
    Node touching;  // the tolerance of the gap in schemes whose index sets have one
    Place place;
  };

  Graph graph;
  RecordedMotion motion;
  int stride = 1;
  int joint_rows = 0;
  Node t = -1, kinetic = -1, potential = -1;
  std::vector<Node> q, u, P, parameters;
  std::vector<std::string> q_names, u_names;
  std::vector<Node> q_start, u_start;
  std::vector<Node> displaced;      // q ⊕ u
  std::vector<Node> accelerations;  // M⁻¹h
  std::vector<Node> held;           // u, moved onto the joints
  std::vector<Node> joint_values;   // zero if the joints hold: positions, then velocities
  std::vector<BatchContact> contacts;
  std::vector<Node> rates, products;                      // W u + χ and W u of the rows of contacts
  std::vector<int> contact_columns;                       // the velocities that some contact row has
  std::vector<Node> contact_rows, drifts;                 // rows × these columns: W; and χ
  std::vector<Node> compliance;                           // M⁻¹ in these columns while the joints hold
  std::vector<Node> push, pushed;                         // momenta in these columns, and u that they change
  std::vector<Node> delassus;                             // rows × rows
  std::vector<Node> responses;                            // rows × velocities: M⁻¹Wᵀ while the joints hold
  std::vector<Node> response;                             // u + M⁻¹WᵀP
  std::vector<std::pair<std::string, Node>> definitions;  // for measures
  std::map<std::string, Node> parameter_names;

  int rows() const { return stride * static_cast<int>(contacts.size()); }
};

// The equations of a model of formulas. Throws a ModelError that names what a batch cannot do.
BatchEquations batch_equations(Model model, const KeptParameters& kept);

// The equations of a model of bodies. `varies` says which of its numbers are inputs, and `times` are the formulas of t
// that were read with it.
BatchEquations batch_equations(const System& system, const std::vector<KeptParameters::TimeFormula>& times,
                               const BodyNumbers& numbers, const std::vector<bool>& varies);

}  // namespace tappet
