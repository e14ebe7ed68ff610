// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/half_explicit/half_explicit_velocity.h"

namespace tappet {

HalfExplicitVelocity::HalfExplicitVelocity(const ContactList& contacts, std::unique_ptr<ContactSolver> solver,
                                           const Options& options)
    : ForecastingTrapezoid(contacts, std::move(solver), impact_named(options.impact)) {}

StepReport HalfExplicitVelocity::step(State& state, double dt) {
  start(state);
  SolveReport solve = forecast(state, dt);
  const bool impulsive = arrive(state, dt);
  solve = worse(solve, impulsive ? impact(state, dt) : correct(state, dt));
  return finish(state, dt, solve, impulsive);
}

SolveReport HalfExplicitVelocity::forecast(const State& state, double dt) {
  const auto& [t, q, u] = state;
  for (int i = 0; i < u.size(); ++i) u_hat_[i] = u[i] + dt * a_0_[i];
  if (!continued_) evaluate_.directions(t, q, closed_0_, W_0_, law_.chi);
  if (!closed_0_.empty() || system_.joint_rows() > 0) {
    for (int i = 0; i < u.size(); ++i) w_[i] = dt * u[i];
    evaluate_.displace(q, w_, q_1_);  // (120)
  }
  evaluate_.directions(t + dt, q_1_, closed_0_, law_.W, law_.chi);
  law_.gamma_before.resize(0);
  // (122)–(124); M₀⁻¹W₀ is known from the end of the last step
  const SolveReport solve = continued_ ? law_.solve_again(closed_0_, u_hat_) : law_.solve(closed_0_, M_, W_0_, u_hat_);
  law_.scatter(closed_0_, P_plus_);
  return solve;
}

SolveReport HalfExplicitVelocity::correct(const State& state, double dt) {
  for (int i = 0; i < u_1_.size(); ++i) u_1_[i] = (state.u[i] + u_hat_[i] + dt * a_1_[i]) / 2;
  evaluate_.directions(state.t + dt, q_1_, closed_1_, law_.W, law_.chi);
  law_.gamma_before.resize(0);
  const SolveReport solve = law_.solve(closed_1_, M_, u_1_);  // (126)–(128)
  law_.scatter(closed_1_, P_minus_);
  record_forces(dt, P_plus_, P_minus_);
  return solve;
}

}  // namespace tappet
