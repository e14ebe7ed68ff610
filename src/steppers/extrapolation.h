// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "math/vec.h"

namespace tappet {

// A first iterate for u₁ from the smooth steps of equal length before this one, by Newton's backward differences:
//   u₁ ≈ u₀ + Δu₀ + ∇Δu₀ + ∇²Δu₀ + …
// with as many terms as there are steps, and none that is larger than half the one before it, where the series does not
// converge (fast oscillations, noise). An implicit scheme saves one or two Newton iterations by it.
class Extrapolation {
 public:
  void guess(const Vec& u_0, double dt, Vec& u_1) const {
    const int n = u_0.size(), terms = dt == dt_ && steps_ > 0 ? useful_ : 0;
    for (int i = 0; i < n; ++i) u_1[i] = u_0[i];
    for (int k = 0; k < terms; ++k)
      for (int i = 0; i < n; ++i) u_1[i] += differences_[k][i];
  }
  void accept(const Vec& u_0, const Vec& u_1, double dt) {
    if (dt != dt_) steps_ = 0;
    dt_ = dt, steps_ = std::min(steps_ + 1, most_terms);
    const int n = u_0.size();
    next_.resize(n);
    for (int i = 0; i < n; ++i) next_[i] = u_1[i] - u_0[i];
    double before = INFINITY;
    useful_ = 0;
    for (int k = 0; k < steps_; ++k) {
      Vec& difference = differences_[k];  // becomes the one of this step; what it was, the difference to it, goes on
      difference.resize(n);
      double size = 0.0;
      for (int i = 0; i < n; ++i) {
        const double now = next_[i];
        size = std::max(size, std::abs(now));
        next_[i] = now - difference[i];
        difference[i] = now;
      }
      if (useful_ == k && size <= 0.5 * before) ++useful_;
      before = size;
    }
  }
  void forget() { steps_ = 0; }

 private:
  static constexpr int most_terms = 4;
  std::array<Vec, most_terms> differences_;  // ∇ᵏΔu of the last step
  Vec next_;
  double dt_ = 0.0;
  int steps_ = 0, useful_ = 0;
};

}  // namespace tappet
