// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <cassert>

#include "formula/graph.h"

namespace tappet {
namespace {

std::uint64_t pair_key(Node f, Node variable) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(variable)) << 32 | static_cast<std::uint32_t>(f);
}

}  // namespace

// Returns -1 if the derivative is not known yet. If f does not depend on the variable, this is known without a search.
Node Graph::known_derivative(Node f, Node variable) const {
  const auto place = derivatives_.find(pair_key(f, variable));
  return place == derivatives_.end() ? -1 : place->second;
}

// Uses an explicit stack, since a sum of ten thousand terms is a graph ten thousand nodes deep.
Node Graph::derivative(Node f, Node variable) {
  assert(is(variable, Operation::input));
  const Node zero = constant(0.0);
  std::vector<Node> open{f};
  while (!open.empty()) {
    const Node node = open.back();
    if (known_derivative(node, variable) >= 0) {
      open.pop_back();
      continue;
    }
    Node result = -1;
    if (!(entries_[node].inputs & entries_[variable].inputs))
      result = zero;
    else if (is(node, Operation::input))
      result = constant(node == variable ? 1.0 : 0.0);
    else {
      const Entry& e = entries_[node];
      const Node operand[] = {e.a, e.b, e.c};
      const std::size_t before = open.size();
      for (int i = 0; i < operands(e.op); ++i)
        if (known_derivative(operand[i], variable) < 0) open.push_back(operand[i]);
      if (open.size() > before) continue;
      result = differentiate(
          node, [&](Node operand) { return known_derivative(operand, variable); }, false);
    }
    derivatives_.emplace(pair_key(node, variable), result);
    open.pop_back();
  }
  return known_derivative(f, variable);
}

Graph::Direction::Direction(std::span<const std::pair<Node, Node>> input_rates)
    : rates(input_rates.begin(), input_rates.end()) {}

Node Graph::derivative(Node f, Direction& along) {
  const Node zero = constant(0.0);
  std::vector<Node> open{f};
  while (!open.empty()) {
    const Node node = open.back();
    if (along.rates.contains(node)) {
      open.pop_back();
      continue;
    }
    const Entry e = entries_[node];
    const Node operand[] = {e.a, e.b, e.c};
    const std::size_t before = open.size();
    for (int i = 0; i < operands(e.op); ++i)
      if (!along.rates.contains(operand[i])) open.push_back(operand[i]);
    if (open.size() > before) continue;
    const Node result = operands(e.op) == 0 ? zero
                                            : differentiate(
                                                  node, [&](Node x) { return along.rates.at(x); }, true);
    along.rates.emplace(node, result);
    open.pop_back();
  }
  return along.rates.at(f);
}

template <class Rate>
Node Graph::differentiate(Node f, const Rate& d, bool shared_reciprocals) {
  const Entry e = entries_[f];  // a copy, because new nodes may move the table
  const Node a = e.a, b = e.b, one = constant(1.0);
  const Node da = d(a), db = operands(e.op) > 1 ? d(b) : -1;
  const bool constant_operands = is_zero(da) && (operands(e.op) < 2 || is_zero(db));
  if (constant_operands && e.op != Operation::select) return constant(0.0);
  switch (e.op) {
    case Operation::constant:
    case Operation::input:
      break;
    case Operation::negate:
      return negate(da);
    case Operation::sin:
      return multiply(unary(Operation::cos, a), da);
    case Operation::cos:
      return negate(multiply(unary(Operation::sin, a), da));
    case Operation::tan:
      return multiply(add(one, multiply(f, f)), da);
    case Operation::asin:  // (1 − x)(1 + x) keeps its digits at the ends, but 1 − x² does not
      return divide(da, unary(Operation::sqrt, multiply(subtract(one, a), add(one, a))));
    case Operation::acos:
      return negate(divide(da, unary(Operation::sqrt, multiply(subtract(one, a), add(one, a)))));
    case Operation::atan:
      return divide(da, add(one, multiply(a, a)));
    case Operation::sqrt:
      if (shared_reciprocals) return multiply(divide(constant(0.5), f), da);
      return divide(multiply(constant(0.5), da), f);
    case Operation::exp:
      return multiply(f, da);
    case Operation::log:
      return divide(da, a);
    case Operation::abs:
      return multiply(unary(Operation::sign, a), da);
    case Operation::sinh:
      return multiply(unary(Operation::cosh, a), da);
    case Operation::cosh:
      return multiply(unary(Operation::sinh, a), da);
    case Operation::tanh:
      return multiply(subtract(one, multiply(f, f)), da);
    case Operation::table: {
      const std::shared_ptr<const Table> data = tables_[b];  // a copy, because a new table may move the list
      return multiply(table(a, data, e.c + 1), da);
    }
    case Operation::sign:
    case Operation::step:
    case Operation::floor:
    case Operation::less:
      return constant(0.0);
    case Operation::add:
      return add(da, db);
    case Operation::subtract:
      return subtract(da, db);
    case Operation::multiply:
      return a == b ? multiply(constant(2.0), multiply(a, da)) : add(multiply(da, b), multiply(a, db));
    case Operation::divide:
      if (shared_reciprocals) return multiply(subtract(da, multiply(f, db)), divide(one, b));
      return divide(subtract(da, multiply(f, db)), b);
    case Operation::power: {
      const Node by_base = multiply(multiply(b, power(a, subtract(b, one))), da);
      if (is_zero(db)) return by_base;
      const Node by_exponent = multiply(multiply(f, unary(Operation::log, a)), db);
      return is_zero(da) ? by_exponent : add(by_base, by_exponent);
    }
    case Operation::atan2:
      return divide(subtract(multiply(b, da), multiply(a, db)), add(multiply(b, b), multiply(a, a)));
    case Operation::min:
      return select(less(b, a), db, da);
    case Operation::max:
      return select(less(a, b), db, da);
    case Operation::select:
      return select(a, db, d(e.c));
  }
  return constant(0.0);
}

Node Graph::substitute(Node f, std::span<const std::pair<Node, Node>> replacements) {
  std::unordered_map<Node, Node> image(replacements.begin(), replacements.end());
  for (Node node : reachable({&f, 1})) {
    if (image.contains(node)) continue;
    const Entry e = entries_[node];
    const int count = operands(e.op);
    if (count == 0) {
      image[node] = node;
      continue;
    }
    Node operand[] = {e.a, e.b, e.c};
    bool same = true;
    for (int i = 0; i < count; ++i) {
      const Node replaced = image[operand[i]];
      same = same && replaced == operand[i];
      operand[i] = replaced;
    }
    if (same)
      image[node] = node;
    else if (e.op == Operation::table)
      image[node] = table(operand[0], std::shared_ptr(tables_[e.b]), e.c);
    else
      image[node] = apply(e.op, {operand, static_cast<std::size_t>(count)});
  }
  return image[f];
}

}  // namespace tappet
