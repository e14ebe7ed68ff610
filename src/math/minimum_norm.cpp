// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "math/minimum_norm.h"

#include <cmath>
#include <utility>

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
  R_.resize(n, n);
  std::copy(A, A + static_cast<size_t>(n) * n, R_.data());
  beta_.resize(n), right_beta_.resize(n), work_.resize(n);
  column_.resize(n);
  for (int j = 0; j < n; ++j) column_[j] = j;

  double longest = 0.0;
  for (rank_ = 0; rank_ < n; ++rank_) {
    const int k = rank_;
    int best = k;
    double best_norm = -1.0;
    for (int j = k; j < n; ++j) {
      double sum = 0.0;
      for (int i = k; i < n; ++i) sum += R_(i, j) * R_(i, j);
      if (sum > best_norm * (1.0 + 1e-12)) best_norm = sum, best = j;  // ties: the first column
    }
    if (k == 0) longest = best_norm;
    if (best_norm <= threshold * threshold * longest || best_norm == 0.0) break;
    if (best != k) {
      for (int i = 0; i < n; ++i) std::swap(R_(i, k), R_(i, best));
      std::swap(column_[k], column_[best]);
    }
    beta_[k] = reflector(n - k, &R_(k, k));
    for (int j = k + 1; j < n; ++j) reflect(n - k, &R_(k, k), beta_[k], &R_(k, j));
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
