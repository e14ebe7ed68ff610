// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/theta_balance.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tappet {

namespace {
constexpr double slow = 1e-3;  // an iteration that leaves more of the residual asks for a new M̂
}

ThetaBalance::ThetaBalance(const System& system, Evaluator& evaluate, double theta, bool extrapolates)
    : u_1(system.u_size()),
      q_1(system.q_size()),
      q_free(system.q_size()),
      shift(system.u_size()),
      M_hat(system.iteration_matrix()),
      system_(system),
      evaluate_(evaluate),
      theta_(theta),
      extrapolates_(extrapolates),
      constant_matrix_(system.mass_is_constant() && system.forces_are_linear()),
      linear_(constant_matrix_ && system.directions_are_constant()),
      M_(system.mass_matrix()),
      w_(system.u_size()),
      u_theta_(system.u_size()),
      q_theta_(system.q_size()),
      F_(system.u_size()),
      r_(system.u_size()),
      u_before_(system.u_size()) {
  if (constant_matrix_) evaluate_.mass(0.0, system.initial().q, M_);
}

void ThetaBalance::start(const State& state, double dt) {
  stale_ = true;
  smooth_.guess(state.u, dt, u_1);
  shift.set_zero();
  residual_before_ = INFINITY;
}

void ThetaBalance::start_again(const State& state, double dt) {
  if (extrapolates_) smooth_.guess(state.u, dt, u_1);
  shift.set_zero();
  residual_before_ = INFINITY;
}

void ThetaBalance::learn(const State& state, double dt, bool smooth) {
  if (smooth && extrapolates_ && !linear_)
    smooth_.accept(state.u, u_1, dt);
  else
    smooth_.forget();
}

void ThetaBalance::place(const State& state, double dt) {
  const int n = u_1.size();
  shifted_ = std::any_of(shift.begin(), shift.end(), [](double s) { return s != 0.0; });
  for (int i = 0; i < n; ++i) {
    u_theta_[i] = (1 - theta_) * state.u[i] + theta_ * u_1[i];
    w_[i] = dt * u_theta_[i];
  }
  system_.displace(state.q, w_, shifted_ ? q_free : q_1);
  if (shifted_) system_.displace(q_free, shift, q_1);
  for (int i = 0; i < n; ++i) w_[i] = theta_ * (w_[i] + shift[i]);
  system_.displace(state.q, w_, q_theta_);
  if (!shifted_) std::copy(q_1.begin(), q_1.end(), q_free.begin());
}

void ThetaBalance::balance(const State& state, double dt) {
  const int n = u_1.size();
  if (constant_matrix_)
    evaluate_.forces(state.t + theta_ * dt, q_theta_, u_theta_, F_);
  else
    evaluate_.mass_and_forces(state.t + theta_ * dt, q_theta_, u_theta_, M_, F_);
  for (int i = 0; i < n; ++i) w_[i] = u_1[i] - state.u[i];
  M_.multiply(w_, r_);
  size_ = 0.0;
  for (int i = 0; i < n; ++i) {
    size_ = std::max({size_, std::abs(r_[i]), std::abs(dt * F_[i])});
    r_[i] = dt * F_[i] - r_[i];
  }
}

ThetaBalance::Verdict ThetaBalance::judge(const VelocityLaw& law, double tolerance, int most_iterations,
                                          StepReport& report) {
  w_.set_zero();
  law.W.multiply_transposed(law.P(), w_);
  double residual = 0.0;
  for (int i = 0; i < w_.size(); ++i) {
    residual = std::max(residual, std::abs(r_[i] + w_[i]));
    size_ = std::max(size_, std::abs(w_[i]));
  }
  // As in the paper, a new M̂ in every iteration, where Newton starts at u₀ as there.
  stale_ = !extrapolates_ || residual > slow * std::exchange(residual_before_, INFINITY);
  constexpr double round_off = 2e-15;  // of u₁ − u₀, in units of the momenta themselves
  constexpr double settled = 1e-13;    // a change of the velocities, where stiff forces cancel
  if (residual <= tolerance * size_) return Verdict::holds;
  M_.multiply(u_1, w_);
  for (double p : w_)
    if (residual <= round_off * std::abs(p)) return Verdict::holds;
  double change = 0.0, largest = 0.0;
  for (int i = 0; i < u_1.size(); ++i) {
    change = std::max(change, std::abs(u_1[i] - u_before_[i]));
    largest = std::max(largest, std::abs(u_1[i]));
  }
  if (report.newton > 1 && change <= settled * largest) return Verdict::holds;
  residual_before_ = residual;
  if (report.newton < most_iterations && std::isfinite(residual)) return Verdict::go_on;
  report.solve.status = SolveStatus::not_converged;
  report.solve.residual = std::max(report.solve.residual, residual / size_);
  return Verdict::failed;
}

void ThetaBalance::linearise(const State& state, double dt) {
  if (constant_matrix_ ? dt != dt_factored_ : stale_) {
    dt_factored_ = dt;
    M_hat.assign(M_);
    evaluate_.add_force_derivatives(state.t + theta_ * dt, q_theta_, u_theta_, -dt * dt * theta_ * theta_, -dt * theta_,
                                    M_hat);
    M_hat.factor();
  }
  M_hat.solve(r_);
  std::copy(u_1.begin(), u_1.end(), u_before_.begin());
  for (int i = 0; i < u_1.size(); ++i) u_1[i] += r_[i];
}

}  // namespace tappet
