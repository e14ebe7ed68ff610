// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/half_explicit/half_explicit_adaptive.h"

#include <algorithm>
#include <cmath>

#include "steppers/shared/active_set.h"

namespace tappet {

HalfExplicitAdaptive::HalfExplicitAdaptive(const ContactList& contacts, std::unique_ptr<ContactSolver> solver,
                                           const Options& options)
    : HalfExplicitVelocity(contacts, std::move(solver), {{options.impact}}),
      options_(options),
      absolute_(options.absolute_tolerance > 0 ? options.absolute_tolerance : options.step_tolerance),
      u_before_(system_.u_size()),
      u_before_that_(system_.u_size()) {}

StepReport HalfExplicitAdaptive::step(State& state, double dt) {
  const bool controlled = options_.step_tolerance > 0;
  const double shortest = 1e-6 * dt;
  double h = dt;
  if (controlled) h = std::min(dt, next_dt_ > 0 ? next_dt_ : dt / options_.fraction);

  int rejected = 0;
  while (true) {
    start(state);
    if (closing_ahead(state, h)) break;
    SolveReport solve = forecast(state, h);   // (120)–(122), (140), (141)
    if (arrive(state, h)) break;              // (125)
    solve = worse(solve, correct(state, h));  // (126)–(128)
    const double error = controlled ? local_error(state, h) : 0.0;
    const double factor = error > 0 ? std::clamp(0.9 / std::cbrt(error), 0.2, 2.0) : 2.0;
    if (error > 1.0 && h > shortest) {
      ++rejected;
      h = std::max(shortest, h * factor);
      continue;
    }
    remember(state, h);
    next_dt_ = h * factor;
    StepReport report = finish(state, h, solve, false);
    report.rejected = rejected;
    return report;
  }

  StepReport report = short_step(state, h);
  report.rejected = rejected;
  return report;
}

// A contact closes within a step of h.
StepReport HalfExplicitAdaptive::short_step(State& state, double h) {
  const double short_h = h / options_.fraction;  // Fig. 24: Δt/10
  start(state);
  SolveReport solve = forecast(state, short_h);               // (120)–(122), (140), (141)
  const bool impulsive = arrive(state, short_h);              // (125)
  solve = worse(solve, impulsive ? impact(state, short_h, h)  // (129)–(131)
                                 : correct(state, short_h));  // (126)–(128)
  if (impulsive) {
    history_ = 0;
    next_dt_ = 2 * short_h;
  } else {
    remember(state, short_h);
  }
  return finish(state, short_h, solve, impulsive);
}

bool HalfExplicitAdaptive::closing_ahead(const State& state, double dt) {
  evaluate_.displace(state.q, dt, state.u, q_1_);
  closed_contacts(state.t + dt, q_1_, closed_1_);
  return some_contact_closed(closed_0_, closed_1_);
}

double HalfExplicitAdaptive::local_error(const State& state, double dt) const {
  double largest = 0.0;
  if (history_ < 2) {
    for (int i = 0; i < u_1_.size(); ++i) {
      const double size = std::max(std::abs(u_1_[i]), std::abs(state.u[i])) + absolute_ / options_.step_tolerance;
      largest = std::max(largest, std::abs(u_1_[i] - u_hat_[i]) / size);
    }
    return largest * std::sqrt(largest) / options_.step_tolerance;
  }
  for (int i = 0; i < u_1_.size(); ++i) {
    const double d_0 = (u_1_[i] - state.u[i]) / dt, d_1 = (state.u[i] - u_before_[i]) / dt_1_;
    const double d_2 = (u_before_[i] - u_before_that_[i]) / dt_2_;
    const double second = (d_0 - d_1) / (dt + dt_1_);                                      // u″/2
    const double third = (second - (d_1 - d_2) / (dt_1_ + dt_2_)) / (dt + dt_1_ + dt_2_);  // u‴/6
    const double size = std::max(std::abs(u_1_[i]), std::abs(state.u[i]));
    const double cube = dt * dt * dt;
    largest = std::max(largest, cube / 2 * std::abs(third) / (absolute_ + options_.step_tolerance * size));
    largest = std::max(largest, cube / 3 * std::abs(second) / absolute_);
  }
  return largest;
}

void HalfExplicitAdaptive::remember(const State& state, double dt) {
  std::swap(u_before_, u_before_that_);
  for (int i = 0; i < u_before_.size(); ++i) u_before_[i] = state.u[i];
  dt_2_ = dt_1_, dt_1_ = dt;
  history_ = std::min(history_ + 1, 2);
}

}  // namespace tappet
