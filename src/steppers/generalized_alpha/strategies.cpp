// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "steppers/generalized_alpha/generalized_alpha.h"

// The order in which the ways to solve a step are tried.
namespace tappet {

bool GeneralizedAlpha::solve(StepReport& report) {
  law_.allow_continued = true;
  std::fill(law_.held.begin(), law_.held.end(), 0);
  x_ = guess_;
  const Strategy first = options_.strategy == "levels"        ? levels
                         : options_.strategy == "fixed-point" ? fixed_point
                                                              : newton;
  if (first == newton) {
    if (iterate(newton, options_.newton_iterations, report)) return !paradox(0.0) || leave(report);
    // friction forces the contact to stay closed: halve first
    if (paradox(0.25) && start_.weight.dt > smallest_dt_) return false;
  }
  law_.allow_continued = false;
  if (levels_.solver()) {
    x_ = guess_;
    if (iterate(first == fixed_point ? fixed_point : levels, options_.level_iterations, report)) return true;
  }
  for (int k : balance_.involved) law_.held[k] = !state_of_[k].B;
  x_ = guess_;
  if (iterate(held, options_.newton_iterations, report)) return true;
  std::fill(law_.held.begin(), law_.held.end(), 0);
  x_ = guess_;
  x_.lambda.set_zero();
  return iterate(opened, options_.newton_iterations, report);
}

// Painlevé's paradox: whether the friction of some sliding contact presses it on, w_Nᵀ M⁻¹ (w_N − μ W_F d) ≤ share · G.
// With share 0 a closed and an open contact may both be solutions.
bool GeneralizedAlpha::paradox(double share) const {
  if (response_.size() == 0) return false;
  for (const auto& [c, k, contact, i] : contacts_.numbered(balance_.involved))
    if (law_.sets()[c].B && contact.rows > 1 && !law_.sets()[c].D_stick &&
        law_.pressing(balance_, response_, c, i) <= share)
      return true;
  return false;
}

// If there are two solutions, the open one is taken. A contact that only its friction keeps closed ends here.
bool GeneralizedAlpha::leave(StepReport& report) {
  closed_ = x_;
  for (size_t c = 0; c < balance_.involved.size(); ++c)
    if (law_.sets()[c].B && !law_.sets()[c].D_stick)
      events_.push_back({balance_.t, Event::Kind::branch, balance_.involved[c]});
  x_ = guess_;
  x_.lambda.set_zero();
  if (iterate(opened, options_.newton_iterations, report)) return true;
  x_ = closed_;
  return evaluate();
}

}  // namespace tappet
