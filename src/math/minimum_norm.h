// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "math/vec.h"

namespace tappet {

// The shortest least-squares solution of a square system of any rank. The factors A Π = Q [T 0; 0 0] Z are computed by
// Householder reflections with column pivoting from the left and, if the rank is not full, from the right. The memory
// only grows.
class MinimumNorm {
 public:
  // A column counts as dependent if its remainder is below `threshold` times the longest column.
  int factor(int n, const double* A, double threshold = 1e-11);  // returns the rank
  void solve(double* x);                                         // x ← A⁺ x
  int size() const { return n_; }
  int rank() const { return rank_; }
  double longest() const { return longest_; }  // norm of the longest column

 private:
  void exchange(int a, int b);  // columns
  void reflect_from_the_right();

  int n_ = 0, rank_ = 0;
  double longest_ = 0.0;
  Mat rows_;  // what is left of A, stored by rows, so that all its columns are reflected at once
  Mat Q_;     // the reflectors from the left, column k from the diagonal on
  Mat R_;     // its upper triangle
  Mat V_;     // the reflectors from the right
  Mat S_;     // workspace
  Vec beta_, right_beta_, work_;
  std::vector<int> column_;
};

}  // namespace tappet
