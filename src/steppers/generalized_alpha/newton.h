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

  // kept: at another point of the step with the response of the last linearisation. The factors of the last call then
  // serve again, if the index sets are the same, so that only the right-hand side is new.
  void direction(const Trial& trial, bool kept, Vec& dz);

 private:
  // S δz = right, rows and columns scaled to one size. Without `by_rows` only the right-hand side.
  void assemble(const Trial& trial, Mat* by_rows, Vec& right);
  void factor(const Trial& trial);

  Mat rows_;  // those of S, one after the other
  Mat H_by_rows_;
  Mat S_;  // its factors, if it is regular
  Vec scale_;
  std::vector<int> pivots_;
  std::vector<StepLaw::Sets> kept_sets_;
  bool regular_ = false;
  MinimumNorm minimum_norm_;
};

}  // namespace tappet::alpha
