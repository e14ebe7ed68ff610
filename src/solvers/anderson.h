// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "math/vec.h"

namespace tappet {

// Anderson's extrapolation of a fixed point iteration x ← g(x) from its last two values, with f(x) = g(x) − x in units
// that make its entries comparable: x_new = g − γ Δg, γ minimising ‖f − γ Δf‖. (More values do not save sweeps of piles:
// contacts that open, close, stick or slip spoil the older ones.) Vectors that follow x linearly, as velocities follow
// impulses, are carried along. Where a step does not shrink f, the memory is dropped. Sums are taken in fixed pieces:
// the result has the same bits on any number of threads.
class Anderson {
 public:
  void start() { size_before_ = -1.0; }
  // f of the last step and its norm; x and v: after the step on entry, extrapolated on return. f is used up.
  void apply(Vec& f, double size, Vec& x, std::span<double> v);

 private:
  double best_factor(const Vec& f);  // γ

  double size_before_ = -1.0;  // < 0: no step yet
  Vec f_before_, x_before_, v_before_;
  Vec sums_;
};

}  // namespace tappet
