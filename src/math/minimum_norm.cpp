// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "math/minimum_norm.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/wide/reflections.h"

namespace tappet {

namespace {

// Turns x into the reflector v (v[0] = 1 implied, its tail stored in x) with (I − β v vᵀ) x = α e₁; x[0] ← α.
double reflector(int n, double* x) {
  double tail = 0.0;
  for (int i = 1; i < n; ++i) tail += x[i] * x[i];
  if (tail == 0.0) return 0.0;
  const double norm = std::sqrt(x[0] * x[0] + tail), alpha = x[0] > 0.0 ? -norm : norm, head = x[0] - alpha;
  for (int i = 1; i < n; ++i) x[i] /= head;
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
  n_ = n;
  rows_.resize(n, n), R_.resize(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) rows_(j, i) = A[static_cast<size_t>(j) * n + i];
  beta_.resize(n), right_beta_.resize(n), work_.resize(n);
  column_.resize(n);
  for (int j = 0; j < n; ++j) column_[j] = j;

  double longest = 0.0;
  for (rank_ = 0; rank_ < n; ++rank_) {
    const int k = rank_, columns = n - k;
    sums_of_squares(columns, columns, &rows_(k, k), n, work_.data());
    int best = k;
    for (int j = k + 1; j < n; ++j)
      if (work_[j - k] > work_[best - k] * (1.0 + 1e-12)) best = j;  // ties: the first column
    const double best_norm = work_[best - k];
    if (k == 0) longest = best_norm;
    if (!(best_norm > threshold * threshold * longest) || best_norm == 0.0) break;
    exchange(k, best);
    double* v = &R_(k, k);
    for (int i = k; i < n; ++i) v[i - k] = rows_(k, i);
    beta_[k] = reflector(columns, v);
    if (beta_[k] != 0.0 && columns > 1)
      reflect_columns(columns, columns - 1, beta_[k], v, &rows_(k + 1, k), n, work_.data());
  }
  longest_ = std::sqrt(longest);
  for (int j = 1; j < n; ++j)
    for (int i = 0; i < std::min(j, rank_); ++i) R_(i, j) = rows_(j, i);
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
    reflect_columns(d + 1, k, right_beta_[k], v, S_.data(), r, work_.data());
    std::copy_n(S_.column(0), k, R_.column(k));
  }
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
