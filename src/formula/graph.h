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

// A node of a Graph. Operands come before what uses them: a < b whenever b depends on a.
using Node = int;

// Formulas as a graph in which equal subexpressions are one node. Inputs are numbered slots.
// Construction folds constants and drops what is neutral (0·x, 1·x, x+0, x−x, −−x); it cancels no quotients and
// merges no roots, so what is undefined at a point stays undefined there, except that 0·x is 0 for every x
// (derivatives would otherwise never be sparse).
class Graph {
 public:
  struct Entry {
    Operation op;
    Node a, b, c;          // operands; of an input b is the slot; of a table b is its number, c the order
    double value;          // of a constant
    std::uint64_t inputs;  // bit (slot mod 64) for every input below: a quick "surely independent"
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
  Node less(Node x, Node y);                                              // 1 where x < y, else 0
  Node select(Node which, Node x, Node y);                                // x where which > 0, else y
  Node unary(Operation op, Node x);                                       // sin … floor
  Node mod(Node x, Node y);                                               // x − y floor(x/y): between 0 and y
  Node table(Node x, std::shared_ptr<const Table> table, int order = 0);  // the derivative of that order
  Node apply(Operation op, std::span<const Node> arguments);

  // Σ coefficient · node with nested sums and products opened, so that equal terms add up and cancel.
  Node sum(std::span<const std::pair<double, Node>> terms);

  Node derivative(Node f, Node variable);  // exact; variable is an input
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
  double evaluate(Node f, std::span<const double> inputs) const;    // slow and plain; Program is the fast way

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
  Node find(Operation op, Node a, Node b) const;  // -1: no such node
  bool is(Node node, Operation op) const { return entries_[node].op == op; }
  double value(Node node) const { return entries_[node].value; }
  Node differentiate(Node f, Node variable);  // derivatives of the operands are known
  Node known_derivative(Node f, Node variable) const;

  std::vector<Entry> entries_;
  std::vector<std::shared_ptr<const Table>> tables_;
  std::unordered_map<Key, Node, Hash> index_;
  std::unordered_map<std::uint64_t, Node> derivatives_;  // (variable, node)
};

}  // namespace tappet
