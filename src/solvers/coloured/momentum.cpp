// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/coloured/momentum.h"

#include <tappet/vec.h>

#include <algorithm>
#include <cmath>

#include "math/wide/wide.h"

namespace tappet {

namespace {

constexpr int grain = 16384;  // the number of entries that one thread takes at a time
constexpr double growth_at_once = 1.1, growth_in_all = 1.5, kept = 0.7;

// x ← x + β (x − x₀), x₀ ← x
template <class Real>
inline __attribute__((always_inline)) void move_on(Real beta, Real* x, Real* before, int n) {
  for (int i = 0; i < n; ++i) {
    const Real now = x[i];
    x[i] = now + beta * (now - before[i]), before[i] = now;
  }
}
TAPPET_WIDE void extrapolate(float beta, float* __restrict x, float* __restrict before, int n) {
  move_on(beta, x, before, n);
}
TAPPET_WIDE void extrapolate(double beta, double* __restrict x, double* __restrict before, int n) {
  move_on(beta, x, before, n);
}

template <class Real>
void keep(const Execution& execution, std::span<const Real> x, std::vector<Real>& before) {
  make_room_anew(before, x.size());
  before.resize(x.size());
  parallel_for(execution, static_cast<int>(x.size()), grain,
               [&](int first, int last) { std::copy(x.begin() + first, x.begin() + last, before.begin() + first); });
}

}  // namespace

template <class Real>
double Momentum<Real>::next_factor(double size) {
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

template <class Real>
void Momentum<Real>::apply(const Execution& execution, double size, std::span<Real> x, std::span<Real> v) {
  if (last_ < 0.0) {
    last_ = least_ = size;
    keep<Real>(execution, x, x_before_), keep<Real>(execution, v, v_before_);
    return;
  }
  const Real beta = static_cast<Real>(next_factor(size));
  const auto move = [&](std::span<Real> y, std::vector<Real>& before) {
    parallel_for(execution, static_cast<int>(y.size()), grain,
                 [&](int from, int to) { extrapolate(beta, y.data() + from, before.data() + from, to - from); });
  };
  move(x, x_before_), move(v, v_before_);
}

template class Momentum<float>;
template class Momentum<double>;

}  // namespace tappet
