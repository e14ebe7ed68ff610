// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "math/minimum_norm.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/wide/reflection.h"

namespace tappet {

namespace {
constexpr double renewed = 1e-4;  // if a squared norm has fallen below this part of itself, it is summed up again
}

int MinimumNorm::factor(int n, const double* A, double threshold) {
  n_ = n;
  R_.resize(n, n);
  std::copy(A, A + static_cast<size_t>(n) * n, R_.data());
  beta_.resize(n), right_beta_.resize(n), work_.resize(n);
  column_.resize(n);
  for (int j = 0; j < n; ++j) column_[j] = j;

  remainder_.resize(n), known_.resize(n);
  for (int j = 0; j < n; ++j) remainder_[j] = known_[j] = sum_of_squares(n, R_.column(j));
  double longest = 0.0;
  for (rank_ = 0; rank_ < n; ++rank_) {
    const int k = rank_, best = longest_remainder(k);
    if (k == 0) longest = remainder_[best];
    if (remainder_[best] <= threshold * threshold * longest || remainder_[best] == 0.0) break;
    if (best != k) exchange(k, best);
    beta_[k] = reflector(n - k, &R_(k, k));
    for (int j = k + 1; j < n; ++j) reflect_column(k, j);
  }
  longest_ = std::sqrt(longest);
  if (rank_ == n) return rank_;

  // [R S] → [T 0] from the right, last row first. Row k is (T_kk, S_k,:); its reflector is kept as a column of V.
  const int r = rank_, d = n - r;
  V_.resize(d + 1, n);
  for (int k = r - 1; k >= 0; --k) {
    double* v = V_.column(k);
    v[0] = R_(k, k);
    for (int j = 0; j < d; ++j) v[j + 1] = R_(k, r + j);
    right_beta_[k] = reflector(d + 1, v);
    R_(k, k) = v[0];
    for (int i = 0; i < k; ++i) {
      double sum = R_(i, k);
      for (int j = 0; j < d; ++j) sum += v[j + 1] * R_(i, r + j);
      sum *= right_beta_[k];
      R_(i, k) -= sum;
      for (int j = 0; j < d; ++j) R_(i, r + j) -= sum * v[j + 1];
    }
  }
  return rank_;
}

int MinimumNorm::longest_remainder(int from) const {
  int best = from;
  for (int j = from + 1; j < n_; ++j)
    if (remainder_[j] > remainder_[best] * (1.0 + 1e-12)) best = j;  // ties: the first column
  return best;
}

void MinimumNorm::exchange(int a, int b) {
  std::swap_ranges(R_.column(a), R_.column(a) + n_, R_.column(b));
  std::swap(column_[a], column_[b]);
  std::swap(remainder_[a], remainder_[b]);
  std::swap(known_[a], known_[b]);
}

// The norm of what remains below row k follows by Pythagoras. What it loses in digits is limited by `renewed`.
void MinimumNorm::reflect_column(int k, int j) {
  double* x = &R_(k, j);
  reflect(n_ - k, &R_(k, k), beta_[k], x);
  remainder_[j] -= x[0] * x[0];
  if (!(remainder_[j] > renewed * known_[j])) remainder_[j] = known_[j] = sum_of_squares(n_ - k - 1, x + 1);
}

void MinimumNorm::solve(double* x) {
  const int n = n_, r = rank_;
  for (int k = 0; k < r; ++k) reflect(n - k, &R_(k, k), beta_[k], x + k);
  for (int k = r - 1; k >= 0; --k) {
    for (int j = k + 1; j < r; ++j) x[k] -= R_(k, j) * x[j];
    x[k] /= R_(k, k);
  }
  for (int k = r; k < n; ++k) x[k] = 0.0;
  if (r < n)
    for (int k = 0; k < r; ++k) {
      const double* v = V_.column(k);
      double sum = x[k];
      for (int j = 0; j < n - r; ++j) sum += v[j + 1] * x[r + j];
      sum *= right_beta_[k];
      x[k] -= sum;
      for (int j = 0; j < n - r; ++j) x[r + j] -= sum * v[j + 1];
    }
  for (int j = 0; j < n; ++j) work_[column_[j]] = x[j];
  for (int j = 0; j < n; ++j) x[j] = work_[j];
}

}  // namespace tappet
