// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "math/execution.h"
#include "math/vec.h"

namespace tappet {

// Nesterov's extrapolation of a fixed point iteration x ← g(x): x_new = g + β (g − g_before), β growing from 0
// towards 1. Contacts that open, close, stick or slip make the changes of a sweep grow for a while; only where they
// grow by a tenth at once, or by half since they were least, the momentum is taken back: one plain step, and β grows
// anew from a smaller value. Vectors that follow x linearly, as velocities follow impulses, are carried along.
class Momentum {
 public:
  void start() { steps_ = 1.0, last_ = -1.0; }
  // size: how much the last step changed; x and v: after the step on entry, extrapolated on return.
  void apply(const Execution& execution, double size, std::span<double> x, std::span<double> v);

 private:
  double next_factor(double size);  // β

  double steps_ = 1.0;                // Nesterov's t_k
  double last_ = -1.0, least_ = 0.0;  // sizes; < 0: no step yet
  Vec x_before_, v_before_;
};

}  // namespace tappet
