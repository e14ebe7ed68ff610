// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "formula/graph.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <iterator>

namespace tappet {

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
    entries_.push_back(Entry(op, a, b, c, inputs, value));
  }
  return place->second;
}

Node Graph::find(Operation op, Node a, Node b) const {
  const auto place = index_.find({op, a, b, -1, std::bit_cast<std::uint64_t>(0.0)});
  return place == index_.end() ? -1 : place->second;
}

// A constant that exists already is used again. Then it must stay equal to what was asked for.
Node Graph::constant(StagedNumber wanted) {
  const int before = size();
  const Node node = intern(Operation::constant, -1, -1, -1, wanted.value);
  if (!stage_) return node;
  if (size() == before)
    stage_->decide(ParameterStage::Condition::same, wanted, number(node));
  else if (wanted.place >= 0)
    places_[node] = wanted.place;
  return node;
}

StagedNumber Graph::number(Node constant) const {
  assert(is_constant(constant));
  const auto place = stage_ ? places_.find(constant) : places_.end();
  return {entries_[constant].value, place == places_.end() ? -1 : place->second};
}

double Graph::value(Node constant) const {
  if (stage_) stage_->hold(number(constant));
  return entries_[constant].value;
}

void Graph::record_into(std::shared_ptr<ParameterStage> stage) { stage_ = std::move(stage); }

std::vector<std::pair<Node, int>> Graph::staged_constants() {
  std::vector<std::pair<Node, int>> staged(places_.begin(), places_.end());
  std::sort(staged.begin(), staged.end());
  std::vector<int> places;
  std::vector<double> others;
  for (const auto& [node, place] : staged) places.push_back(place);
  for (Node node = 0; node < size(); ++node)
    if (is_constant(node) && !places_.contains(node)) others.push_back(entries_[node].value);
  stage_->keep_apart(places, others);
  return staged;
}

void Graph::set_constants(std::span<const std::pair<Node, int>> staged, const ParameterStage& stage) {
  const auto key = [](double value) {
    return Key{Operation::constant, -1, -1, -1, std::bit_cast<std::uint64_t>(value)};
  };
  std::vector<decltype(index_)::node_type> known;  // all old values leave the index before the new ones enter it
  for (const auto& [node, place] : staged) known.push_back(index_.extract(key(entries_[node].value)));
  for (std::size_t i = 0; i < staged.size(); ++i) {
    known[i].key() = key(entries_[staged[i].first].value = stage[staged[i].second]);
    index_.insert(std::move(known[i]));
  }
}

Node Graph::input(int slot) {
  assert(slot >= 0);
  return intern(Operation::input, -1, slot, -1);
}

Node Graph::negate(Node x) {
  if (is_constant(x)) return fold(Operation::negate, x);
  if (is(x, Operation::negate)) return entries_[x].a;
  if (is(x, Operation::multiply) && is_constant(entries_[x].a))
    return multiply(fold(Operation::negate, entries_[x].a), entries_[x].b);
  return intern(Operation::negate, x);
}

Node Graph::add(Node x, Node y) {
  if (is_constant(x) && is_constant(y)) return fold(Operation::add, x, y);
  if (is_zero(x)) return y;
  if (is_zero(y)) return x;
  if (x == y) return multiply(constant(2.0), x);
  if (is(y, Operation::negate)) return subtract(x, entries_[y].a);
  if (is(x, Operation::negate)) return subtract(y, entries_[x].a);
  return intern(Operation::add, std::min(x, y), std::max(x, y));
}

Node Graph::subtract(Node x, Node y) {
  if (is_constant(x) && is_constant(y)) return fold(Operation::subtract, x, y);
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
    if (is_constant(y)) return fold(Operation::multiply, x, y);
    if (is_zero(x)) return constant(0.0);
    if (is_constant(x, 1.0)) return y;
    if (is_constant(x, -1.0)) return negate(y);
    const Entry e = entries_[y];  // a copy, because new constants may move the table
    if (e.op == Operation::negate) return multiply(fold(Operation::negate, x), e.a);
    if (e.op == Operation::multiply && is_constant(e.a)) return multiply(fold(Operation::multiply, x, e.a), e.b);
    if (e.op == Operation::divide && is_constant(e.a)) return divide(fold(Operation::multiply, x, e.a), e.b);
    return intern(Operation::multiply, x, y);
  }
  const bool negative_x = is(x, Operation::negate), negative_y = is(y, Operation::negate);
  if (negative_x && negative_y) return multiply(entries_[x].a, entries_[y].a);
  if (negative_x) return negate(multiply(entries_[x].a, y));
  if (negative_y) return negate(multiply(x, entries_[y].a));
  return intern(Operation::multiply, std::min(x, y), std::max(x, y));
}

Node Graph::divide(Node x, Node y) {
  if (is_constant(x) && is_constant(y)) return fold(Operation::divide, x, y);
  if (is_zero(x)) return x;
  if (is_constant(y)) {
    if (decide(ParameterStage::Condition::exact_reciprocal, number(y)))
      return multiply(constant(compute(Operation::divide, {1.0}, number(y))), x);
    if (is(x, Operation::multiply) && is_constant(entries_[x].a)) {
      const Node factor = entries_[x].b;
      return multiply(fold(Operation::divide, entries_[x].a, y), factor);
    }
  }
  if (is(x, Operation::negate)) return negate(divide(entries_[x].a, y));
  if (is(y, Operation::negate)) return negate(divide(x, entries_[y].a));
  return intern(Operation::divide, x, y);
}

Node Graph::power(Node x, Node y) {
  if (is_constant(y)) {
    if (is_constant(x)) return fold(Operation::power, x, y);
    if (is_zero(y)) return constant(1.0);
    if (is_constant(y, 1.0)) return x;
    if (is_constant(y, 2.0)) return multiply(x, x);
    if (is_constant(y, -1.0)) return divide(constant(1.0), x);
    if (is_constant(y, 0.5)) return unary(Operation::sqrt, x);
  }
  return intern(Operation::power, x, y);
}

Node Graph::unary(Operation op, Node x) {
  if (op == Operation::negate) return negate(x);
  if (is_constant(x)) return fold(op, x);
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
  if (is_constant(x) && is_constant(y)) return fold(Operation::atan2, y, x);
  return intern(Operation::atan2, y, x);
}

Node Graph::min(Node x, Node y) {
  if (x == y) return x;
  if (is_constant(x) && is_constant(y)) return fold(Operation::min, x, y);
  return intern(Operation::min, x, y);
}

Node Graph::max(Node x, Node y) {
  if (x == y) return x;
  if (is_constant(x) && is_constant(y)) return fold(Operation::max, x, y);
  return intern(Operation::max, x, y);
}

Node Graph::less(Node x, Node y) {
  if (x == y) return constant(0.0);
  if (is_constant(x) && is_constant(y)) return fold(Operation::less, x, y);
  return intern(Operation::less, x, y);
}

Node Graph::select(Node which, Node x, Node y) {
  if (x == y) return x;
  if (is_constant(which)) return is_positive(which) ? x : y;
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
  std::vector<Node> found, open;
  std::unique_copy(nodes.begin(), nodes.end(), std::back_inserter(open));  // a sparse matrix has runs of zeros
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
  std::vector<StagedNumber> numbers;
  for (const double x : inputs) numbers.push_back({x});
  const StagedNumber result = evaluate_staged(f, numbers);
  if (stage_) stage_->hold(result);
  return result.value;
}

StagedNumber Graph::evaluate_staged(Node f, std::span<const StagedNumber> inputs) const {
  const std::vector<Node> nodes = reachable({&f, 1});
  std::unordered_map<Node, StagedNumber> x;
  for (Node node : nodes) {
    const Entry& e = entries_[node];
    if (e.op == Operation::constant) {
      x[node] = number(node);
    } else if (e.op == Operation::input) {
      x[node] = inputs[e.b];
    } else if (e.op == Operation::table) {
      if (stage_) stage_->hold(x[e.a]);
      x[node] = {tables_[e.b]->evaluate(x[e.a].value, e.c)};
    } else {
      const StagedNumber a = x[e.a], b = operands(e.op) > 1 ? x[e.b] : StagedNumber{};
      const StagedNumber c = operands(e.op) > 2 ? x[e.c] : StagedNumber{};
      x[node] = stage_ ? stage_->apply(e.op, a, b, c) : StagedNumber{tappet::apply(e.op, a.value, b.value, c.value)};
    }
  }
  return x[f];
}

}  // namespace tappet
