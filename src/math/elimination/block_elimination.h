// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "math/wide/wide.h"

namespace tappet {

// LU of a square matrix that consists of small dense blocks and has a symmetric pattern, along lists. A node is a group
// of unknowns: the rows of a joint, or the velocities of a body. analyse() chooses the order of elimination (least
// degree) and makes all lists. After that, factor() and solve() allocate no memory. A chain or a tree of joints has no
// fill, so its cost is linear in the number of joints. A closed loop adds one block per joint of the loop.
//
// Pivots are not exchanged. Instead every pivot is compared with the largest value that it had
// on the way. If almost nothing of it is left, the rows depend on each other (or the order is not suitable), and
// factor() says so.
class BlockElimination {
 public:
  struct Node {
    int size = 0;
    // The own block of a joint beside the velocities of its bodies is zero. It can only be a pivot after neighbours
    // with at least this number of unknowns were eliminated.
    int needs = 0;
  };
  static constexpr double dependent = 1e-9;  // what a pivot may lose by cancellation

  // `pairs` are the nodes that have a common block; both (i, j) and (j, i) are then part of the matrix. Returns false
  // if elimination would be too expensive for lists (a graph without small separators).
  bool analyse(std::span<const Node> nodes, std::span<const std::pair<int, int>> pairs);

  int rows() const { return rows_; }
  int first(int node) const { return first_[node]; }  // the first row of a node in the vector of solve()
  int place(int i, int j) const;                      // where the block (i, j) starts in values(), stored by rows
  std::span<double> values() { return values_; }
  void set_zero();

  bool factor();                // in place; false if rows depend on each other
  void solve(double* x) const;  // x ← A⁻¹ x
  void solve(Four* x) const;    // the same for four vectors side by side

 private:
  struct Side {  // a neighbour that is eliminated later than the pivot
    int node, row, size;
    int left, right;  // places of the blocks (node, pivot) and (pivot, node)
  };
  struct Pivot {
    int row, size, diagonal;
    int uniform;      // the size of all its sides, or 0 if they differ
    int side, sides;  // in sides_
    int target;       // in targets_: the blocks (k, l) for all pairs of its sides, by rows
  };

  using Pivots = std::span<const Pivot>;
  struct Functions {  // for certain sizes
    void (*take_scales)(BlockElimination&, Pivots);
    bool (*eliminate)(BlockElimination&, Pivots);
    void (*forward)(const BlockElimination&, Pivots, double*);
    void (*backward)(const BlockElimination&, Pivots, double*);
    void (*forward_four)(const BlockElimination&, Pivots, Four*);
    void (*backward_four)(const BlockElimination&, Pivots, Four*);
  };
  struct Group {  // pivots of the same sizes, one after the other
    int first, count;
    Functions functions;
  };
  Pivots pivots(const Group& group) const { return {pivots_.data() + group.first, static_cast<size_t>(group.count)}; }

  bool choose_order(std::span<const Node> nodes, std::span<const std::pair<int, int>> pairs);
  void lay_out(std::span<const Node> nodes);
  void group_pivots();
  // S is the size of the pivots and T that of their sides, if they are known to the compiler, and otherwise 0. X is a
  // number, or several side by side.
  template <int S>
  static void take_scales(BlockElimination& own, Pivots pivots);
  template <int S, int T>
  static bool eliminate(BlockElimination& own, Pivots pivots);
  template <int S, int T, class X>
  static void forward(const BlockElimination& own, Pivots pivots, X* x);
  template <int S, int T, class X>
  static void backward(const BlockElimination& own, Pivots pivots, X* x);

  int rows_ = 0;
  std::vector<Pivot> pivots_;  // in the order of elimination
  std::vector<Group> groups_;
  std::vector<Side> sides_;
  std::vector<int> targets_;
  std::vector<int> first_;     // by node
  std::vector<int> position_;  // by node: its place in the order of elimination
  std::vector<int> order_;
  std::vector<std::vector<int>> later_;  // by place in the order: the neighbours that come later, in this order
  std::vector<double> values_;
  std::vector<double> scale_;            // by row: the largest magnitude that its diagonal entry has had
  mutable std::vector<double> scratch_;  // for a row of a large node
};

}  // namespace tappet
