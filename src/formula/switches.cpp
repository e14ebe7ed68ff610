// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "formula/switches.h"

namespace tappet {

bool is_switch(Operation op) { return !spelling(op).empty(); }

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

std::vector<Node> switch_functions(Graph& graph, Node f) {
  std::vector<Node> all;
  for (Node node : graph.reachable({&f, 1})) {
    const Graph::Entry e = graph[node];
    const Node operand[] = {e.a, e.b, e.c};
    if (is_switch(e.op)) all.push_back(decision(graph, e.op, operand));
  }
  return all;
}

Node HeldFormulas::hold(Node f) {
  for (Node node : graph_.reachable({&f, 1})) {
    if (image_.contains(node)) continue;
    const Graph::Entry e = graph_[node];  // a copy: new nodes move the table
    const int count = operands(e.op);
    Node operand[] = {e.a, e.b, e.c};
    bool same = true;
    for (int i = 0; i < count; ++i) {
      const Node image = image_.at(operand[i]);
      same = same && image == operand[i];
      operand[i] = image;
    }
    image_[node] = is_switch(e.op) ? held(e, operand)
                   : same          ? node
                                   : graph_.apply(e.op, {operand, static_cast<std::size_t>(count)});
  }
  return image_.at(f);
}

Node HeldFormulas::held(const Graph::Entry& entry, const Node* x) {
  const Node sigma = decision(graph_, entry.op, x);
  switch (entry.op) {
    case Operation::abs:
      return graph_.multiply(branch(entry.op, sigma, false, 1), x[0]);
    case Operation::sign:
      return branch(entry.op, sigma, true, 0);
    case Operation::step:
      return half(branch(entry.op, sigma, true, 1));
    case Operation::less:
      return half(branch(entry.op, sigma, true, -1));
    case Operation::min:
    case Operation::max:
      return mixed(branch(entry.op, sigma, false, -1), x[1], x[0]);
    default:
      break;
  }
  // `select`: a condition made of held branches is 0 or 1, or between them where one of them is; it brings no switch of
  // its own.
  bool only_branches = true;
  for (int slot : graph_.input_slots({x, 1})) only_branches = only_branches && slot >= first_slot_;
  const Node one = graph_.constant(1.0);
  if (only_branches) return mixed(graph_.subtract(graph_.multiply(graph_.constant(2.0), x[0]), one), x[1], x[2]);
  return mixed(branch(entry.op, sigma, true, -1), x[1], x[2]);
}

// Switch functions that differ in their sign only (min(x, y) and max(x, y)) are one switch, read from both sides.
Node HeldFormulas::branch(Operation op, Node decides, bool jumps, double at_zero) {
  if (graph_.is_constant(decides)) {
    const double value = graph_[decides].value;
    return graph_.constant(value > 0 ? 1.0 : value < 0 ? -1.0 : at_zero);
  }
  const Node opposite = graph_.negate(decides);
  for (Switch& known : switches_) {
    if (known.decides != decides && known.decides != opposite) continue;
    const double side = known.decides == decides ? 1.0 : -1.0;
    if (jumps && !known.jumps) known.op = op, known.jumps = true, known.at_zero = side * at_zero;
    return side > 0 ? known.branch : graph_.negate(known.branch);
  }
  const Node b = graph_.input(first_slot_ + static_cast<int>(switches_.size()));
  switches_.push_back({op, decides, b, jumps, at_zero});
  return b;
}

// At b = ±1 the other branch, which may not even be defined there, has no part in the value.
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
