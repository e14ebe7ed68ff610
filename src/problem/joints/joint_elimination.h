// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/delassus.h>

#include <vector>

#include "math/elimination/block_elimination.h"
#include "math/vec.h"

namespace tappet {

// Solves for the impulses of joints, W₁ᵀ(u + M̂⁻¹ W₀ P) + χ = 0, without a contact solver:
//   S P = −c,   S = W₁ᵀ Y,   Y = M̂⁻¹ W₀,   c = W₁ᵀ u + χ.
// Two joints share a block of S if they act on the same block of M̂ (a body). S is eliminated along lists, so the cost
// of chains and trees is linear in the number of joints. A block of M̂ with many joints would couple all of them. Its
// velocities Y P are then kept as unknowns of the system, after which it couples only with each of them.
//
// The rows of joints come first in W₁ and W₀, and their pattern does not change from call to call.
class JointElimination {
 public:
  // Computes Y for the first `joints` blocks of W₀. The first call with a matrix M̂ makes all lists. Returns false if
  // the graph of the joints is not suitable for lists. `stays` says that M̂ has the same numbers in all such calls.
  bool respond(const Inertia& inertia, const BlockRows& W_0, int joints, bool stays = false);
  bool factor(const BlockRows& W_1);  // S of these directions; false if the joints depend on each other

  // P = −S⁻¹ c. Returns the residual as residual() of a problem with these joints only defines it; W₁ must still be
  // that of factor(). The solution is refined if this makes it better. velocity() = Y P afterwards.
  double solve(const BlockRows& W_1, std::span<const double> c, Vec& P);
  const Vec& velocity() const { return velocity_; }
  // 1/M̂_ii by velocity, if the last respond() knew M̂ to stay and it is diagonal; otherwise empty.
  std::span<const double> reciprocals() const {
    return stays_ ? std::span<const double>(reciprocals_) : std::span<const double>();
  }

  // W₁ᵀ v + b of the joints
  void rates(const BlockRows& W_1, std::span<const double> v, std::span<const double> b, std::span<double> xi) const {
    rates(W_1.values(0), v, b, xi);
  }

  // For contacts beside the joints. x are the impulses of the joints by which they resist a velocity v:
  // x = S⁻¹ W₁ᵀ v, and v becomes v − Y x. Four velocities stand side by side.
  void resist(const BlockRows& W_1, Four* v, Four* x) const;

  int joints() const { return joints_; }
  int rows() const { return rows_; }

 private:
  struct Run {  // consecutive velocities of a joint
    int velocity, length;
    int row, rows;      // of the joint
    int value, stride;  // the first number of these columns in W or Y, and the distance of rows
  };
  struct Product {  // block += W Yᵀ over some consecutive columns
    int place, length;
    int w, w_rows, w_stride;
    int y, y_rows, y_stride;
    bool first = false;  // of its block, which it sets
  };
  using ProductLoop = void (*)(std::span<const Product>, const double* w, const double* y, double* values);
  struct RunLoops;
  // Entries of a list, one after the other, that have the same sizes, and the loop for these sizes.
  template <class Loop>
  struct Group {
    int first, count;
    Loop loop;
    template <class Entry>
    std::span<const Entry> of(const std::vector<Entry>& list) const {
      return {list.data() + first, static_cast<size_t>(count)};
    }
  };
  using ProductGroup = Group<ProductLoop>;
  using RunGroup = Group<const RunLoops*>;
  template <class Loop>
  static void extend(std::vector<Group<Loop>>& groups, int i, Loop loop) {  // by entry i
    if (groups.empty() || groups.back().loop != loop) groups.push_back({i, 0, loop});
    ++groups.back().count;
  }
  struct Response {  // of one joint to one block of M̂
    int block, value, rows, stride;
  };
  struct Copy {
    int from, to;
  };
  struct Term {  // of a diagonal entry of S
    int row, w, y;
  };
  class Analysis;
  struct Loops;

  bool is_analysed(const Inertia& inertia, const BlockRows& W, int joints) const;
  void find_reciprocals(const BlockRows& W);
  void group_products();
  static void group_runs(const std::vector<Run>& runs, std::vector<RunGroup>& groups);
  void copy_directions(const double* w);
  void add_products(const double* w);
  void add_hubs(const double* w);
  void set_weights(const double* w);
  void add_response(std::span<const double> P, double factor, std::span<double> v) const;  // v += factor Y P
  void rates(const double* w, std::span<const double> v, std::span<const double> b, std::span<double> xi) const;
  void solve_matrix(std::span<const double> right, double factor) const;  // x_ = factor S⁻¹ right
  double residual(std::span<const double> c) const;                       // of xi_

  const Inertia* inertia_ = nullptr;  // the one that the lists belong to
  int blocks_ = 0, joints_ = 0, rows_ = 0, values_ = 0;
  bool suitable_ = false;
  std::vector<Run> w_runs_, y_runs_;
  std::vector<RunGroup> w_groups_, y_groups_;
  bool same_layout_ = false;  // whether the joints act on whole blocks of M̂, so that Y has the layout of W
  std::vector<Copy> copies_;  // otherwise: where numbers of W₀ go to in Y
  std::vector<Response> responses_;
  bool stays_ = false, looked_ = false;  // whether M̂ stays, and whether reciprocals_ have been looked for
  std::vector<double> reciprocals_;      // empty if M̂ is not diagonal
  std::vector<double> reciprocal_of_;    // by number of W₀: that of its velocity; empty unless Y has the layout of W
  std::vector<Product> products_;
  std::vector<ProductGroup> product_groups_;
  bool fills_ = false;                         // whether the matrix has blocks without a product
  std::vector<Copy> hub_from_w_, hub_from_y_;  // the entries that couple joints and hubs
  std::vector<int> hub_units_;                 // the places of the diagonal of the hubs
  std::vector<Term> hub_terms_;                // what the diagonal of S lacks in the matrix because of the hubs
  std::vector<int> diagonal_;                  // by row of S: its place in the matrix
  BlockElimination matrix_;
  std::vector<double> Y_;
  Vec weight_;  // 1 / S_ii
  Vec velocity_, xi_;
  static constexpr int four = sizeof(Four) / sizeof(double);
  mutable Vec x_, x_four_;  // the unknowns of the matrix: [joints | hubs]
};

}  // namespace tappet
