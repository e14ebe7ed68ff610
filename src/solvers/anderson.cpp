// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/anderson.h"

#include <algorithm>

#include "math/parallel.h"

namespace tappet {

namespace {
constexpr int piece = 4096;  // numbers summed as one
constexpr int grain = 4;     // pieces, or as many numbers, that one thread takes at a time
}  // namespace

double Anderson::dot(const Vec& a, const Vec& b) {
  const int n = a.size(), pieces = (n + piece - 1) / piece;
  sums_.resize(pieces);
  parallel_for(pieces, grain, [&](int first, int last) {
    for (int p = first; p < last; ++p) {
      double sum = 0.0;
      for (int i = p * piece; i < std::min(n, (p + 1) * piece); ++i) sum += a[i] * b[i];
      sums_[p] = sum;
    }
  });
  double sum = 0.0;
  for (double s : sums_) sum += s;
  return sum;
}

void Anderson::remember(const Vec& f, const Vec& x, const Vec& v) {
  std::swap(df_[0], df_[1]), std::swap(dx_[0], dx_[1]), std::swap(dv_[0], dv_[1]);
  const auto difference = [](const Vec& now, const Vec& before, Vec& d) {
    d.resize(now.size());
    parallel_for(now.size(), grain * piece, [&](int first, int last) {
      for (int i = first; i < last; ++i) d[i] = now[i] - before[i];
    });
  };
  difference(f, f_before_, df_[0]), difference(x, x_before_, dx_[0]), difference(v, v_before_, dv_[0]);
  differences_ = std::min(differences_ + 1, depth);
}

void Anderson::apply(const Vec& f, double size, Vec& x, Vec& v) {
  if (size_before_ >= 0.0 && size <= size_before_)
    remember(f, x, v);
  else
    differences_ = 0;
  size_before_ = size;
  f_before_ = f, x_before_ = x, v_before_ = v;
  if (differences_ == 0) return;
  // The normal equations, 1 × 1 or 2 × 2, kept regular where two differences are parallel.
  const double a = dot(df_[0], df_[0]), p = dot(df_[0], f);
  double gamma_0 = a > 0.0 ? p / a : 0.0, gamma_1 = 0.0;
  if (differences_ == 2) {
    const double b = dot(df_[0], df_[1]), c = old_square_, q = dot(df_[1], f);
    const double largest = std::max(a, c), small = 1e-10 * largest;
    const double det = (a + small) * (c + small) - b * b;
    if (det > 0.0) gamma_0 = ((c + small) * p - b * q) / det, gamma_1 = ((a + small) * q - b * p) / det;
  }
  old_square_ = a;
  const bool both = differences_ == 2;
  const auto correct = [&](const std::array<Vec, depth>& d, Vec& y) {
    parallel_for(y.size(), grain * piece, [&](int first, int last) {
      for (int i = first; i < last; ++i) y[i] -= gamma_0 * d[0][i] + (both ? gamma_1 * d[1][i] : 0.0);
    });
  };
  correct(dx_, x), correct(dv_, v);
}

}  // namespace tappet
