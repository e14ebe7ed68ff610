// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/moreau/theta_balance.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tappet {

namespace {
constexpr double slow = 1e-3;  // if an iteration leaves more of the residual, M̂ is computed again
}

ThetaBalance::ThetaBalance(const ContactList& contacts, Evaluator& evaluate, const ThetaForm& form)
    : u_1(contacts.system().u_size()),
      q_1(contacts.system().q_size()),
      q_free(form.corrected ? contacts.system().q_size() : 0),
      shift(form.corrected ? contacts.system().u_size() : 0),
      M_hat(contacts.system().iteration_matrix(contacts.execution())),
      contacts_(contacts),
      system_(contacts.system()),
      evaluate_(evaluate),
      form_(form),
      at_end_(form.of_table_3),
      constant_matrix_(system_.mass_is_constant() && system_.forces_are_linear()),
      linear_(constant_matrix_ && system_.directions_are_constant()),
      M_(system_.mass_matrix(contacts.execution())),
      w_(system_.u_size()),
      u_theta_(system_.u_size()),
      q_theta_(system_.q_size()),
      F_(system_.u_size()),
      F_0_(form.of_table_3 ? system_.u_size() : 0),
      r_(system_.u_size()),
      u_before_(system_.u_size()),
      u_free_first_(system_.u_size()),
      q_first_(system_.q_size()) {
  if (form.of_table_3) K_.emplace(system_.iteration_matrix(contacts.execution()));
  if (system_.mass_is_constant()) evaluate_.mass(0.0, system_.initial().q, M_);
}

void ThetaBalance::start(const State& state, double dt) {
  stale_ = true;
  first_ = true;
  smooth_.guess(state.u, dt, u_1);
  shift.set_zero();
  residual_before_ = INFINITY;
  if (form_.of_table_3) evaluate_.forces(state.t, state.q, state.u, F_0_);
}

bool ThetaBalance::start_again(const State& state, double dt) {
  shift.set_zero();
  residual_before_ = INFINITY;
  if (constant_matrix_ && form_.extrapolated && !first_) {
    std::copy(u_free_first_.begin(), u_free_first_.end(), u_1.begin());
    std::copy(q_first_.begin(), q_first_.end(), q_1.begin());
    return true;
  }
  if (form_.extrapolated) smooth_.guess(state.u, dt, u_1);
  return false;
}

void ThetaBalance::learn(const State& state, double dt, bool smooth) {
  if (smooth && form_.extrapolated && !linear_)
    smooth_.accept(state.u, u_1, dt);
  else
    smooth_.forget();
}

void ThetaBalance::place(const State& state, double dt) {
  const double theta = form_.theta;
  const int n = u_1.size();
  const bool shifted = std::any_of(shift.begin(), shift.end(), [](double s) { return s != 0.0; });
  for (int i = 0; i < n; ++i) {
    u_theta_[i] = (1 - theta) * state.u[i] + theta * u_1[i];
    w_[i] = dt * u_theta_[i];
  }
  if (first_ && form_.of_table_3) {
    std::copy(state.q.begin(), state.q.end(), q_1.begin());
    return;
  }
  evaluate_.displace(state.q, w_, shifted ? q_free : q_1);  // (18b)
  if (shifted) {
    evaluate_.displace(q_free, shift, q_1);
    for (int i = 0; i < n; ++i) w_[i] += shift[i];
  } else if (form_.corrected) {
    std::copy(q_1.begin(), q_1.end(), q_free.begin());
  }
  if (at_end_) return;
  for (int i = 0; i < n; ++i) w_[i] *= theta;
  evaluate_.displace(state.q, w_, q_theta_);
}

void ThetaBalance::balance(const State& state, double dt) {
  const double theta = form_.theta, t = t_F(state, dt);
  const int n = u_1.size();
  if (system_.mass_is_constant())
    evaluate_.forces(t, q_F(), u_F(), F_);
  else
    evaluate_.mass_and_forces(t, q_F(), u_F(), M_, F_);
  if (form_.of_table_3)
    for (int i = 0; i < n; ++i) F_[i] = theta * F_[i] + (1 - theta) * F_0_[i];
  for (int i = 0; i < n; ++i) w_[i] = u_1[i] - state.u[i];
  M_.multiply(w_, r_);
  double size = 0.0;
  for (int i = 0; i < n; ++i) {
    const double inertia = r_[i], force = dt * F_[i];
    size = std::max(size, std::max(std::abs(inertia), std::abs(force)));
    r_[i] = force - inertia;
  }
  size_ = size;
  if (first_ && form_.of_table_3) add_step_to_first_iterate(t, dt);
}

// (48): −dt θ K (q₀ − q¹ + dt u_θ), which the force at q¹ = q₀ lacks
void ThetaBalance::add_step_to_first_iterate(double t, double dt) {
  K_->set_zero();
  evaluate_.add_force_derivatives(t, q_F(), u_F(), dt * dt * form_.theta, 0.0, *K_);
  K_->multiply(u_theta_, w_);
  for (int i = 0; i < w_.size(); ++i) r_[i] += w_[i];
}

ThetaBalance::Verdict ThetaBalance::verdict(const VelocityLaw& law, const BlockRows& W, double tolerance,
                                            int most_iterations, StepReport& report) {
  const int n = u_1.size();
  w_.set_zero();
  W.multiply_transposed(law.P(), w_);
  double residual = 0.0, size = size_;
  for (int i = 0; i < n; ++i) {
    residual = std::max(residual, std::abs(r_[i] + w_[i]));
    size = std::max(size, std::abs(w_[i]));
  }
  size_ = size;
  stale_ = !form_.extrapolated || residual > slow * std::exchange(residual_before_, INFINITY);
  constexpr double round_off = 2e-15;  // of u₁ − u₀, in units of the momenta
  constexpr double settled = 1e-13;    // a change of the velocities, if stiff forces cancel
  if (residual <= tolerance * (form_.of_table_3 || form_.absolute ? 1.0 : size_)) return Verdict::holds;
  M_.multiply(u_1, w_);
  for (double p : w_)
    if (residual <= round_off * std::abs(p)) return Verdict::holds;
  double change = 0.0, largest = 0.0;
  for (int i = 0; i < n; ++i) {
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
    const double theta = form_.theta;
    dt_factored_ = dt;
    M_hat.assign(M_);
    evaluate_.add_force_derivatives(t_F(state, dt), q_F(), u_F(), -dt * dt * theta * theta, -dt * theta, M_hat);
    M_hat.factor();
  }
  M_hat.solve(r_);
  for (int i = 0, n = u_1.size(); i < n; ++i) {
    u_before_[i] = u_1[i];
    u_1[i] += r_[i];
  }
  if (first_ && constant_matrix_) {
    std::copy(u_1.begin(), u_1.end(), u_free_first_.begin());
    std::copy(q_1.begin(), q_1.end(), q_first_.begin());
  }
  first_ = false;
}

}  // namespace tappet
