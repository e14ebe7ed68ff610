// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/archive.h>

#include <string>

#include "system/evaluator.h"

namespace tappet {

// Watches an explicit scheme for the instability of stiff forces, dt above 2/ω_max. The sign is growth of Σu² by a
// factor of 1e8, twice within a thousand steps. No motion whose stiff parts are resolved shows this. Only then are
// ω_max and the largest damping rate estimated, by power iteration on M⁻¹K and M⁻¹C at the present state.
class StabilityWatch {
 public:
  explicit StabilityWatch(const System& system) : system_(system) {}

  void look(const State& state, double dt);  // after every step

  // The cause and a stable dt, or that numbers are not finite; empty if nothing is wrong.
  const std::string& diagnosis() const { return diagnosis_; }
  void archive(Archive& a) { a(diagnosis_, largest_, recent_, reference_, steps_, next_, alarm_); }

 private:
  void diagnose(const State& state, double dt, bool finite);
  const System& system_;
  std::string diagnosis_;
  double largest_ = 0, recent_ = 0, reference_ = -1;  // Σu²: of all steps, and up to the last two powers of 2
  long steps_ = 0, next_ = 4, alarm_ = -1;
};

// The largest dt at which velocity Verlet with explicit damping is stable, for the system linearised at a state:
// 2 / (√(ω² + c²/4) + c/2) with the spectral radii ω² of M⁻¹K and c of M⁻¹C, K = −∂h/∂q, C = −∂h/∂u.
struct StepLimit {
  double dt = 0, omega = 0, damping = 0;  // [s], [rad/s], [1/s]
};
StepLimit step_limit(const System& system, const State& state);

}  // namespace tappet
