// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/coloured/momentum.h"

#include <algorithm>
#include <cmath>

#include "math/wide/wide.h"

namespace tappet {

namespace {

constexpr int grain = 16384;  // the number of entries that one thread takes at a time
constexpr double growth_at_once = 1.1, growth_in_all = 1.5, kept = 0.7;

// x ← x + β (x − x₀), x₀ ← x
TAPPET_WIDE void extrapolate(double beta, double* x, double* before, int n) {
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    Four& to = *reinterpret_cast<Four*>(x + i);
    Four& from = *reinterpret_cast<Four*>(before + i);
    const Four now = to;
    to = now + beta * (now - from), from = now;
  }
  for (; i < n; ++i) {
    const double now = x[i];
    x[i] = now + beta * (now - before[i]), before[i] = now;
  }
}

void keep(const Execution& execution, std::span<const double> x, Vec& before) {
  before.resize(static_cast<int>(x.size()));
  parallel_for(execution, static_cast<int>(x.size()), grain,
               [&](int first, int last) { std::copy(x.begin() + first, x.begin() + last, before.begin() + first); });
}

}  // namespace

double Momentum::next_factor(double size) {
  least_ = std::min(least_, size);
  const bool grows = size > growth_at_once * last_ || size > growth_in_all * least_;
  last_ = size;
  if (grows) {
    steps_ = std::max(1.0, kept * steps_), least_ = size;
    return 0.0;
  }
  const double next = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * steps_ * steps_)), beta = (steps_ - 1.0) / next;
  steps_ = next;
  return beta;
}

void Momentum::apply(const Execution& execution, double size, std::span<double> x, std::span<double> v) {
  if (last_ < 0.0) {
    last_ = least_ = size;
    keep(execution, x, x_before_), keep(execution, v, v_before_);
    return;
  }
  const double beta = next_factor(size);
  const auto move = [&](std::span<double> y, Vec& before) {
    parallel_for(execution, static_cast<int>(y.size()), grain,
                 [&](int from, int to) { extrapolate(beta, y.data() + from, before.data() + from, to - from); });
  };
  move(x, x_before_), move(v, v_before_);
}

}  // namespace tappet
