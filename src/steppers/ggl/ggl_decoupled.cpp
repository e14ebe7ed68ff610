// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/ggl/ggl_decoupled.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tappet {

GglDecoupled::GglDecoupled(const ContactList& contacts, std::unique_ptr<ContactSolver> solver, const Options& options)
    : contacts_(contacts),
      system_(contacts.system()),
      options_(options),
      joints_(joint_level(options.joint_level)),
      evaluate_(contacts),
      law_(contacts, std::move(solver)),
      projection_(contacts, law_.solver(), {.joints = joints_ == JointLevel::ggl, .tolerance = options.tolerance}),
      identity_(system_.u_size()),
      M_(contacts),
      active_(contacts),
      stability_(system_) {
  for (Vec* x : {&u_1_, &u_free_, &s_, &h_}) x->resize(system_.u_size());
  for (Vec* q : {&q_M_, &q_free_, &q_1_}) q->resize(system_.q_size());
  impulses_.P.assign(contacts.rows(), 0.0);
}

StepReport GglDecoupled::step(State& state, double dt) {
  auto& [t, q, u] = state;
  const double t_M = t + dt / 2;
  free_velocity(state, dt);
  evaluate_.gaps(t_M, q_M_, gaps_);
  active_.start(gaps_);  // (11)
  evaluate_.directions(t_M, q_M_, active_, law_.W, law_.chi);
  law_.rates(u, law_.gamma_before);
  if (joints_ == JointLevel::acceleration && system_.joint_rows() > 0) hold_joint_accelerations(state, dt);
  StepReport report;
  if (joints_ == JointLevel::position && system_.joint_rows() > 0)
    report.solve = hold_joint_positions(state, dt);
  else
    report.solve = law_.solve(active_, M_, u_1_);  // (29), (30)

  evaluate_.displace(q, dt / 2, u, u_1_, q_free_);  // (33)
  std::copy(q_free_.begin(), q_free_.end(), q_1_.begin());
  s_.set_zero();
  projected_.clear();
  projection_.start();
  projection_.fix_directions(q_M_, t_M);
  const auto result =
      projection_.project(evaluate_, t + dt, q_free_, identity_, projected_, true, none_equal_, q_1_, s_);
  report.projections = result.iterations;
  if (result.solve.status != SolveStatus::converged) report.solve = result.solve;

  if (!std::isfinite(std::accumulate(u_1_.begin(), u_1_.end(), 0.0))) report.solve.status = SolveStatus::not_converged;

  std::swap(q, q_1_);
  std::swap(u, u_1_);
  t += dt;
  law_.scatter(active_, impulses_.P);
  active_.report(dt, report);
  stability_.look(state, dt);
  return report;
}

// u₀ + dt M⁻¹ h at the midpoint.
void GglDecoupled::free_velocity(const State& state, double dt) {
  const double t_M = state.t + dt / 2;
  evaluate_.displace(state.q, dt / 2, state.u, q_M_);
  M_.evaluate(evaluate_, t_M, q_M_, state.u, h_);
  M_.accelerate(h_);
  for (int i = 0; i < u_1_.size(); ++i) u_1_[i] = state.u[i] + dt * h_[i];
}

// The rows of the joints ask for velocities that change as g̈ = 0 says.
void GglDecoupled::hold_joint_accelerations(const State& state, double dt) {
  evaluate_.accelerations(state.t + dt / 2, q_M_, state.u, none_, zeta_);
  for (const Constraint& joint : system_.joints())
    if (joint.position_level)
      for (int r = joint.row; r < joint.row + joint.rows; ++r) law_.chi[r] += dt * zeta_[r] - law_.gamma_before[r];
}

// g(q₁) = 0 through q₁ = q₀ + dt/2 (u₀ + u₁): the rows of the joints require the velocity that closes them.
SolveReport GglDecoupled::hold_joint_positions(const State& state, double dt) {
  std::copy(u_1_.begin(), u_1_.end(), u_free_.begin());
  SolveReport report;
  for (int iteration = 0; iteration < 20; ++iteration) {
    evaluate_.displace(state.q, dt / 2, state.u, u_1_, q_free_);
    evaluate_.joint_residuals(state.t + dt, q_free_, joint_residuals_);
    double worst = 0.0;
    for (double g : joint_residuals_) worst = std::max(worst, std::abs(g));
    if (iteration > 0 && worst <= std::max(options_.tolerance, 1e-14)) return report;
    rates_.resize(law_.W.rows());
    law_.W.multiply(u_1_, rates_);
    for (const Constraint& joint : system_.joints())
      if (joint.position_level)
        for (int r = joint.row; r < joint.row + joint.rows; ++r) law_.chi[r] = 2 / dt * joint_residuals_[r] - rates_[r];
    std::copy(u_free_.begin(), u_free_.end(), u_1_.begin());
    report = law_.solve(active_, M_, u_1_);
  }
  report.status = SolveStatus::not_converged;
  return report;
}

}  // namespace tappet
