// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "formula/graph.h"

namespace tappet {

// A number that records into a Graph what is computed with it. Run a function that is templated on its scalar with it,
// and the graph holds the function as a formula. A constant belongs to no graph until it meets a recorded number.
//
// There is no operator< and no conversion to bool or double: a branch on a recorded number does not compile. Functions
// that need one are written with less() and select(), which all scalars have.
class Traced {
 public:
  Traced() = default;
  Traced(double value) : value_(value) {}  // NOLINT: a number is a constant function
  Traced(Graph& graph, Node node) : graph_(&graph), node_(node) {
    if (graph.is_constant(node)) *this = Traced(graph.value(node));
  }

  bool is_constant() const { return graph_ == nullptr; }
  friend bool known_zero(const Traced& x) { return x.is_constant() && x.value_ == 0.0; }
  Node node(Graph& graph) const { return graph_ ? node_ : graph.constant(value_); }

  friend Traced operator+(const Traced& a, const Traced& b) { return combine(a, b, &Graph::add, Operation::add); }
  friend Traced operator-(const Traced& a, const Traced& b) {
    return combine(a, b, &Graph::subtract, Operation::subtract);
  }
  friend Traced operator*(const Traced& a, const Traced& b) {
    return combine(a, b, &Graph::multiply, Operation::multiply);
  }
  friend Traced operator/(const Traced& a, const Traced& b) { return combine(a, b, &Graph::divide, Operation::divide); }
  Traced operator-() const { return map(*this, Operation::negate); }
  Traced& operator+=(const Traced& b) { return *this = *this + b; }
  Traced& operator-=(const Traced& b) { return *this = *this - b; }
  Traced& operator*=(const Traced& b) { return *this = *this * b; }
  Traced& operator/=(const Traced& b) { return *this = *this / b; }

  friend Traced sin(const Traced& x) { return map(x, Operation::sin); }
  friend Traced cos(const Traced& x) { return map(x, Operation::cos); }
  friend Traced tan(const Traced& x) { return map(x, Operation::tan); }
  friend Traced atan(const Traced& x) { return map(x, Operation::atan); }
  friend Traced sqrt(const Traced& x) { return map(x, Operation::sqrt); }
  friend Traced exp(const Traced& x) { return map(x, Operation::exp); }
  friend Traced log(const Traced& x) { return map(x, Operation::log); }
  friend Traced abs(const Traced& x) { return map(x, Operation::abs); }
  friend Traced atan2(const Traced& y, const Traced& x) { return combine(y, x, &Graph::atan2, Operation::atan2); }
  friend Traced less(const Traced& a, const Traced& b) { return combine(a, b, &Graph::less, Operation::less); }
  friend Traced select(const Traced& which, const Traced& x, const Traced& y) {
    if (which.is_constant()) return which.value_ > 0.0 ? x : y;
    Graph& graph = *which.graph_;
    return {graph, graph.select(which.node_, x.node(graph), y.node(graph))};
  }

 private:
  static Traced map(const Traced& x, Operation op) {
    if (x.is_constant()) return apply(op, x.value_, 0.0, 0.0);
    return {*x.graph_, x.graph_->unary(op, x.node_)};
  }
  static Traced combine(const Traced& a, const Traced& b, Node (Graph::*record)(Node, Node), Operation op) {
    if (a.is_constant() && b.is_constant()) return apply(op, a.value_, b.value_, 0.0);
    Graph& graph = a.graph_ ? *a.graph_ : *b.graph_;
    return {graph, (graph.*record)(a.node(graph), b.node(graph))};
  }

  Graph* graph_ = nullptr;
  Node node_ = -1;
  double value_ = 0.0;  // of a constant
};

}  // namespace tappet
