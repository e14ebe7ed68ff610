// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "math/brent.h"
#include "steppers/event_driven/event_driven.h"

namespace tappet {

using events::Mode;

// The largest amount by which a contact in an indeterminate set does not remain in its phase.
double EventDriven::departure(const State& state) {
  std::vector<int> closed;
  std::vector<char> resting(phases_.size(), 0);
  for (int k : contacts_.all())
    if (phases_[k].closed()) closed.push_back(k), resting[k] = phases_[k].mode == Mode::stick;
  const Decision decision = decide_at(state, closed, resting);
  balance_.set_phases(phases_);
  double largest = 0;
  for (int k : closed)
    if (!phases_[k].unique) largest = std::max(largest, decision.leaves[k]);
  return largest;
}

// Up to the departure its accelerations are zero, and from there they grow. So the instant follows from the times of
// three small accelerations.
bool EventDriven::locate_departure() {
  constexpr double level = 1e-4;
  const double tau = ode_->tau(), left = departure(now_);
  if (left <= significant) {
    tau_verified_ = tau;
    return false;
  }
  const double step = std::min(level, left / 4);
  const auto beyond = [&](double at, double target) {
    ode_->at(at, y_);
    unpack(y_.data(), probe_ahead_);
    return departure(probe_ahead_) - target;
  };
  std::array<double, 3> times;
  for (int j = 0; j < 3; ++j) {
    const double target = (j + 1) * step, before = beyond(tau_verified_, target);
    const auto f = [&](double at) { return beyond(at, target); };
    times[j] = before < 0 ? brent(f, tau_verified_, before, tau, left - target) : tau_verified_;
  }
  const double zero = std::clamp(3 * times[0] - 3 * times[1] + times[2], tau_verified_, times[0]);
  ode_->at(zero, y_);
  unpack(y_.data(), now_);
  return true;
}

}  // namespace tappet
