// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "math/vec.h"

namespace tappet {

// Anderson's extrapolation of a fixed point iteration x ← g(x) from its last two steps, with f(x) = g(x) − x in units
// that make its entries comparable: x_new = g − Σ γ_j Δg_j, γ minimising ‖f − Σ γ_j Δf_j‖. Vectors that follow x
// linearly, as velocities follow impulses, are carried along. Where a step does not shrink f, the memory is dropped.
// Sums are taken in fixed pieces: the result has the same bits on any number of threads.
class Anderson {
 public:
  void start() { differences_ = 0, size_before_ = -1.0; }
  // f of the last step and its norm; x and v: after the step on entry, extrapolated on return.
  void apply(const Vec& f, double size, Vec& x, Vec& v);

 private:
  static constexpr int depth = 2;
  double dot(const Vec& a, const Vec& b);
  void remember(const Vec& f, const Vec& x, const Vec& v);  // as the newest difference, slot 0

  int differences_ = 0;
  double size_before_ = -1.0;  // < 0: no step yet
  Vec f_before_, x_before_, v_before_;
  std::array<Vec, depth> df_, dx_, dv_;  // newest first
  double old_square_ = 0.0;              // df_[1]·df_[1]
  Vec sums_;
};

}  // namespace tappet
