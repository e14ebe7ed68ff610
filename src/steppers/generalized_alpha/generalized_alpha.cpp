// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/generalized_alpha/generalized_alpha.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/dense.h"

namespace tappet {

namespace {

alpha::StepLaw::Kind law_kind(const std::string& name) {
  using Kind = alpha::StepLaw::Kind;
  return name == "printed" ? Kind::printed : name == "bruls" ? Kind::bruls : Kind::consistent;
}

}  // namespace

GeneralizedAlpha::GeneralizedAlpha(const ContactList& contacts, std::unique_ptr<ContactSolver> solver,
                                   const Options& options)
    : contacts_(contacts),
      system_(contacts.system()),
      options_(options),
      coefficients_(alpha::coefficients(options)),
      balance_(contacts),
      response_(contacts),
      law_(contacts, law_kind(options.law)),
      levels_(contacts, std::move(solver)),
      forces_(contacts, levels_.solver()),
      x_(system_.u_size(), contacts.rows()),
      guess_(system_.u_size(), contacts.rows()),
      closed_(system_.u_size(), contacts.rows()),
      state_of_(contacts.size()),
      gamma_0_(contacts.rows()),
      h_0_(system_.u_size()),
      M_0_(system_.mass_matrix(contacts.execution())),
      left_(system_) {
  const int n = system_.u_size(), rows = contacts.rows();
  start_.q = Vec(system_.q_size());
  for (Vec* x : {&start_.u, &start_.a, &start_.a_bar, &start_.w, &start_.v}) *x = Vec(n);
  for (Vec* x : {&start_.lambda, &start_.lambda_bar, &start_.P, &start_.kappa}) *x = Vec(rows);
  for (Vec* x : {&impulses_.P, &impulses_.lambda, &impulses_.Lambda}) *x = Vec(rows);
  impulses_.separated = true;
  events_.reserve(4 * contacts.size() + 8);
  dz_.reserve(3 * rows), pivots_.reserve(3 * rows);
  if (rows <= alpha::reserved_rows) S_.reserve(3 * rows, 3 * rows), LU_.reserve(3 * rows, 3 * rows);
  alpha::reserve_rows(contacts, W_0_);
  chi_0_.reserve(rows);
}

StepReport GeneralizedAlpha::step(State& state, double dt) {
  if (!left_.is(state, 1e-6 * dt)) restart(state);
  StepReport report;
  events_.clear();
  impulses_.P.set_zero(), impulses_.Lambda.set_zero();
  report.solve.status = SolveStatus::converged;
  smallest_dt_ = 1.001 * std::ldexp(dt, -options_.halvings);
  if (!advance(state, dt, 0, report)) report.solve.status = SolveStatus::not_converged;
  report.dt = dt;
  left_.leave(state);
  return report;
}

bool GeneralizedAlpha::advance(State& state, double dt, int depth, StepReport& report) {
  begin(state, dt);
  bool solved = solve(report);
  if (!solved && depth < options_.halvings) {
    report.solve.solver = std::max<int>(report.solve.solver, halved);
    return advance(state, dt / 2, depth + 1, report) & advance(state, dt / 2, depth + 1, report);
  }
  accept(state, report);
  return solved;
}

void GeneralizedAlpha::begin(const State& state, double dt) {
  start_.t = state.t;
  start_.q = state.q, start_.u = state.u;
  const alpha::Quadrature& weight = start_.weight = alpha::Quadrature(coefficients_, dt);
  for (int i = 0; i < start_.u.size(); ++i) {
    start_.w[i] = dt * start_.u[i] + weight.position_bar * start_.a_bar[i] + weight.position_0 * start_.a[i];
    start_.v[i] = start_.u[i] + weight.velocity_bar * start_.a_bar[i] + weight.velocity_0 * start_.a[i];
  }
  for (int i = 0; i < start_.P.size(); ++i) {
    start_.P[i] = weight.velocity_bar * start_.lambda_bar[i] + weight.velocity_0 * start_.lambda[i];
    start_.kappa[i] = weight.position_bar * start_.lambda_bar[i] + weight.position_0 * start_.lambda[i];
  }
  balance_.involve(start_);
  begin_contacts();
  guess_.a = start_.a, guess_.lambda = start_.lambda;
  guess_.U.set_zero(), guess_.Q.set_zero(), guess_.kappa.set_zero(), guess_.Lambda.set_zero();
}

// γ⁻ at (t₀, q₀, u₀). Restitution ends if the approach is slower than the velocity that the forces add in a thousandth
// of a step. Otherwise an accumulation of impacts would never end.
void GeneralizedAlpha::begin_contacts() {
  constexpr double dead_band = 1e-3;
  const ContactSet& set = balance_.involved;
  if (set.empty()) return;
  balance_.evaluator.directions(start_.t, start_.q, set, W_0_, chi_0_);
  gamma_0_.resize(W_0_.rows());
  W_0_.multiply(start_.u, gamma_0_);
  for (int i = 0; i < gamma_0_.size(); ++i) gamma_0_[i] += chi_0_[i];
  bool free_known = false;
  for (const auto& [c, index, contact, i] : contacts_.numbered(set)) {
    for (int k = 0; k < contact.rows; ++k) {
      law_.gamma_before[contact.row + k] = gamma_0_[i + k];
      law_.e[contact.row + k] = k == 0 ? contact.law->e_N : contact.law->e_F;
    }
    if (contact.law->e_N > 0.0 && law_.kind != alpha::StepLaw::Kind::printed) {
      if (!free_known) {
        balance_.evaluator.mass_and_forces(start_.t, start_.q, start_.u, M_0_, h_0_);
        free_known = M_0_.factor();
        M_0_.solve(h_0_);
      }
      const int b = static_cast<int>(system_.joints().size() + c);
      double gain = 0.0;
      for (size_t k = 0; k < W_0_.columns(b).size(); ++k) gain += W_0_.values(b)[k] * h_0_[W_0_.columns(b)[k]];
      if (std::abs(gamma_0_[i]) < dead_band * start_.weight.dt * std::abs(gain)) law_.e[contact.row] = 0.0;
    }
  }
}

namespace {

// Whether the errors of an iteration go back and forth between two values. A contact is then found closed if it was
// assumed open, and open if it was assumed closed. This would continue until all iterations are used.
class BackAndForth {
 public:
  bool seen(double error) {
    const bool same = std::abs(error - last_[1]) <= 1e-4 * error && std::abs(last_[0] - last_[2]) <= 1e-4 * last_[0];
    last_ = {error, last_[0], last_[1]};
    return same && std::abs(last_[0] - last_[1]) > 1e-2 * error;
  }

 private:
  std::array<double, 3> last_{INFINITY, INFINITY, -INFINITY};
};

}  // namespace

bool GeneralizedAlpha::iterate(Strategy strategy, int most, StepReport& report) {
  report.solve.solver = std::max<int>(report.solve.solver, strategy);
  BackAndForth errors;
  for (int iteration = 0;; ++iteration) {
    if (evaluate()) return true;
    if (iteration == most || !std::isfinite(error_) || errors.seen(error_)) return false;
    ++report.newton;
    if (!response_.linearise(balance_, start_, x_)) return false;
    if (strategy == levels)
      levels_.solve(balance_, start_, response_, law_, dz_);
    else if (strategy == fixed_point)
      levels_.fixed_point(balance_, start_, response_, law_, options_.fixed_point_iterations, dz_);
    else
      newton_direction();
    response_.move(balance_, start_, dz_, x_);  // (143)
  }
}

bool GeneralizedAlpha::evaluate() {
  if (balance_.evaluate(start_, x_)) begin_contacts();
  law_.evaluate(balance_, start_, response_);
  error_ = std::max(balance_.error(start_, options_.tolerance),
                    law_.error(balance_, start_, response_, options_.tolerance, options_.position_tolerance));
  return error_ <= 1.0;
}

void GeneralizedAlpha::newton_direction() {
  constexpr double dependent = 1e-10;
  const int size = response_.size();
  dz_.resize(size);
  if (size == 0) return;
  law_.evaluate(balance_, start_, response_);  // with the prox parameters of this point
  law_.assemble(balance_, start_, response_, S_, dz_);
  LU_.resize(size, size);
  std::copy_n(S_.data(), static_cast<size_t>(size) * size, LU_.data());
  pivots_.resize(size);
  bool regular = dense::lu(LU_.data(), size, pivots_.data());
  for (int i = 0; regular && i < size; ++i) regular = std::abs(LU_(i, i)) > dependent;
  if (regular) {
    dense::lu_solve(LU_.data(), size, pivots_.data(), dz_.data());
  } else {
    minimum_norm_.factor(size, S_.data(), dependent);
    minimum_norm_.solve(dz_.data());
  }
  for (int z = 0; z < size; ++z) dz_[z] *= alpha::StepLaw::scale(balance_, start_, response_, z);
}

}  // namespace tappet
