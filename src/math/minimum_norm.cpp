// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "math/minimum_norm.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/dense.h"
#include "math/wide/reflections.h"

namespace tappet {

namespace {

// Turns x into the reflector v (v[0] = 1 implied, its tail stored in x) with (I − β v vᵀ) x = α e₁; x[0] ← α.
double reflector(int n, double* x) {
  double tail = 0.0;
  for (int i = 1; i < n; ++i) tail += x[i] * x[i];
  if (tail == 0.0) return 0.0;
  const double norm = std::sqrt(x[0] * x[0] + tail), alpha = x[0] > 0.0 ? -norm : norm, head = x[0] - alpha;
  divide(n - 1, head, x + 1);
  x[0] = alpha;
  return -head / alpha;
}

void reflect(int n, const double* v, double beta, double* x) {
  if (beta == 0.0) return;
  double sum = x[0];
  for (int i = 1; i < n; ++i) sum += v[i] * x[i];
  sum *= beta;
  x[0] -= sum;
  for (int i = 1; i < n; ++i) x[i] -= sum * v[i];
}

}  // namespace

int MinimumNorm::factor(int n, const double* A, double threshold) {
  constexpr double tie = 1.0 + 1e-12;  // the first of several columns that are as long is taken
  n_ = n;
  for (Mat* x : {&rows_, &Q_, &R_}) x->resize(n, n);
  beta_.resize(n), right_beta_.resize(n), work_.resize(n);
  column_.resize(n);
  for (int j = 0; j < n; ++j) column_[j] = j;
  dense::transpose(A, n, rows_.data());

  double longest = 0.0;
  if (n > 0) sums_of_squares(n, n, rows_.data(), n, work_.data());
  for (rank_ = 0; rank_ < n; ++rank_) {
    const int k = rank_, columns = n - k;
    int best = 0;  // of the columns from k on, whose squares are in work_
    double limit = work_[0] * tie;
    for (int j = 1; j < columns; ++j)
      if (work_[j] > limit) best = j, limit = work_[j] * tie;
    const double best_norm = work_[best];
    if (k == 0) longest = best_norm;
    if (!(best_norm > threshold * threshold * longest) || best_norm == 0.0) break;
    exchange(k, k + best);
    double* v = &Q_(k, k);
    for (int i = k; i < n; ++i) v[i - k] = rows_(k, i);
    beta_[k] = reflector(columns, v);
    if (columns == 1) continue;
    if (beta_[k] != 0.0)
      reflect_columns(columns, columns - 1, beta_[k], v, &rows_(k + 1, k), n, work_.data());
    else
      sums_of_squares(columns - 1, columns - 1, &rows_(k + 1, k + 1), n, work_.data());
  }
  longest_ = std::sqrt(longest);
  dense::transpose(rows_.data(), n, R_.data());
  for (int k = 0; k < rank_; ++k) R_(k, k) = Q_(k, k);
  if (rank_ < n) reflect_from_the_right();
  return rank_;
}

void MinimumNorm::exchange(int a, int b) {
  if (a == b) return;
  for (int i = 0; i < n_; ++i) std::swap(rows_(a, i), rows_(b, i));
  std::swap(column_[a], column_[b]);
}

// [R S] → [T 0], last row first. Row k is (T_kk, S_k,:); its reflector is kept as a column of V. The rows above it are
// reflected side by side, with their entries of column k in front of those of S.
void MinimumNorm::reflect_from_the_right() {
  const int n = n_, r = rank_, d = n - r;
  V_.resize(d + 1, n), S_.resize(r, d + 1);
  for (int j = 0; j < d; ++j) std::copy_n(R_.column(r + j), r, S_.column(j + 1));
  for (int k = r - 1; k >= 0; --k) {
    double* v = V_.column(k);
    v[0] = R_(k, k);
    for (int j = 0; j < d; ++j) v[j + 1] = S_(k, j + 1);
    right_beta_[k] = reflector(d + 1, v);
    R_(k, k) = v[0];
    if (right_beta_[k] == 0.0) continue;
    std::copy_n(R_.column(k), k, S_.column(0));
    reflect_columns(d + 1, k, right_beta_[k], v, S_.data(), r);
    std::copy_n(S_.column(0), k, R_.column(k));
  }
}

void MinimumNorm::solve(double* x) {
  const int n = n_, r = rank_;
  for (int k = 0; k < r; ++k) reflect(n - k, &Q_(k, k), beta_[k], x + k);
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
