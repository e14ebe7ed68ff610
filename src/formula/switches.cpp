// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "formula/switches.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tappet {

bool is_switch(const Graph& graph, Node node) {
  const Operation op = graph[node].op;
  if (op == Operation::table) return graph.table_of(node)->kind() == Table::Kind::linear;
  return !spelling(op).empty();
}

PiecesOfTable::PiecesOfTable(const Table& table) {
  const std::span<const double> x = table.knots();
  std::vector<double> numbers, middles, knots(x.begin(), x.end());
  for (std::size_t i = 0; i < x.size(); ++i) numbers.push_back(static_cast<double>(i));
  for (std::size_t i = 0; i + 1 < x.size(); ++i) middles.push_back((x[i] + x[i + 1]) / 2);
  middles.push_back(2 * x.back() - middles.back());  // of the continuation
  number = std::make_shared<const Table>(std::move(knots), numbers, Table::Kind::linear);
  inside = std::make_shared<const Table>(std::move(numbers), std::move(middles), Table::Kind::linear);
}

std::string_view spelling(Operation op) {
  switch (op) {
    case Operation::abs:
      return "abs";
    case Operation::sign:
      return "sign";
    case Operation::step:
      return "step";
    case Operation::min:
      return "min";
    case Operation::max:
      return "max";
    case Operation::floor:
      return "floor";
    case Operation::table:
      return "table";
    case Operation::less:
    case Operation::select:
      return "if";
    default:
      return "";
  }
}

namespace {

// σ of a switching operation.
Node decision(Graph& graph, Operation op, const Node* x) {
  if (op == Operation::max || op == Operation::less) return graph.subtract(x[1], x[0]);
  if (op == Operation::min) return graph.subtract(x[0], x[1]);
  return x[0];
}

}  // namespace

// All whole numbers share one function, which changes its sign at each of them.
std::vector<Node> switch_functions(Graph& graph, Node f) {
  std::vector<Node> all;
  for (Node node : graph.reachable({&f, 1})) {
    if (!is_switch(graph, node)) continue;
    const Graph::Entry e = graph[node];
    const Node operand[] = {e.a, e.b, e.c};
    Node decides = decision(graph, e.op, operand);
    if (e.op == Operation::table) decides = graph.table(e.a, PiecesOfTable(*graph.table_of(node)).number);
    if (e.op == Operation::table || e.op == Operation::floor)
      decides = graph.unary(Operation::sin, graph.multiply(graph.constant(std::numbers::pi), decides));
    all.push_back(decides);
  }
  return all;
}

Node HeldFormulas::hold(Node f) {
  for (Node node : graph_.reachable({&f, 1})) {
    if (image_.contains(node)) continue;
    const Graph::Entry e = graph_[node];  // a copy, because new nodes may move the table
    const int count = operands(e.op);
    Node operand[] = {e.a, e.b, e.c};
    bool same = true;
    for (int i = 0; i < count; ++i) {
      const Node image = image_.at(operand[i]);
      same = same && image == operand[i];
      operand[i] = image;
    }
    if (is_switch(graph_, node))
      image_[node] = held(node, operand);
    else if (same)
      image_[node] = node;
    else if (e.op == Operation::table)
      image_[node] = graph_.table(operand[0], std::shared_ptr(graph_.table_of(node)), e.c);
    else
      image_[node] = graph_.apply(e.op, {operand, static_cast<std::size_t>(count)});
  }
  return image_.at(f);
}

Node HeldFormulas::held(Node node, const Node* x) {
  const Graph::Entry entry = graph_[node];
  if (entry.op == Operation::table) return held_table(node, x[0]);
  const Node sigma = decision(graph_, entry.op, x);
  switch (entry.op) {
    case Operation::abs:
      return graph_.multiply(branch(entry.op, sigma, false, 1), x[0]);
    case Operation::sign:
      return branch(entry.op, sigma, true, 0);
    case Operation::step:
      return half(branch(entry.op, sigma, true, 1));
    case Operation::floor:
      return whole(entry.op, sigma, true);
    case Operation::less:
      return half(branch(entry.op, sigma, true, -1));
    case Operation::min:
    case Operation::max:
      return mixed(branch(entry.op, sigma, false, -1), x[1], x[0]);
    default:
      break;
  }
  // A condition of `select` that consists of held branches is 0 or 1, or between them if one of the branches is. It
  // adds no switch.
  bool only_branches = true;
  for (int slot : graph_.input_slots({x, 1})) only_branches = only_branches && slot >= first_slot_;
  const Node one = graph_.constant(1.0);
  if (only_branches) return mixed(graph_.subtract(graph_.multiply(graph_.constant(2.0), x[0]), one), x[1], x[2]);
  return mixed(branch(entry.op, sigma, true, -1), x[1], x[2]);
}

// The line of the piece that is held, through a point inside the piece.
Node HeldFormulas::held_table(Node node, Node x) {
  const int order = graph_[node].c;
  const std::shared_ptr<const Table> table = graph_.table_of(node);  // a copy, because new tables may move the list
  auto known = std::find_if(pieces_.begin(), pieces_.end(), [&](const auto& p) { return p.first == table.get(); });
  if (known == pieces_.end()) known = pieces_.emplace(pieces_.end(), table.get(), PiecesOfTable(*table));
  const PiecesOfTable pieces = known->second;
  const Node piece = whole(Operation::table, graph_.table(x, pieces.number), order > 0);
  const Node inside = graph_.table(piece, pieces.inside), slope = graph_.table(inside, table, 1);
  if (order > 0) return slope;
  return graph_.add(graph_.table(inside, table), graph_.multiply(slope, graph_.subtract(x, inside)));
}

Node HeldFormulas::whole(Operation op, Node decides, bool jumps) {
  if (graph_.is_constant(decides)) return graph_.constant(std::floor(graph_.value(decides)));
  for (const Switch& known : switches_)
    if (known.decides == decides && known.whole) return known.branch;
  const Node b = graph_.input(first_slot_ + static_cast<int>(switches_.size()));
  switches_.push_back({op, decides, b, jumps, 0.0, true});
  return b;
}

// Switch functions that differ only in their sign (min(x, y) and max(x, y)) are one switch, read from both sides.
Node HeldFormulas::branch(Operation op, Node decides, bool jumps, double at_zero) {
  if (graph_.is_constant(decides)) {
    const double value = graph_.value(decides);
    return graph_.constant(value > 0 ? 1.0 : value < 0 ? -1.0 : at_zero);
  }
  const Node opposite = graph_.negate(decides);
  for (Switch& known : switches_) {
    if (known.whole || (known.decides != decides && known.decides != opposite)) continue;
    const double side = known.decides == decides ? 1.0 : -1.0;
    if (jumps && !known.jumps) known.op = op, known.jumps = true, known.at_zero = side * at_zero;
    return side > 0 ? known.branch : graph_.negate(known.branch);
  }
  const Node b = graph_.input(first_slot_ + static_cast<int>(switches_.size()));
  switches_.push_back({op, decides, b, jumps, at_zero});
  return b;
}

// At b = ±1 the other branch does not contribute to the value. It may not even be defined there.
Node HeldFormulas::mixed(Node b, Node above, Node below) {
  if (above == below) return above;
  const Node one = graph_.constant(1.0), part = graph_.multiply(graph_.constant(0.5), graph_.add(one, b));
  const Node rest = graph_.multiply(graph_.constant(0.5), graph_.subtract(one, b));
  const Node between = graph_.add(graph_.multiply(part, above), graph_.multiply(rest, below));
  return graph_.select(graph_.less(b, one), graph_.select(graph_.less(graph_.constant(-1.0), b), between, below),
                       above);
}

Node HeldFormulas::half(Node b) { return graph_.multiply(graph_.constant(0.5), graph_.add(graph_.constant(1.0), b)); }

}  // namespace tappet
