// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "math/minimum_norm.h"
#include "steppers/generalized_alpha/step_law.h"

namespace tappet::alpha {

// A step of the semismooth Newton method (143): the laws R_c linearised with their index sets held, with (g, γ, γ̇)
// eliminated by the response. If directions depend on each other it is the shortest step.
class Newton {
 public:
  explicit Newton(int rows);  // the most rows of a system

  void direction(const Trial& trial, Vec& dz);

 private:
  void assemble(const Trial& trial, Vec& right);  // S δz = right, rows and columns scaled to one size

  Mat S_, LU_;
  std::vector<int> pivots_;
  MinimumNorm minimum_norm_;
};

}  // namespace tappet::alpha
