// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/anderson.h"

#include <algorithm>
#include <utility>

#include "math/parallel.h"
#include "solvers/wide.h"

namespace tappet {

namespace {

constexpr int piece = 4096;  // numbers summed as one
constexpr int grain = 4;     // pieces that one thread takes at a time

// {Σ (f − f₀)², Σ (f − f₀) f}
TAPPET_WIDE std::pair<double, double> sums(const double* f, const double* before, int n) {
  Four square = {}, product = {};
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    const Four now = *reinterpret_cast<const Four*>(f + i), d = now - *reinterpret_cast<const Four*>(before + i);
    square += d * d, product += d * now;
  }
  double a = (square[0] + square[1]) + (square[2] + square[3]);
  double p = (product[0] + product[1]) + (product[2] + product[3]);
  for (; i < n; ++i) a += (f[i] - before[i]) * (f[i] - before[i]), p += (f[i] - before[i]) * f[i];
  return {a, p};
}

// x ← x − γ (x − x₀), x₀ ← x
TAPPET_WIDE void extrapolate(double gamma, double* x, double* before, int n) {
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    Four& to = *reinterpret_cast<Four*>(x + i);
    Four& from = *reinterpret_cast<Four*>(before + i);
    const Four now = to;
    to = now - gamma * (now - from), from = now;
  }
  for (; i < n; ++i) {
    const double now = x[i];
    x[i] = now - gamma * (now - before[i]), before[i] = now;
  }
}

}  // namespace

double Anderson::best_factor(const Vec& f) {
  const int n = f.size(), pieces = (n + piece - 1) / piece;
  sums_.resize(2 * pieces);
  parallel_for(pieces, grain, [&](int first, int last) {
    for (int p = first; p < last; ++p) {
      const int from = p * piece;
      const auto [square, product] = sums(f.data() + from, f_before_.data() + from, std::min(piece, n - from));
      sums_[2 * p] = square, sums_[2 * p + 1] = product;
    }
  });
  double square = 0.0, product = 0.0;
  for (int p = 0; p < pieces; ++p) square += sums_[2 * p], product += sums_[2 * p + 1];
  return square > 0.0 ? product / square : 0.0;
}

void Anderson::apply(Vec& f, double size, Vec& x, std::span<double> v) {
  const int n = x.size(), m = static_cast<int>(v.size());
  const bool first = size_before_ < 0.0, shrunk = size <= size_before_;
  size_before_ = size;
  if (first) {
    f_before_.resize(n);
    x_before_ = x, v_before_.resize(m);
    std::copy(v.begin(), v.end(), v_before_.begin());
  }
  const double gamma = !first && shrunk ? best_factor(f) : 0.0;
  parallel_for(n + m, grain * piece, [&](int from, int to) {
    if (from < n) extrapolate(gamma, x.data() + from, x_before_.data() + from, std::min(n, to) - from);
    if (to > n) {
      const int start = std::max(from - n, 0);
      extrapolate(gamma, v.data() + start, v_before_.data() + start, to - n - start);
    }
  });
  std::swap(f, f_before_);
}

}  // namespace tappet
