// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/delassus.h>

#include <vector>

#include "math/block_elimination.h"
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
  // the graph of the joints is not suitable for lists.
  bool respond(const Inertia& inertia, const BlockRows& W_0, int joints);
  bool factor(const BlockRows& W_1);  // S of these directions; false if the joints depend on each other

  // P = −S⁻¹ c. Returns the residual as residual() of a problem with these joints only defines it; W₁ must still be
  // that of factor(). The solution is refined if this makes it better. velocity() = Y P afterwards.
  double solve(const BlockRows& W_1, std::span<const double> c, Vec& P);
  const Vec& velocity() const { return velocity_; }

  void rates(const BlockRows& W_1, std::span<const double> v, std::span<double> xi) const {  // W₁ᵀ v of the joints
    rates(W_1.values(0), v, xi);
  }

  // For contacts beside the joints. x are the impulses of the joints by which they resist a velocity v:
  // x = S⁻¹ W₁ᵀ v, and v becomes v − Y x.
  void resist(const BlockRows& W_1, std::span<double> v, std::span<double> x) const;

  int joints() const { return joints_; }
  int rows() const { return rows_; }

 private:
  struct Run {  // consecutive velocities of a joint
    int velocity, length;
    int row, rows;      // of the joint
    int value, stride;  // the first number of these columns in W or Y, and the distance of rows
    void (*rates)(const Run&, const double* w, const double* v, double* xi) = nullptr;  // for its sizes
    void (*respond)(const Run&, const double* y, const double* P, double factor, double* v) = nullptr;
  };
  struct Product {  // block += W Yᵀ over some consecutive columns
    int place, length;
    int w, w_rows, w_stride;
    int y, y_rows, y_stride;
    bool first = false;  // of its block, which it sets
    void (*add)(const Product&, const double* w, const double* y, double* values) = nullptr;  // for its sizes
  };
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
  void choose_loops();
  void copy_directions(const double* w);
  void add_products(const double* w);
  void add_hubs(const double* w);
  void set_weights(const double* w);
  void add_response(std::span<const double> P, double factor, std::span<double> v) const;  // v += factor Y P
  void rates(const double* w, std::span<const double> v, std::span<double> xi) const;      // W₁ᵀ v
  void solve_matrix(std::span<const double> right, double factor) const;                   // x_ = factor S⁻¹ right
  double residual(std::span<const double> c) const;                                        // of xi_

  const Inertia* inertia_ = nullptr;  // the one that the lists belong to
  int blocks_ = 0, joints_ = 0, rows_ = 0, values_ = 0;
  bool suitable_ = false;
  std::vector<Run> w_runs_, y_runs_;
  bool same_layout_ = false;  // whether the joints act on whole blocks of M̂, so that Y has the layout of W
  std::vector<Copy> copies_;  // otherwise: where numbers of W₀ go to in Y
  std::vector<Response> responses_;
  std::vector<Product> products_;
  bool fills_ = false;                         // whether the matrix has blocks without a product
  std::vector<Copy> hub_from_w_, hub_from_y_;  // the entries that couple joints and hubs
  std::vector<int> hub_units_;                 // the places of the diagonal of the hubs
  std::vector<Term> hub_terms_;                // what the diagonal of S lacks in the matrix because of the hubs
  std::vector<int> diagonal_;                  // by row of S: its place in the matrix
  BlockElimination matrix_;
  std::vector<double> Y_;
  Vec weight_;  // 1 / S_ii
  Vec velocity_, xi_;
  mutable Vec x_;  // the unknowns of the matrix: [joints | hubs]
};

}  // namespace tappet
