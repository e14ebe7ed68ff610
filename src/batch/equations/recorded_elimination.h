// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "formula/graph.h"

namespace tappet {

// L U of a sparse matrix of formulas. All pivots are on the diagonal. Rows of a lower group come first, so that masses
// are eliminated before joints, whose diagonal is empty at first. Within a group the order keeps the matrix sparse.
class RecordedElimination {
 public:
  using Rows = std::vector<std::map<int, Node>>;  // by column
  RecordedElimination(Graph& graph, Rows rows, const std::vector<int>& group);

  std::vector<Node> solve(std::vector<Node> b) const;

 private:
  struct Pivot {
    int row;
    Node inverse;
    std::vector<std::pair<int, Node>> below, right;  // rows and their multipliers; columns and their entries
  };
  void eliminate(int row, Rows& rows, const std::vector<bool>& left);

  Graph& graph_;
  std::vector<Pivot> pivots_;
};

}  // namespace tappet
