// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/archive.h>

#include <algorithm>
#include <cmath>

#include "math/vec.h"

namespace tappet {

// A first iterate for u₁ from the previous smooth steps of equal length, by Newton's backward differences:
//   u₁ ≈ u₀ + Δu₀ + ∇Δu₀ + ∇²Δu₀ + …
// It has as many terms as there are steps. A term larger than half the previous one is left out, because the series
// then does not converge (fast oscillations, noise). This saves one or two Newton iterations of an implicit scheme.
class Extrapolation {
 public:
  void guess(const Vec& u_0, double dt, Vec& u_1) const {
    const int n = u_0.size(), terms = dt == dt_ && steps_ > 0 ? useful_ : 0;
    for (int i = 0; i < n; ++i) {
      const double* difference = differences_.data() + i * most_terms;
      double sum = u_0[i];
      for (int k = 0; k < terms; ++k) sum += difference[k];
      u_1[i] = sum;
    }
  }
  void accept(const Vec& u_0, const Vec& u_1, double dt) {
    if (dt != dt_) steps_ = 0;
    dt_ = dt, steps_ = std::min(steps_ + 1, most_terms);
    const int n = u_0.size();
    differences_.resize(n * most_terms);
    double size[most_terms] = {};
    for (int i = 0; i < n; ++i) {
      double* difference = differences_.data() + i * most_terms;
      double next = u_1[i] - u_0[i];
      for (int k = 0; k < steps_; ++k) {
        const double now = next;
        next -= difference[k];
        difference[k] = now;
        size[k] = std::max(size[k], std::abs(now));
      }
    }
    useful_ = 1;
    while (useful_ < steps_ && size[useful_] <= 0.5 * size[useful_ - 1]) ++useful_;
  }
  void forget() { steps_ = 0; }
  // The numbers are numbered anew: each comes from the place `before(i)`, or starts with zero if that is negative.
  template <class Before>
  void renumber(int size, Before&& before) {
    if (steps_ == 0) return;
    moved_.assign(size * most_terms, 0.0);
    for (int i = 0; i < size; ++i)
      if (const int from = before(i); from >= 0)
        std::copy_n(differences_.data() + from * most_terms, most_terms, moved_.data() + i * most_terms);
    std::swap(differences_, moved_);
  }
  void archive(Archive& a) { a(differences_, dt_, steps_, useful_); }

 private:
  static constexpr int most_terms = 4;
  Vec differences_;  // Δu, ∇Δu, ∇²Δu, … of the last step, one velocity after the other
  Vec moved_;        // workspace
  double dt_ = 0.0;
  int steps_ = 0, useful_ = 0;
};

}  // namespace tappet
