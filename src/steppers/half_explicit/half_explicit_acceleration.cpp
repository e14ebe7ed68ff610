// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/half_explicit/half_explicit_acceleration.h"

#include <fmt/format.h>

#include <stdexcept>

#include "steppers/shared/found_laws.h"

namespace tappet {

HalfExplicitAcceleration::HalfExplicitAcceleration(const ContactList& contacts, std::unique_ptr<ContactSolver> solver,
                                                   const Options& options)
    : ForecastingTrapezoid(contacts, std::move(solver), impact_named(options.impact)), free_0_(system_.u_size()) {
  for (const Contact& contact : contacts)
    if (contact.law->mu_law() > 0.0)
      throw std::invalid_argument(
          fmt::format("half-explicit-acceleration has no friction, but contact '{}' has mu = {:g}; expected mu = 0, or "
                      "half-explicit-velocity",
                      contact.name(), contact.law->mu_law()));
  each_found_law(system_, [](const ColliderEntry& one, const ColliderEntry& other, const ContactLaw& law) {
    if (law.mu_law() > 0.0)
      throw std::invalid_argument(
          fmt::format("half-explicit-acceleration has no friction, but colliders '{}' and '{}' touch with mu = {:g}; "
                      "expected mu = 0, or half-explicit-velocity",
                      one.name, other.name, law.mu_law()));
  });
  staying_.reserve(contacts.size());
}

SolveReport HalfExplicitAcceleration::hold(double t, const Vec& q, const Vec& u, const ContactSet& closed, Vec& a,
                                           Vec& lambda) {
  evaluate_.directions(t, q, closed, law_.W, law_.chi);
  law_.rates(u, rates_);
  staying_.clear();
  for (const auto& [k, contact, row] : contacts_.each(closed))
    if (rates_[row] <= 0.0) staying_.push_back(k);  // (59)
  if (staying_.size() < closed.size()) evaluate_.directions(t, q, staying_, law_.W, law_.chi);
  evaluate_.accelerations(t, q, u, staying_, law_.chi);  // ζ
  law_.gamma_before.resize(0);
  const SolveReport solve = law_.solve(staying_, M_, a);  // (70)
  law_.scatter(staying_, lambda);
  return solve;
}

StepReport HalfExplicitAcceleration::step(State& state, double dt) {
  const int n = system_.u_size();
  start(state);
  for (int i = 0; i < n; ++i) free_0_[i] = a_0_[i];
  SolveReport solve = hold(state.t, state.q, state.u, closed_0_, a_0_, P_plus_);
  for (int i = 0; i < n; ++i) u_hat_[i] = state.u[i] + dt * a_0_[i];  // (74)

  const bool impulsive = arrive(state, dt);
  if (impulsive) {
    std::swap(a_0_, free_0_);
    solve = worse(solve, impact(state, dt));  // (77)–(82)
  } else {
    solve = worse(solve, hold(state.t + dt, q_1_, u_hat_, closed_1_, a_1_, P_minus_));
    for (int i = 0; i < n; ++i) u_1_[i] = state.u[i] + dt / 2 * (a_0_[i] + a_1_[i]);  // (76)
    for (double& P : P_plus_) P *= dt;
    for (double& P : P_minus_) P *= dt / 2;
    record_forces(dt, P_plus_, P_minus_);
  }
  return finish(state, dt, solve, impulsive);
}

}  // namespace tappet
