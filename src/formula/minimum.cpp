// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "formula/minimum.h"

#include <algorithm>
#include <stdexcept>

#include "formula/switches.h"

namespace tappet {

namespace {

// f = min over the parts (lower), or f = max over the parts. The two are mirror images: min(x, y) = −max(−x, −y).
class Parts {
 public:
  Parts(Graph& graph, int most) : graph_(graph), most_(most) {}

  std::vector<Node> of(Node f, bool lower) {
    const Graph::Entry e = graph_[f];  // a copy, because new nodes may move the table
    switch (e.op) {
      case Operation::min:
      case Operation::max:
        return (e.op == Operation::min) == lower ? both(of(e.a, lower), of(e.b, lower))
                                                 : pairs(e.op, of(e.a, lower), of(e.b, lower));
      case Operation::abs:  // max(x, −x)
        return lower ? std::vector{f} : both(of(e.a, false), negated(of(e.a, true)));
      case Operation::negate:
        return negated(of(e.a, !lower));
      case Operation::add:
        return pairs(e.op, of(e.a, lower), of(e.b, lower));
      case Operation::subtract:
        return pairs(e.op, of(e.a, lower), of(e.b, !lower));
      case Operation::multiply:  // constants come first
        return graph_.is_constant(e.a) ? scaled(e.op, e.a, e.b, lower) : std::vector{f};
      case Operation::divide:
        return graph_.is_constant(e.b) ? scaled(e.op, e.b, e.a, lower) : std::vector{f};
      default:
        return {f};
    }
  }

 private:
  std::vector<Node> scaled(Operation op, Node constant, Node f, bool lower) {
    std::vector<Node> parts = of(f, graph_.is_positive(constant) ? lower : !lower);
    for (Node& part : parts)
      part = op == Operation::divide ? graph_.divide(part, constant) : graph_.multiply(constant, part);
    return parts;
  }
  std::vector<Node> negated(std::vector<Node> parts) {
    for (Node& part : parts) part = graph_.negate(part);
    return parts;
  }
  std::vector<Node> both(std::vector<Node> x, const std::vector<Node>& y) {
    for (Node node : y)
      if (std::find(x.begin(), x.end(), node) == x.end()) x.push_back(node);
    return limited(std::move(x));
  }
  // Sums of minima are the minimum of all sums; max distributes over min.
  std::vector<Node> pairs(Operation op, const std::vector<Node>& x, const std::vector<Node>& y) {
    std::vector<Node> all;
    for (Node a : x)
      for (Node b : y) {
        const Node operand[] = {a, b};
        all = both(std::move(all), {graph_.apply(op, operand)});
      }
    return all;
  }
  std::vector<Node> limited(std::vector<Node> parts) const {
    if (static_cast<int>(parts.size()) > most_) throw std::length_error("too many parts");
    return parts;
  }

  Graph& graph_;
  int most_;
};

// Whether f is a maximum of smooth formulas (upper), or a minimum of such formulas.
bool bends(const Graph& graph, Node f, bool upper) {
  const Graph::Entry& e = graph[f];
  switch (e.op) {
    case Operation::min:
    case Operation::max:
      return (e.op == Operation::max) == upper && bends(graph, e.a, upper) && bends(graph, e.b, upper);
    case Operation::abs:
      return upper && bends(graph, e.a, true) && bends(graph, e.a, false);
    case Operation::negate:
      return bends(graph, e.a, !upper);
    case Operation::add:
      return bends(graph, e.a, upper) && bends(graph, e.b, upper);
    case Operation::subtract:
      return bends(graph, e.a, upper) && bends(graph, e.b, !upper);
    case Operation::multiply:
      if (graph.is_constant(e.a)) return bends(graph, e.b, graph.is_positive(e.a) ? upper : !upper);
      break;
    case Operation::divide:
      if (graph.is_constant(e.b)) return bends(graph, e.a, graph.is_positive(e.b) ? upper : !upper);
      break;
    default:
      break;
  }
  const std::vector<Node> below = graph.reachable({&f, 1});
  return std::none_of(below.begin(), below.end(), [&](Node node) { return is_switch(graph, node); });
}

}  // namespace

bool has_outer_edges_only(const Graph& graph, Node f) { return bends(graph, f, true); }

std::vector<Node> parts_of_minimum(Graph& graph, Node f, int most) try {
  return Parts(graph, most).of(f, true);
} catch (const std::length_error&) {
  return {f};
}

}  // namespace tappet
