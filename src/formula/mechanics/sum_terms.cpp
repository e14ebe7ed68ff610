// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "formula/mechanics/sum_terms.h"

#include <algorithm>

namespace tappet {

SumTerms::SumTerms(Graph& graph, Node sum) : graph_(graph) {
  expand(sum);
  for (int k = 0; k < static_cast<int>(terms_.size()); ++k)
    for (const int slot : graph_.input_slots({&terms_[k].second, 1})) {
      if (slot >= static_cast<int>(terms_of_input_.size())) terms_of_input_.resize(slot + 1);
      terms_of_input_[slot].push_back(k);
    }
}

// The terms are found from the last to the first, because a sum that was read from left to right has its last term at
// the top.
void SumTerms::expand(Node sum) {
  std::vector<std::pair<Node, Node>> open{{graph_.constant(1.0), sum}};
  while (!open.empty()) {
    const auto [factor, node] = open.back();
    const Graph::Entry entry = graph_[node];
    open.pop_back();
    if (entry.op == Operation::add) {
      open.insert(open.end(), {{factor, entry.a}, {factor, entry.b}});
    } else if (entry.op == Operation::subtract) {
      open.insert(open.end(), {{factor, entry.a}, {graph_.negate(factor), entry.b}});
    } else if (entry.op == Operation::negate) {
      open.emplace_back(graph_.negate(factor), entry.a);
    } else if (entry.op == Operation::multiply && graph_.is_constant(entry.a)) {
      open.emplace_back(graph_.multiply(factor, entry.a), entry.b);
    } else if (entry.op == Operation::divide && graph_.is_constant(entry.b)) {
      open.emplace_back(graph_.divide(factor, entry.b), entry.a);
    } else {
      terms_.emplace_back(factor, node);
    }
  }
  std::reverse(terms_.begin(), terms_.end());
}

Node SumTerms::derivative(Node variable) const {
  Node result = graph_.constant(0.0);
  const auto slot = static_cast<size_t>(graph_[variable].b);
  if (slot >= terms_of_input_.size()) return result;
  for (const int k : terms_of_input_[slot])
    result = graph_.add(result, graph_.multiply(terms_[k].first, graph_.derivative(terms_[k].second, variable)));
  return result;
}

}  // namespace tappet
