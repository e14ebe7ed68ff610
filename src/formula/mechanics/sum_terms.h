// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "formula/graph.h"

namespace tappet {

// A formula as a sum of terms with constant factors, and the terms that depend on each input. An energy of many
// coordinates is a long sum, in which each coordinate is in a few terms. Its derivatives with respect to all
// coordinates then take a time that grows with the length of the sum, and not with its square.
class SumTerms {
 public:
  SumTerms(Graph& graph, Node sum);

  Node derivative(Node variable) const;  // an input

 private:
  void expand(Node sum);

  Graph& graph_;
  std::vector<std::pair<Node, Node>> terms_;      // a constant factor and a formula
  std::vector<std::vector<int>> terms_of_input_;  // by slot, ascending
};

// The derivatives of a formula with respect to its inputs. If there are many, it is taken as a sum.
class FormulaGradient {
 public:
  FormulaGradient(Graph& graph, Node f, int inputs) : graph_(graph), f_(f) {
    constexpr int many = 64;
    if (inputs > many) terms_.emplace(graph, f);
  }
  Node derivative(Node x) const { return terms_ ? terms_->derivative(x) : graph_.derivative(f_, x); }

 private:
  Graph& graph_;
  Node f_;
  std::optional<SumTerms> terms_;
};

}  // namespace tappet
