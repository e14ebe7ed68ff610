// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "formula/graph.h"

namespace tappet {

// A row of a joint or contact: γ = W u + χ.
struct RecordedRow {
  std::vector<Node> W;
  Node chi = -1;
  Node value = -1;  // the position g of which γ is the rate; −1 if there is none
};

// The equations of motion of a model as formulas of t, q, u and parameters. They are the same for formulas and bodies:
//   M(t, q) u̇ = h(t, q, u) + Wᵀλ,   q̇ = T(q) u
struct RecordedMotion {
  struct Contact {
    RecordedRow gap;
    std::vector<RecordedRow> friction;
  };

  Node t = -1, kinetic = -1, potential = -1;
  std::vector<Node> q, u;
  std::vector<Node> M, h;       // M is n × n, column by column
  std::vector<Node> displaced;  // q ⊕ u
  // T, one list for each velocity: the positions that it changes, and their rates.
  std::vector<std::vector<std::pair<Node, Node>>> tangents;
  std::vector<RecordedRow> joints;
  std::vector<Contact> contacts;

  int velocities() const { return static_cast<int>(u.size()); }
  int slots() const { return 1 + static_cast<int>(q.size() + u.size()); }  // of t, q and u
};

}  // namespace tappet
