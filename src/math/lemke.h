// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "math/minimum_norm.h"
#include "math/vec.h"

namespace tappet {

// Solves the linear complementarity problem w = M z + q, w ≥ 0, z ≥ 0, wᵀz = 0 by Lemke's complementary pivoting with
// the lexicographic ratio test (no cycling). Row i and column i are scaled together, and q by its largest entry. When
// the pivoting ends at a solution, the basic z are solved again from M itself, so round-off does not accumulate. If the
// residual is still not small, larger pivots are required, and the column of z0 gets other numbers than ones, which
// leads along another path. For copositive-plus M a ray means that there is no solution. The memory only grows.
class Lemke {
 public:
  enum class End { solution, ray, pivot_limit };
  struct Report {
    End end = End::solution;
    int pivots = 0;
    double residual = 0.0;  // ‖min(w, z)‖∞ in the scaled problem, |q| ≤ 1 there
  };

  Report solve(const Mat& M, const Vec& q, Vec& z, Vec& w, int max_pivots = 0);  // 0: 50 (n + 1)

 private:
  Report pivot_to_the_end(const Mat& M, const Vec& q, Vec& z, Vec& w, int max_pivots, int attempt);
  void cover(int attempt);
  void scale(const Mat& M, const Vec& q);
  int leaving_row(int column) const;
  void pivot(int row, int column);
  bool lexicographically_less(int a, int b, double factor_a, double factor_b) const;
  void refine(const Mat& M, const Vec& q, Vec& z, Vec& w);

  // Columns: w (0 … n−1), z (n … 2n−1), z0 (2n), right-hand side (2n + 1).
  int n_ = 0;
  double q_scale_ = 1.0, zero_ = 0.0;
  Mat tableau_, basic_matrix_;
  Vec scale_, cover_, basic_z_, before_z_, before_w_, best_z_, best_w_;
  std::vector<int> basis_, support_;
  MinimumNorm minimum_norm_;
};

}  // namespace tappet
