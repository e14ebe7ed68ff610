// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "formula/graph.h"

namespace tappet {

// A sum as a map from factors to their coefficient. In the inertial forces of a Lagrangian, half of the terms of such
// sums cancel.
struct Graph::Monomials {
  Graph& graph;
  std::map<std::vector<Node>, StagedNumber, std::greater<>> terms;

  void collect(StagedNumber coefficient, Node root) {
    std::vector<std::pair<StagedNumber, Node>> open{{coefficient, root}};
    while (!open.empty()) {
      const auto [c, node] = open.back();
      open.pop_back();
      const Entry& e = graph[node];
      switch (e.op) {
        case Operation::negate:
          open.emplace_back(negative(c), e.a);
          break;
        case Operation::add:
          open.emplace_back(c, e.a), open.emplace_back(c, e.b);
          break;
        case Operation::subtract:
          open.emplace_back(c, e.a), open.emplace_back(negative(c), e.b);
          break;
        default:
          product(c, node);
      }
    }
  }

  void product(StagedNumber c, Node node) {
    std::vector<Node> factors, open{node};
    while (!open.empty()) {
      const Entry& e = graph[open.back()];
      const Node factor = open.back();
      open.pop_back();
      if (e.op == Operation::multiply)
        open.push_back(e.a), open.push_back(e.b);
      else if (e.op == Operation::negate)
        c = negative(c), open.push_back(e.a);
      else if (e.op == Operation::constant)
        c = graph.compute(Operation::multiply, c, graph.number(factor));
      else
        factors.push_back(factor);
    }
    // Factors that are shared with other formulas (functions of positions) come first, plain inputs last.
    std::sort(factors.begin(), factors.end(), std::greater<>());
    if (factors.size() == 1 && (graph.is(factors[0], Operation::add) || graph.is(factors[0], Operation::subtract)))
      return collect(c, factors[0]);
    StagedNumber& sum = terms[factors];
    sum = graph.compute(Operation::add, sum, c);
  }

  StagedNumber negative(StagedNumber c) const { return graph.compute(Operation::negate, c); }

  Node build() const {
    Node total = graph.constant(0.0);
    for (const auto& [factors, c] : terms) {
      if (graph.decide(ParameterStage::Condition::equal, c, {0.0})) continue;
      const bool below = graph.decide(ParameterStage::Condition::positive, negative(c));
      Node term = graph.constant(below ? negative(c) : c);
      for (Node factor : factors) term = graph.multiply(term, factor);
      total = below ? graph.subtract(total, term) : graph.add(total, term);
    }
    return total;
  }
};

Node Graph::sum(std::span<const std::pair<double, Node>> terms) {
  Monomials monomials{*this, {}};
  for (const auto& [c, node] : terms) monomials.collect({c}, node);
  return monomials.build();
}

}  // namespace tappet
