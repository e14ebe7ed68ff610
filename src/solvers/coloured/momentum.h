// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/execution.h>

#include <span>
#include <vector>

namespace tappet {

// Nesterov's extrapolation of a fixed-point iteration x ← g(x): x_new = g + β (g − g_before), where β grows from 0
// towards 1. Contacts that open, close, stick or slip make the changes of a sweep grow for a while. Only if they grow
// by a tenth at once, or by half since they were smallest, the momentum is dropped: the next step is a plain one, and β
// grows again from a smaller value. Vectors that depend linearly on x, as velocities on impulses, are extrapolated too.
template <class Real>
class Momentum {
 public:
  void start() { steps_ = 1.0, last_ = -1.0; }
  // `size` is the size of the last change. On entry x and v are those after the step, and on return they are
  // extrapolated.
  void apply(const Execution& execution, double size, std::span<Real> x, std::span<Real> v);

 private:
  double next_factor(double size);  // β

  double steps_ = 1.0;                // Nesterov's t_k
  double last_ = -1.0, least_ = 0.0;  // sizes; negative if there was no step yet
  std::vector<Real> x_before_, v_before_;
};

}  // namespace tappet
