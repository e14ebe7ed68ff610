// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "math/vec.h"

namespace tappet {

// A first iterate for u₁ from the last three smooth steps of equal length, u₁ ≈ u₀ + 2 Δu₀ − Δu₋₁; u₀ until there are
// so many. An implicit scheme saves one or two Newton iterations by it.
class Extrapolation {
 public:
  void guess(const Vec& u_0, double dt, Vec& u_1) const {
    const bool known = steps_ >= 2 && dt == dt_;
    for (int i = 0; i < u_0.size(); ++i) u_1[i] = known ? u_0[i] + 2 * last_[i] - before_[i] : u_0[i];
  }
  void accept(const Vec& u_0, const Vec& u_1, double dt) {
    if (dt != dt_) steps_ = 0;
    dt_ = dt, ++steps_;
    std::swap(last_, before_);
    last_.resize(u_0.size());
    for (int i = 0; i < u_0.size(); ++i) last_[i] = u_1[i] - u_0[i];
  }
  void forget() { steps_ = 0; }

 private:
  Vec last_, before_;  // Δu of the last step and the one before
  double dt_ = 0.0;
  long steps_ = 0;
};

}  // namespace tappet
