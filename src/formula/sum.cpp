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
  std::map<std::vector<Node>, double, std::greater<>> terms;

  void collect(double coefficient, Node root) {
    std::vector<std::pair<double, Node>> open{{coefficient, root}};
    while (!open.empty()) {
      const auto [c, node] = open.back();
      open.pop_back();
      const Entry& e = graph[node];
      switch (e.op) {
        case Operation::negate:
          open.emplace_back(-c, e.a);
          break;
        case Operation::add:
          open.emplace_back(c, e.a), open.emplace_back(c, e.b);
          break;
        case Operation::subtract:
          open.emplace_back(c, e.a), open.emplace_back(-c, e.b);
          break;
        default:
          product(c, node);
      }
    }
  }

  void product(double c, Node node) {
    std::vector<Node> factors, open{node};
    while (!open.empty()) {
      const Entry& e = graph[open.back()];
      const Node factor = open.back();
      open.pop_back();
      if (e.op == Operation::multiply)
        open.push_back(e.a), open.push_back(e.b);
      else if (e.op == Operation::negate)
        c = -c, open.push_back(e.a);
      else if (e.op == Operation::constant)
        c *= e.value;
      else
        factors.push_back(factor);
    }
    // Factors that are shared with other formulas (functions of positions) come first, plain inputs last.
    std::sort(factors.begin(), factors.end(), std::greater<>());
    if (factors.size() == 1 && (graph.is(factors[0], Operation::add) || graph.is(factors[0], Operation::subtract)))
      return collect(c, factors[0]);
    terms[factors] += c;
  }

  Node build() const {
    Node total = graph.constant(0.0);
    for (const auto& [factors, c] : terms) {
      if (c == 0.0) continue;
      Node term = graph.constant(std::abs(c));
      for (Node factor : factors) term = graph.multiply(term, factor);
      total = c < 0.0 ? graph.subtract(total, term) : graph.add(total, term);
    }
    return total;
  }
};

Node Graph::sum(std::span<const std::pair<double, Node>> terms) {
  Monomials monomials{*this, {}};
  for (const auto& [c, node] : terms) monomials.collect(c, node);
  return monomials.build();
}

}  // namespace tappet
