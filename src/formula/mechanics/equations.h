// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "formula/mechanics.h"

namespace tappet {

// The equations of motion of a FormulaSystem as formulas:
//   M(t, q) u̇ = h(t, q, u),   M = ∂²T/∂u²,   h = Q − ∂V/∂q + ∂T/∂q − (∂²T/∂u∂q) u − ∂²T/∂u∂t
// and the directions W and rates χ of rows, γ = W u + χ. FormulaMechanics compiles them. Code generators write them
// out.
class FormulaEquations {
 public:
  FormulaEquations(Graph& graph, const FormulaSystem& system);  // throws a MechanicsError

  struct Entry {
    int row, column;
    Node node;
  };
  Node t, T, V;
  std::vector<Node> q, u, h;
  std::vector<Entry> M;  // the entries that may not be zero, column by column. M is symmetric

  std::vector<Node> full_mass() const;  // n × n, column by column

  Node direction(const FormulaSystem::Row& row, int column) const;  // the entry of W
  Node chi(const FormulaSystem::Row& row) const;
  Node row_of_mass_times(int row, const std::vector<Node>& x) const;
  bool depends(Node f, const std::vector<Node>& variables) const;  // all of q, or all of u
  // The indices of those of the variables on which f depends, ascending.
  std::vector<int> indices(Node f, const std::vector<Node>& variables) const;

 private:
  void inertia();
  void given_mass();
  void check_symmetry();
  void forces();
  void fill_mass(std::vector<Entry> lower);

  Graph& graph_;
  const FormulaSystem& system_;
  const int n_;
  const Node zero_;
  std::vector<Node> momentum_;                             // ∂T/∂u
  std::vector<std::vector<std::pair<int, Node>>> by_row_;  // of M: columns and entries, ascending
};

}  // namespace tappet
