// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/moreau_jean.h"

#include <cmath>
#include <limits>

#include "steppers/active_set.h"

namespace tappet {

namespace {
constexpr double round_off = 16 * std::numeric_limits<double>::epsilon();  // of the momenta: no balance is better
constexpr double slow = 1e-3;  // an iteration that leaves more of the residual asks for a new M̂
}  // namespace

MoreauJean::MoreauJean(const System& system, std::unique_ptr<ContactSolver> solver, const Options& options)
    : system_(system),
      options_(options),
      table3_(options.form == "table3"),
      frozen_(options.directions == "frozen"),
      free_forecast_(options.forecast == "free"),
      constant_matrix_(system.mass_is_constant() && system.forces_are_linear()),
      linear_(constant_matrix_ && system.directions_are_constant()),
      evaluate_(system),
      law_(system, std::move(solver), impact_named(options.impact)),
      M_(system.mass_matrix()),
      M_hat_(system.iteration_matrix()),
      K_(system.iteration_matrix()),
      all_(all_contacts(system)),
      w_(system.u_size()),
      u_theta_(system.u_size()),
      q_theta_(system.q_size()),
      q_1_(system.q_size()),
      u_1_(system.u_size()),
      F_(system.u_size()),
      F_0_(system.u_size()),
      r_(system.u_size()) {
  impulses_.P.assign(system.rows(), 0.0);
  if (constant_matrix_) evaluate_.mass(0.0, system.initial().q, M_);
}

StepReport MoreauJean::step(State& state, double dt) {
  if (table3_) evaluate_.forces(state.t, state.q, state.u, F_0_);
  forecast(state, dt);
  StepReport report = newton(state, dt, active_);
  end_report(dt, active_before_, active_, report);
  if (linear_ || table3_ || report.impulsive || !report.converged())  // table3: first iterates as in the paper
    smooth_.forget();
  else
    smooth_.accept(state.u, u_1_, dt);
  std::swap(state.q, q_1_);
  std::swap(state.u, u_1_);
  state.t += dt;

  law_.scatter(active_, impulses_.P);
  return report;
}

// Fills active_, and U₀ of its rows.
void MoreauJean::forecast(const State& state, double dt) {
  const double theta = options_.theta;
  const auto& [t, q, u] = state;
  refresh(system_, all_);
  evaluate_.gaps(t, q, gaps_);
  if (options_.gamma > 0.0 || free_forecast_) {
    evaluate_.directions(t, q, all_, law_.W, law_.chi);
    law_.rates(u, rates_0_);
    if (free_forecast_) {
      law_.gamma_before.assign(system_.joint_rows(), 0.0);
      newton(state, dt, none_);
      evaluate_.directions(t, q, all_, law_.W, law_.chi);
      law_.rates(u_1_, rates_free_);
    }
    for (int r = system_.joint_rows(); int k : all_) {
      gaps_[k] += free_forecast_ ? dt * (theta * rates_free_[r] + (1 - theta) * rates_0_[r])  // (62)
                                 : dt * options_.gamma * rates_0_[r];                         // (61)
      r += system_.contacts()[k].rows;
    }
  }
  active_memory_.follow(system_, active_);
  std::swap(active_, active_before_);
  closed_contacts(gaps_, forecast_before_.before(system_, gaps_), active_);
  forecast_before_.keep(system_, gaps_);
  if (active_.empty()) {
    law_.gamma_before.assign(system_.joint_rows(), 0.0);
  } else {
    evaluate_.directions(t, q, active_, law_.W, law_.chi);
    law_.rates(u, law_.gamma_before);
  }
}

StepReport MoreauJean::newton(const State& state, double dt, const ContactSet& active) {
  const double tolerance = options_.newton_tolerance;
  StepReport report;
  double before = std::numeric_limits<double>::infinity();
  bool stale = true;
  smooth_.guess(state.u, dt, u_1_);
  while (true) {
    positions(state, dt);
    const bool at_start = table3_ && report.newton == 0;  // the first iterate of Algorithm 1: q¹ = q₀, v¹ = v₀
    if (at_start) q_1_ = state.q;
    double size = imbalance(state, dt);
    if (at_start) add_step_to_first_iterate(state, dt);
    evaluate_.directions(frozen_ ? state.t : state.t + dt, frozen_ ? state.q : q_1_, active, law_.W, law_.chi);
    if (report.newton > 0) {
      for (int i = 0; i < w_.size(); ++i) w_[i] = 0.0;
      law_.W.multiply_transposed(law_.P(), w_);
      double residual = 0.0;
      for (int i = 0; i < w_.size(); ++i) {
        residual = std::max(residual, std::abs(r_[i] + w_[i]));
        size = std::max(size, std::abs(w_[i]));
      }
      if (residual <= tolerance * (table3_ ? 1.0 : size) || residual <= round_off * momentum()) return report;
      if (report.newton >= options_.newton_iterations || !std::isfinite(residual)) {
        report.solve.status = SolveStatus::not_converged;
        report.solve.residual = std::max(report.solve.residual, size > 0 ? residual / size : residual);
        return report;
      }
      stale = table3_ || residual > slow * before;
      before = residual;
    }
    if (stale) refresh_iteration_matrix(state, dt);
    M_hat_.solve(r_);
    for (int i = 0; i < u_1_.size(); ++i) u_1_[i] += r_[i];
    report.solve = law_.solve(active, M_hat_, u_1_);
    ++report.newton;
    if (linear_) {
      positions(state, dt);
      return report;
    }
  }
}

void MoreauJean::positions(const State& state, double dt) {
  const double theta = options_.theta;
  const int n = u_1_.size();
  for (int i = 0; i < n; ++i) u_theta_[i] = (1 - theta) * state.u[i] + theta * u_1_[i];
  for (int i = 0; i < n; ++i) w_[i] = dt * u_theta_[i];
  system_.displace(state.q, w_, q_1_);  // (18b)
  if (table3_) return;
  for (int i = 0; i < n; ++i) w_[i] *= theta;
  system_.displace(state.q, w_, q_theta_);
}

double MoreauJean::imbalance(const State& state, double dt) {
  const double theta = options_.theta;
  const int n = u_1_.size();
  if (table3_) {
    evaluate_.mass_and_forces(state.t + dt, q_1_, u_1_, M_, F_);
    for (int i = 0; i < n; ++i) F_[i] = theta * F_[i] + (1 - theta) * F_0_[i];
  } else if (constant_matrix_) {
    evaluate_.forces(state.t + theta * dt, q_theta_, u_theta_, F_);
  } else {
    evaluate_.mass_and_forces(state.t + theta * dt, q_theta_, u_theta_, M_, F_);
  }
  for (int i = 0; i < n; ++i) w_[i] = u_1_[i] - state.u[i];
  M_.multiply(w_, r_);
  double size = 0.0;
  for (int i = 0; i < n; ++i) {
    size = std::max({size, std::abs(r_[i]), std::abs(dt * F_[i])});
    r_[i] = dt * F_[i] - r_[i];
  }
  return size;
}

// (48): −dt θ K (q₀ − q¹ + dt u_θ), what the force at q¹ = q₀ lacks
void MoreauJean::add_step_to_first_iterate(const State& state, double dt) {
  K_.set_zero();
  evaluate_.add_force_derivatives(state.t + dt, q_1_, u_1_, dt * dt * options_.theta, 0.0, K_);
  K_.multiply(u_theta_, w_);
  for (int i = 0; i < w_.size(); ++i) r_[i] += w_[i];
}

double MoreauJean::momentum() {
  M_.multiply(u_1_, w_);
  double largest = 0.0;
  for (double p : w_) largest = std::max(largest, std::abs(p));
  return largest;
}

void MoreauJean::refresh_iteration_matrix(const State& state, double dt) {
  if (constant_matrix_ && dt == dt_factored_) return;
  dt_factored_ = dt;
  const double theta = options_.theta;
  M_hat_.assign(M_);
  const double by_q = -dt * dt * theta * theta, by_u = -dt * theta;  // K = −∂F/∂q, C = −∂F/∂u
  if (table3_)
    evaluate_.add_force_derivatives(state.t + dt, q_1_, u_1_, by_q, by_u, M_hat_);
  else
    evaluate_.add_force_derivatives(state.t + theta * dt, q_theta_, u_theta_, by_q, by_u, M_hat_);
  M_hat_.factor();
}

}  // namespace tappet
