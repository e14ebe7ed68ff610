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
#include "formula/stage/parameter_stage.h"
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
  class Entry {
   public:
    Operation op;
    Node a, b, c;          // operands; for an input b is the slot; for a table b is its number and c the order
    std::uint64_t inputs;  // bit (slot mod 64) is set for every input below, for a quick test of independence

   private:
    friend class Graph;
    Entry(Operation op, Node a, Node b, Node c, std::uint64_t inputs, double value)
        : op(op), a(a), b(b), c(c), inputs(inputs), value(value) {}
    double value;  // of a constant: Graph::value()
  };

  Node constant(double value) { return constant(StagedNumber{value}); }
  Node constant(StagedNumber number);  // of the stage into which this graph is recorded
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
  bool is_constant(Node node, double value) const {
    return is_constant(node) && decide(ParameterStage::Condition::equal, number(node), {value});
  }
  bool is_zero(Node node) const { return is_constant(node, 0.0); }
  bool is_positive(Node constant) const { return decide(ParameterStage::Condition::positive, number(constant)); }
  bool is_finite(Node constant) const { return decide(ParameterStage::Condition::finite, number(constant)); }
  // The value of a constant, on which the caller may base anything. So it is held if the graph is recorded.
  double value(Node constant) const;
  // The value of a constant for a caller who can follow its changes.
  StagedNumber number(Node constant) const;
  bool depends(Node f, Node variable) const;
  std::vector<int> input_slots(std::span<const Node> nodes) const;  // sorted
  std::vector<Node> reachable(std::span<const Node> nodes) const;   // sorted, so operands come first
  double evaluate(Node f, std::span<const double> inputs) const;    // slow and simple; Program is the fast way
  StagedNumber evaluate_staged(Node f, std::span<const StagedNumber> inputs) const;

  // From now on the stage records how constants follow from parameters, and what is decided by their values. A copy of
  // the graph is recorded too. Null ends it.
  void record_into(std::shared_ptr<ParameterStage> stage);
  const std::shared_ptr<ParameterStage>& stage() const { return stage_; }
  // The constants that depend on parameters, with their places in the stage. They are kept apart from each other and
  // from all other constants.
  std::vector<std::pair<Node, int>> staged_constants();
  // Gives these constants the values in the stage. The graph is then the one that other parameters would have given.
  void set_constants(std::span<const std::pair<Node, int>> staged, const ParameterStage& stage);

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
  bool decide(ParameterStage::Condition condition, StagedNumber x, StagedNumber y = {}) const {
    return stage_ ? stage_->decide(condition, x, y) : ParameterStage::is_true(condition, x.value, y.value);
  }
  StagedNumber compute(Operation op, StagedNumber x, StagedNumber y = {}) const {
    return stage_ ? stage_->apply(op, x, y) : StagedNumber{tappet::apply(op, x.value, y.value, 0.0)};
  }
  Node fold(Operation op, Node x) { return constant(compute(op, number(x))); }
  Node fold(Operation op, Node x, Node y) { return constant(compute(op, number(x), number(y))); }
  // Derivatives of the operands are known: rate(operand).
  template <class Rate>
  Node differentiate(Node f, const Rate& rate, bool shared_reciprocals);
  Node known_derivative(Node f, Node variable) const;

  std::vector<Entry> entries_;
  std::vector<std::shared_ptr<const Table>> tables_;
  std::unordered_map<Key, Node, Hash> index_;
  std::unordered_map<std::uint64_t, Node> derivatives_;  // key: (variable, node)
  std::shared_ptr<ParameterStage> stage_;
  std::unordered_map<Node, int> places_;  // in the stage, of constants that depend on parameters
};

}  // namespace tappet
