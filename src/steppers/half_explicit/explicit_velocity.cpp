// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/half_explicit/explicit_velocity.h"

namespace tappet {

ExplicitVelocity::ExplicitVelocity(const ContactList& contacts, std::unique_ptr<ContactSolver> solver,
                                   const Options& options)
    : ForecastingTrapezoid(contacts, std::move(solver), impact_named(options.impact)),
      with_forces_(options.projection == "forces") {}

SolveReport ExplicitVelocity::project(double t, const Vec& q, const ContactSet& closed, double dt, const Vec& a,
                                      Vec& u) {
  evaluate_.directions(t, q, closed, law_.W, law_.chi);
  law_.gamma_before.resize(0);
  if (with_forces_)
    for (int i = 0; i < u.size(); ++i) u[i] += dt * a[i];
  const SolveReport solve = law_.solve(closed, M_, u);  // (98)–(103)
  if (with_forces_)
    for (int i = 0; i < u.size(); ++i) u[i] -= dt * a[i];
  return solve;
}

StepReport ExplicitVelocity::step(State& state, double dt) {
  const int n = system_.u_size();
  start(state);
  for (int i = 0; i < n; ++i) u_hat_[i] = state.u[i];
  SolveReport solve = project(state.t, state.q, closed_0_, dt, a_0_, u_hat_);
  law_.scatter(closed_0_, P_plus_);
  for (int i = 0; i < n; ++i) u_hat_[i] += dt * a_0_[i];  // (108)

  const bool impulsive = arrive(state, dt);
  if (impulsive) {
    solve = worse(solve, impact(state, dt));
  } else {
    for (int i = 0; i < n; ++i) u_1_[i] = u_hat_[i];
    solve = worse(solve, project(state.t + dt, q_1_, closed_1_, dt, a_1_, u_1_));
    law_.scatter(closed_1_, P_minus_);
    for (double& P : P_minus_) P /= 2;
    record_forces(dt, P_plus_, P_minus_);
    // u_1_ − û = dt M₁⁻¹W₁λ⁻
    for (int i = 0; i < n; ++i) u_1_[i] = (state.u[i] + u_1_[i] + dt * a_1_[i]) / 2;  // (109)
  }
  return finish(state, dt, solve, impulsive);
}

}  // namespace tappet
