// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "batch/equations/formula_numbers.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <unordered_map>

namespace tappet {

namespace {

// Collects numbers into one, which differs if one of them does.
class Digest {
 public:
  void add(int number) { sum_ = (sum_ ^ static_cast<unsigned>(number)) * 16777619u; }
  unsigned sum() const { return sum_; }

 private:
  unsigned sum_ = 2166136261u;
};

}  // namespace

void list_formulas(const Graph& graph, std::span<const Node> formulas, BodyNumbers& to) {
  Digest form;
  std::unordered_map<Node, int> place;  // of what is no constant
  const auto use = [&](Node node) {
    if (graph.is_constant(node))
      to.values.push_back(graph.value(node)), form.add(-1);
    else
      form.add(place.at(node));
  };
  for (Node node : graph.reachable(formulas)) {
    if (graph.is_constant(node)) continue;
    const Graph::Entry& e = graph[node];
    place.emplace(node, static_cast<int>(place.size()));
    form.add(static_cast<int>(e.op));
    if (operands(e.op) == 0 || e.op == Operation::table) form.add(e.b);
    const Node operand[] = {e.a, e.b, e.c};
    for (int i = 0; i < operands(e.op); ++i) use(operand[i]);
  }
  for (Node formula : formulas) use(formula);
  to.forms.push_back(form.sum());
}

std::vector<Node> copy_formulas(const Graph& from, std::span<const Node> formulas, Graph& to,
                                const std::function<Node(int slot)>& input, const std::function<Node()>& constant) {
  std::unordered_map<Node, Node> copied;
  const auto use = [&](Node node) { return from.is_constant(node) ? constant() : copied.at(node); };
  for (Node node : from.reachable(formulas)) {
    if (from.is_constant(node)) continue;
    const Graph::Entry e = from[node];
    if (e.op == Operation::input) {
      copied[node] = input(e.b);
      continue;
    }
    const Node operand[] = {e.a, e.b, e.c};
    std::vector<Node> arguments;
    for (int i = 0; i < operands(e.op); ++i) arguments.push_back(use(operand[i]));
    copied[node] =
        e.op == Operation::table ? to.table(arguments[0], from.table_of(node), e.c) : to.apply(e.op, arguments);
  }
  std::vector<Node> out;
  for (Node formula : formulas) out.push_back(use(formula));
  return out;
}

const KeptParameters::TimeFormula& formula_of(const TimeFunction& function,
                                              const std::vector<KeptParameters::TimeFormula>& read) {
  const auto same = [&](double x, double y) {
    return (std::isnan(x) && std::isnan(y)) || std::abs(x - y) <= 1e-12 * std::max(std::abs(x), std::abs(y));
  };
  for (const auto& formula : read) {
    bool all = true;
    for (const double t : {0.0, 0.0137, 0.61, 1.9, 7.3, 113.0})
      all = all && same(function(t), formula.graph.evaluate(formula.f, {&t, 1}));
    if (all) return formula;
  }
  throw std::logic_error("a function of time was not read with the model");
}

}  // namespace tappet
