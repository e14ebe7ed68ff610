// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "formula/graph.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace tappet {
namespace {

bool reciprocal_is_exact(double x) {
  int exponent;
  return std::isfinite(x) && std::abs(std::frexp(x, &exponent)) == 0.5 && std::abs(exponent) < 1000;
}

}  // namespace

std::size_t Graph::Hash::operator()(const Key& key) const {
  std::uint64_t h = key.bits ^ static_cast<std::uint64_t>(key.op);
  for (Node n : {key.a, key.b, key.c}) h = (h ^ static_cast<std::uint32_t>(n)) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
  return h;
}

Node Graph::intern(Operation op, Node a, Node b, Node c, double value) {
  const Key key{op, a, b, c, std::bit_cast<std::uint64_t>(value)};
  auto [place, inserted] = index_.try_emplace(key, size());
  if (inserted) {
    std::uint64_t inputs = op == Operation::input ? std::uint64_t{1} << (b % 64) : 0;
    const Node operand[] = {a, b, c};
    for (int i = 0; i < operands(op); ++i) inputs |= entries_[operand[i]].inputs;
    entries_.push_back({op, a, b, c, value, inputs});
  }
  return place->second;
}

Node Graph::find(Operation op, Node a, Node b) const {
  const auto place = index_.find({op, a, b, -1, std::bit_cast<std::uint64_t>(0.0)});
  return place == index_.end() ? -1 : place->second;
}

Node Graph::constant(double value) { return intern(Operation::constant, -1, -1, -1, value); }

Node Graph::input(int slot) {
  assert(slot >= 0);
  return intern(Operation::input, -1, slot, -1);
}

Node Graph::negate(Node x) {
  if (is_constant(x)) return constant(-value(x));
  if (is(x, Operation::negate)) return entries_[x].a;
  if (is(x, Operation::multiply) && is_constant(entries_[x].a))
    return multiply(constant(-value(entries_[x].a)), entries_[x].b);
  return intern(Operation::negate, x);
}

Node Graph::add(Node x, Node y) {
  if (is_constant(x) && is_constant(y)) return constant(value(x) + value(y));
  if (is_zero(x)) return y;
  if (is_zero(y)) return x;
  if (x == y) return multiply(constant(2.0), x);
  if (is(y, Operation::negate)) return subtract(x, entries_[y].a);
  if (is(x, Operation::negate)) return subtract(y, entries_[x].a);
  return intern(Operation::add, std::min(x, y), std::max(x, y));
}

Node Graph::subtract(Node x, Node y) {
  if (is_constant(x) && is_constant(y)) return constant(value(x) - value(y));
  if (is_zero(y)) return x;
  if (is_zero(x)) return negate(y);
  if (x == y) return constant(0.0);
  if (is(y, Operation::negate)) return add(x, entries_[y].a);
  if (is(x, Operation::negate)) return negate(add(entries_[x].a, y));
  const Node mirrored = find(Operation::subtract, y, x);
  return mirrored >= 0 ? intern(Operation::negate, mirrored) : intern(Operation::subtract, x, y);
}

Node Graph::multiply(Node x, Node y) {
  if (is_constant(y)) std::swap(x, y);
  if (is_constant(x)) {
    const double c = value(x);
    if (is_constant(y)) return constant(c * value(y));
    if (c == 0.0) return constant(0.0);
    if (c == 1.0) return y;
    if (c == -1.0) return negate(y);
    const Entry e = entries_[y];  // a copy, because new constants may move the table
    if (e.op == Operation::negate) return multiply(constant(-c), e.a);
    if (e.op == Operation::multiply && is_constant(e.a)) return multiply(constant(c * value(e.a)), e.b);
    if (e.op == Operation::divide && is_constant(e.a)) return divide(constant(c * value(e.a)), e.b);
    return intern(Operation::multiply, x, y);
  }
  const bool negative_x = is(x, Operation::negate), negative_y = is(y, Operation::negate);
  if (negative_x && negative_y) return multiply(entries_[x].a, entries_[y].a);
  if (negative_x) return negate(multiply(entries_[x].a, y));
  if (negative_y) return negate(multiply(x, entries_[y].a));
  return intern(Operation::multiply, std::min(x, y), std::max(x, y));
}

Node Graph::divide(Node x, Node y) {
  if (is_constant(x) && is_constant(y)) return constant(value(x) / value(y));
  if (is_zero(x)) return x;
  if (is_constant(y)) {
    if (reciprocal_is_exact(value(y))) return multiply(constant(1.0 / value(y)), x);
    if (is(x, Operation::multiply) && is_constant(entries_[x].a))
      return multiply(constant(value(entries_[x].a) / value(y)), entries_[x].b);
  }
  if (is(x, Operation::negate)) return negate(divide(entries_[x].a, y));
  if (is(y, Operation::negate)) return negate(divide(x, entries_[y].a));
  return intern(Operation::divide, x, y);
}

Node Graph::power(Node x, Node y) {
  if (is_constant(y)) {
    const double n = value(y);
    if (is_constant(x)) return constant(std::pow(value(x), n));
    if (n == 0.0) return constant(1.0);
    if (n == 1.0) return x;
    if (n == 2.0) return multiply(x, x);
    if (n == -1.0) return divide(constant(1.0), x);
    if (n == 0.5) return unary(Operation::sqrt, x);
  }
  return intern(Operation::power, x, y);
}

Node Graph::unary(Operation op, Node x) {
  if (op == Operation::negate) return negate(x);
  if (is_constant(x)) return constant(tappet::apply(op, value(x), 0.0, 0.0));
  if (is(x, Operation::negate)) {
    const Node positive = entries_[x].a;
    switch (op) {
      case Operation::sin:
      case Operation::tan:
      case Operation::asin:
      case Operation::atan:
      case Operation::sign:
      case Operation::sinh:
      case Operation::tanh:
        return negate(unary(op, positive));
      case Operation::cos:
      case Operation::abs:
      case Operation::cosh:
        return unary(op, positive);
      default:
        break;
    }
  }
  return intern(op, x);
}

Node Graph::atan2(Node y, Node x) {
  if (is_constant(x) && is_constant(y)) return constant(std::atan2(value(y), value(x)));
  return intern(Operation::atan2, y, x);
}

Node Graph::min(Node x, Node y) {
  if (x == y) return x;
  if (is_constant(x) && is_constant(y)) return constant(smaller(value(x), value(y)));
  return intern(Operation::min, x, y);
}

Node Graph::max(Node x, Node y) {
  if (x == y) return x;
  if (is_constant(x) && is_constant(y)) return constant(larger(value(x), value(y)));
  return intern(Operation::max, x, y);
}

Node Graph::less(Node x, Node y) {
  if (x == y) return constant(0.0);
  if (is_constant(x) && is_constant(y)) return constant(value(x) < value(y) ? 1.0 : 0.0);
  return intern(Operation::less, x, y);
}

Node Graph::select(Node which, Node x, Node y) {
  if (x == y) return x;
  if (is_constant(which)) return value(which) > 0.0 ? x : y;
  return intern(Operation::select, which, x, y);
}

Node Graph::mod(Node x, Node y) { return subtract(x, multiply(y, unary(Operation::floor, divide(x, y)))); }

Node Graph::table(Node x, std::shared_ptr<const Table> table, int order) {
  if (order > table->degree()) return constant(0.0);
  if (is_constant(x)) return constant(table->evaluate(value(x), order));
  const auto known = std::find(tables_.begin(), tables_.end(), table);
  const int number = static_cast<int>(known - tables_.begin());
  if (known == tables_.end()) tables_.push_back(std::move(table));
  return intern(Operation::table, x, number, order);
}

Node Graph::apply(Operation op, std::span<const Node> x) {
  assert(static_cast<int>(x.size()) == operands(op));
  switch (op) {
    case Operation::add:
      return add(x[0], x[1]);
    case Operation::subtract:
      return subtract(x[0], x[1]);
    case Operation::multiply:
      return multiply(x[0], x[1]);
    case Operation::divide:
      return divide(x[0], x[1]);
    case Operation::power:
      return power(x[0], x[1]);
    case Operation::atan2:
      return atan2(x[0], x[1]);
    case Operation::min:
      return min(x[0], x[1]);
    case Operation::max:
      return max(x[0], x[1]);
    case Operation::less:
      return less(x[0], x[1]);
    case Operation::select:
      return select(x[0], x[1], x[2]);
    default:
      return unary(op, x[0]);
  }
}

std::vector<Node> Graph::reachable(std::span<const Node> nodes) const {
  std::vector<Node> found, open(nodes.begin(), nodes.end());
  std::vector<bool> seen(entries_.size());
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    if (seen[node]) continue;
    seen[node] = true;
    found.push_back(node);
    const Entry& e = entries_[node];
    const Node operand[] = {e.a, e.b, e.c};
    open.insert(open.end(), operand, operand + operands(e.op));
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<int> Graph::input_slots(std::span<const Node> nodes) const {
  std::vector<int> slots;
  for (Node node : reachable(nodes))
    if (is(node, Operation::input)) slots.push_back(entries_[node].b);
  std::sort(slots.begin(), slots.end());
  return slots;
}

bool Graph::depends(Node f, Node variable) const {
  if (!(entries_[f].inputs & entries_[variable].inputs)) return false;
  const std::vector<Node> nodes = reachable({&f, 1});
  return std::binary_search(nodes.begin(), nodes.end(), variable);
}

double Graph::evaluate(Node f, std::span<const double> inputs) const {
  const std::vector<Node> nodes = reachable({&f, 1});
  std::unordered_map<Node, double> x;
  const auto operand = [&](Node node) { return node < 0 ? 0.0 : x[node]; };
  for (Node node : nodes) {
    const Entry& e = entries_[node];
    if (e.op == Operation::constant)
      x[node] = e.value;
    else if (e.op == Operation::input)
      x[node] = inputs[e.b];
    else if (e.op == Operation::table)
      x[node] = tables_[e.b]->evaluate(x[e.a], e.c);
    else
      x[node] = tappet::apply(e.op, operand(e.a), operand(e.b), operand(e.c));
  }
  return x[f];
}

}  // namespace tappet
