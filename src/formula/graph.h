// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formula/operation.h"
#include "formula/table.h"

namespace tappet {

// A node of a Graph. Operands come before the nodes that use them: a < b if b depends on a.
using Node = int;

// Formulas as a graph in which equal subexpressions are one node. Inputs are numbered slots. Construction folds
// constants and drops neutral operations (0·x, 1·x, x+0, x−x, −−x). It does not cancel quotients or merge roots, so a
// formula that is undefined at a point stays undefined there. The exception is that 0·x is 0 for every x, because
// derivatives would otherwise never be sparse.
class Graph {
 public:
  struct Entry {
    Operation op;
    Node a, b, c;          // operands; for an input b is the slot; for a table b is its number and c the order
    double value;          // of a constant
    std::uint64_t inputs;  // bit (slot mod 64) is set for every input below, for a quick test of independence
  };

  Node constant(double value);
  Node input(int slot);

  Node negate(Node x);
  Node add(Node x, Node y);
  Node subtract(Node x, Node y);
  Node multiply(Node x, Node y);
  Node divide(Node x, Node y);
  Node power(Node x, Node y);
  Node atan2(Node y, Node x);
  Node min(Node x, Node y);
  Node max(Node x, Node y);
  Node less(Node x, Node y);                                              // 1 if x < y, otherwise 0
  Node select(Node which, Node x, Node y);                                // x if which > 0, otherwise y
  Node unary(Operation op, Node x);                                       // sin … floor
  Node mod(Node x, Node y);                                               // x − y floor(x/y), between 0 and y
  Node table(Node x, std::shared_ptr<const Table> table, int order = 0);  // the derivative of that order
  Node apply(Operation op, std::span<const Node> arguments);

  // Σ coefficient · node. Nested sums and products are expanded, so that equal terms are added and cancel.
  Node sum(std::span<const std::pair<double, Node>> terms);

  Node derivative(Node f, Node variable);  // exact; variable is an input
  // Inputs and the rates at which they change; all other inputs stand still. It remembers what was asked along it.
  struct Direction {
    explicit Direction(std::span<const std::pair<Node, Node>> input_rates);
    std::unordered_map<Node, Node> rates;  // of the inputs, then of every node asked for
  };
  // The rate of f along a direction. Quotients are taken as products with one shared reciprocal.
  Node derivative(Node f, Direction& along);
  Node substitute(Node f, std::span<const std::pair<Node, Node>> replacements);

  const Entry& operator[](Node node) const { return entries_[node]; }
  // The data of a node whose operation is `table`.
  const std::shared_ptr<const Table>& table_of(Node node) const { return tables_[entries_[node].b]; }
  int size() const { return static_cast<int>(entries_.size()); }
  bool is_constant(Node node) const { return entries_[node].op == Operation::constant; }
  bool is_constant(Node node, double value) const { return is_constant(node) && entries_[node].value == value; }
  bool is_zero(Node node) const { return is_constant(node, 0.0); }
  bool depends(Node f, Node variable) const;
  std::vector<int> input_slots(std::span<const Node> nodes) const;  // sorted
  std::vector<Node> reachable(std::span<const Node> nodes) const;   // sorted, so operands come first
  double evaluate(Node f, std::span<const double> inputs) const;    // slow and simple; Program is the fast way

 private:
  struct Key {
    Operation op;
    Node a, b, c;
    std::uint64_t bits;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  struct Monomials;

  Node intern(Operation op, Node a = -1, Node b = -1, Node c = -1, double value = 0.0);
  Node find(Operation op, Node a, Node b) const;  // -1 if there is no such node
  bool is(Node node, Operation op) const { return entries_[node].op == op; }
  double value(Node node) const { return entries_[node].value; }
  // Derivatives of the operands are known: rate(operand).
  template <class Rate>
  Node differentiate(Node f, const Rate& rate, bool shared_reciprocals);
  Node known_derivative(Node f, Node variable) const;

  std::vector<Entry> entries_;
  std::vector<std::shared_ptr<const Table>> tables_;
  std::unordered_map<Key, Node, Hash> index_;
  std::unordered_map<std::uint64_t, Node> derivatives_;  // key: (variable, node)
};

}  // namespace tappet
