// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "math/lemke.h"

#include <algorithm>
#include <cmath>

namespace tappet {

namespace {

constexpr double first_zero = 1e-11, later_zero = 1e-9;  // of an entry of the scaled tableau
constexpr double retried = 1e-10;  // larger residuals come from round-off, and another way is tried
constexpr int attempts = 6;

double violation(const Vec& z, const Vec& w, const Vec& scale, double q_scale) {
  double largest = 0.0;
  for (int i = 0; i < z.size(); ++i)
    largest = std::max(largest, std::abs(std::min(z[i] / (scale[i] * q_scale), w[i] * scale[i] / q_scale)));
  return largest;
}

}  // namespace

Lemke::Report Lemke::solve(const Mat& M, const Vec& q, Vec& z, Vec& w, int max_pivots) {
  n_ = q.size();
  z.assign(n_, 0.0);
  w = q;
  Report report;
  if (std::all_of(q.begin(), q.end(), [](double x) { return x >= 0.0; })) return report;
  if (max_pivots == 0) max_pivots = 50 * (n_ + 1);
  report = pivot_to_the_end(M, q, z, w, max_pivots, 0);
  for (int attempt = 1; attempt < attempts && report.end == End::solution && !(report.residual < retried); ++attempt) {
    best_z_ = z, best_w_ = w;
    Report other = pivot_to_the_end(M, q, z, w, max_pivots, attempt);
    other.pivots += report.pivots;
    if (other.end == End::solution && other.residual < report.residual) {
      report = other;
    } else {
      report.pivots = other.pivots;
      z = best_z_, w = best_w_;
    }
  }
  return report;
}

Lemke::Report Lemke::pivot_to_the_end(const Mat& M, const Vec& q, Vec& z, Vec& w, int max_pivots, int attempt) {
  Report report;
  zero_ = attempt == 0 ? first_zero : later_zero;
  cover(attempt);
  scale(M, q);
  z.set_zero();
  const int z0 = 2 * n_;
  basis_.resize(n_);
  for (int i = 0; i < n_; ++i) basis_[i] = i;
  int row = 0;  // z0 enters where the right-hand side is most negative; ties are broken lexicographically
  for (int i = 1; i < n_; ++i)
    if (lexicographically_less(i, row, cover_[i], cover_[row])) row = i;
  int entering = z0;
  for (;;) {
    const int leaving = basis_[row];
    pivot(row, entering);
    basis_[row] = entering;
    ++report.pivots;
    if (leaving == z0) break;
    if (report.pivots >= max_pivots) {
      report.end = End::pivot_limit;
      break;
    }
    entering = leaving < n_ ? leaving + n_ : leaving - n_;
    row = leaving_row(entering);
    if (row < 0) {
      report.end = End::ray;
      break;
    }
  }
  for (int i = 0; i < n_; ++i)
    if (const int b = basis_[i]; b >= n_ && b < z0)
      z[b - n_] = std::max(0.0, tableau_(i, z0 + 1)) * scale_[b - n_] * q_scale_;
  refine(M, q, z, w);
  report.residual = violation(z, w, scale_, q_scale_);
  return report;
}

// The column of z0. It consists of ones, and after two attempts of different numbers between 1 and 2 (multiples of the
// golden ratio, modulo 1).
void Lemke::cover(int attempt) {
  cover_.assign(n_, 1.0);
  double x = 0.5 * attempt;
  for (int i = 0; i < n_ && attempt > 1; ++i) {
    x += 0.6180339887498949;
    cover_[i] += x -= std::floor(x);
  }
}

void Lemke::scale(const Mat& M, const Vec& q) {
  scale_.assign(n_, 1.0);
  double typical = 0.0;
  for (int i = 0; i < n_; ++i) typical = std::max(typical, std::abs(M(i, i)));
  for (int i = 0; i < n_; ++i) {
    const double d = std::abs(M(i, i));
    scale_[i] = d > 1e-12 * typical ? 1.0 / std::sqrt(d) : typical > 0.0 ? 1.0 / std::sqrt(typical) : 1.0;
  }
  q_scale_ = 0.0;
  for (int i = 0; i < n_; ++i) q_scale_ = std::max(q_scale_, std::abs(q[i]) * scale_[i]);
  tableau_.resize(n_, 2 * n_ + 2);
  tableau_.set_zero();
  for (int i = 0; i < n_; ++i) {
    tableau_(i, i) = 1.0;
    for (int j = 0; j < n_; ++j) tableau_(i, n_ + j) = -M(i, j) * scale_[i] * scale_[j];
    tableau_(i, 2 * n_) = -cover_[i];
    tableau_(i, 2 * n_ + 1) = q[i] * scale_[i] / q_scale_;
  }
}

bool Lemke::lexicographically_less(int a, int b, double factor_a, double factor_b) const {
  const auto compare = [&](int column) { return tableau_(a, column) / factor_a - tableau_(b, column) / factor_b; };
  if (const double d = compare(2 * n_ + 1); std::abs(d) > zero_) return d < 0.0;
  for (int j = 0; j < n_; ++j)
    if (const double d = compare(j); std::abs(d) > zero_) return d < 0.0;
  return false;
}

int Lemke::leaving_row(int column) const {
  int best = -1;
  for (int i = 0; i < n_; ++i) {
    const double x = tableau_(i, column);
    if (x <= zero_) continue;
    if (best < 0) {
      best = i;
      continue;
    }
    const double y = tableau_(best, column);
    const double d = tableau_(i, 2 * n_ + 1) / x - tableau_(best, 2 * n_ + 1) / y;
    if (basis_[i] == 2 * n_ && d <= zero_)
      best = i;  // z0 may leave: done
    else if (basis_[best] == 2 * n_ && d >= -zero_)
      continue;
    else if (lexicographically_less(i, best, x, y))
      best = i;
  }
  return best;
}

void Lemke::pivot(int row, int column) {
  const double inverse = 1.0 / tableau_(row, column);
  basic_z_.resize(n_);
  for (int i = 0; i < n_; ++i) basic_z_[i] = tableau_(i, column);
  for (int j = 0; j < 2 * n_ + 2; ++j) {
    double* t = tableau_.column(j);
    if (t[row] == 0.0) continue;
    const double factor = t[row] * inverse;
    for (int i = 0; i < n_; ++i) t[i] -= basic_z_[i] * factor;
    t[row] = factor;
  }
}

// Solves M_BB z_B = −q_B for the basic z again, and keeps the result if it is better.
void Lemke::refine(const Mat& M, const Vec& q, Vec& z, Vec& w) {
  const auto respond = [&] {
    for (int i = 0; i < n_; ++i) {
      w[i] = q[i];
      for (int j = 0; j < n_; ++j) w[i] += M(i, j) * z[j];
    }
  };
  respond();
  before_z_ = z, before_w_ = w;
  support_.clear();
  for (int i = 0; i < n_; ++i)
    if (basis_[i] >= n_ && basis_[i] < 2 * n_) support_.push_back(basis_[i] - n_);
  std::sort(support_.begin(), support_.end());
  const int m = static_cast<int>(support_.size());
  basic_matrix_.resize(m, m);
  basic_z_.resize(m);
  for (int a = 0; a < m; ++a) {
    basic_z_[a] = -q[support_[a]] * scale_[support_[a]];
    for (int b = 0; b < m; ++b)
      basic_matrix_(a, b) = M(support_[a], support_[b]) * scale_[support_[a]] * scale_[support_[b]];
  }
  minimum_norm_.factor(m, basic_matrix_.data());
  minimum_norm_.solve(basic_z_.data());
  z.set_zero();
  for (int a = 0; a < m; ++a) z[support_[a]] = std::max(0.0, basic_z_[a]) * scale_[support_[a]];
  respond();
  if (!(violation(z, w, scale_, q_scale_) <= violation(before_z_, before_w_, scale_, q_scale_)))
    z = before_z_, w = before_w_;
}

}  // namespace tappet
