// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/half_explicit/half_explicit_velocity.h"

#include <algorithm>

#include "math/wide/sums.h"

namespace tappet {

HalfExplicitVelocity::HalfExplicitVelocity(const ContactList& contacts, std::unique_ptr<ContactSolver> solver,
                                           const Options& options)
    : ForecastingTrapezoid(contacts, std::move(solver), impact_named(options.impact)),
      by_component_(options.impulsive == "component"),
      hit_(system_.u_size()),
      u_smooth_(system_.u_size()) {
  component_.reset(system_.u_size());
}

StepReport HalfExplicitVelocity::step(State& state, double dt) {
  start(state);
  SolveReport solve = forecast(state, dt);
  const bool impulsive = arrive(state, dt);
  solve = worse(solve, !impulsive      ? correct(state, dt)
                       : by_component_ ? impact_and_forces(state, dt)
                                       : impact(state, dt));
  return finish(state, dt, solve, impulsive);
}

// Components do not act on each other within the step. So both problems can be solved for all of them, and each
// component takes its own: the one with an impact takes the impulses, the others take the forces.
SolveReport HalfExplicitVelocity::impact_and_forces(const State& state, double dt) {
  SolveReport solve = correct(state, dt);
  connect();
  std::copy(u_1_.begin(), u_1_.end(), u_smooth_.begin());
  solve = worse(solve, impact(state, dt));
  for (int i = 0; i < u_1_.size(); ++i)
    if (!hit_[component_.lowest(i)]) u_1_[i] = u_smooth_[i];
  const int joints = static_cast<int>(system_.joints().size());
  for (int k = 0; k < law_.W.blocks(); ++k) {
    const int row = k < joints ? system_.joints()[k].row : contacts_[closed_1_[k - joints]].row;
    const bool hit = law_.W.columns(k).empty() || hit_[component_.lowest(law_.W.columns(k)[0])];
    for (int r = row; !hit && r < row + law_.W.block(k).rows; ++r) {
      impulses_.Lambda[r] = 0.0;
      impulses_.P[r] = P_plus_[r] / 2 + P_minus_[r];
      impulses_.lambda[r] = P_minus_[r] * 2 / dt;
    }
  }
  return solve;
}

// Uses the rows of the contacts closed at the end, which are in law_.W. Contacts that were closed before and opened in
// this step carry no impulse at its end.
void HalfExplicitVelocity::connect() {
  component_.reset(system_.u_size());
  std::fill(hit_.begin(), hit_.end(), 0);
  const BlockMatrix& M = M_;
  for (int b = 0; b < M.block_count(); ++b)
    for (const int i : M.block(b)) component_.unite(M.block(b)[0], i);
  for (int k = 0; k < law_.W.blocks(); ++k)
    for (const int i : law_.W.columns(k)) component_.unite(law_.W.columns(k)[0], i);
  const int joints = static_cast<int>(system_.joints().size());
  for (int k = joints; k < law_.W.blocks(); ++k) {
    const bool stayed = std::binary_search(closed_0_.begin(), closed_0_.end(), closed_1_[k - joints]);
    if (!stayed && !law_.W.columns(k).empty()) hit_[component_.lowest(law_.W.columns(k)[0])] = 1;
  }
}

SolveReport HalfExplicitVelocity::forecast(const State& state, double dt) {
  const auto& [t, q, u] = state;
  add_multiple(u.size(), u.data(), dt, a_0_.data(), u_hat_.data());
  if (continued_)
    std::swap(W_0_, law_.W);  // the directions at the end of the last step
  else
    evaluate_.directions(t, q, closed_0_, W_0_, law_.chi);
  if (!closed_0_.empty() || system_.joint_rows() > 0) evaluate_.displace(q, dt, u, q_1_);  // (120)
  evaluate_.directions(t + dt, q_1_, closed_0_, law_.W, law_.chi);
  law_.gamma_before.resize(0);
  // (122)–(124). M₀⁻¹W₀ is known from the end of the last step.
  const SolveReport solve =
      continued_ ? law_.solve_again(closed_0_, M_, W_0_, u_hat_) : law_.solve(closed_0_, M_, W_0_, u_hat_);
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
