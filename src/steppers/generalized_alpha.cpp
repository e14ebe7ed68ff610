// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/generalized_alpha.h"

#include <algorithm>
#include <cmath>

#include "math/dense.h"
#include "steppers/active_set.h"

namespace tappet {

namespace {

alpha::Law::Kind law_kind(const std::string& name) {
  using Kind = alpha::Law::Kind;
  return name == "printed" ? Kind::printed : name == "bruls" ? Kind::bruls : Kind::consistent;
}

}  // namespace

GeneralizedAlpha::GeneralizedAlpha(const System& system, std::unique_ptr<ContactSolver> solver, const Options& options)
    : system_(system),
      options_(options),
      coefficients_(alpha::coefficients(options)),
      balance_(system),
      response_(system),
      law_(system, law_kind(options.law)),
      levels_(system, std::move(solver)),
      forces_(system, levels_.solver()),
      x_(system.u_size(), system.rows()),
      guess_(system.u_size(), system.rows()),
      closed_(system.u_size(), system.rows()),
      state_of_(system.contacts().size()),
      gamma_0_(system.rows()),
      h_0_(system.u_size()),
      M_0_(system.mass_matrix()) {
  const int n = system.u_size(), rows = system.rows();
  start_.q = Vec(system.q_size());
  for (Vec* x : {&start_.u, &start_.a, &start_.a_bar, &start_.w, &start_.v}) *x = Vec(n);
  for (Vec* x : {&start_.lambda, &start_.lambda_bar, &start_.P, &start_.kappa}) *x = Vec(rows);
  for (Vec* x : {&impulses_.P, &impulses_.lambda, &impulses_.Lambda}) *x = Vec(rows);
  impulses_.separated = true;
  events_.reserve(4 * system.contacts().size() + 8);
  dz_.reserve(3 * rows), pivots_.reserve(3 * rows);
  if (rows <= alpha::reserved_rows) S_.reserve(3 * rows, 3 * rows), LU_.reserve(3 * rows, 3 * rows);
  alpha::reserve_rows(system, W_0_);
  chi_0_.reserve(rows);
  last_ = system.initial();
}

StepReport GeneralizedAlpha::step(State& state, double dt) {
  const bool known = known_ && std::abs(state.t - last_.t) <= 1e-6 * dt && state.q == last_.q && state.u == last_.u;
  if (!known) restart(state);
  StepReport report;
  events_.clear();
  impulses_.P.set_zero(), impulses_.Lambda.set_zero();
  report.solve.status = SolveStatus::converged;
  smallest_dt_ = 1.001 * std::ldexp(dt, -options_.halvings);
  if (!advance(state, dt, 0, report)) report.solve.status = SolveStatus::not_converged;
  report.dt = dt;
  last_ = state;
  known_ = true;
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

// γ⁻ at (t₀, q₀, u₀). Restitution ends where the approach is slower than what the forces gain in a thousandth of a
// step: below it an accumulation of impacts would never be left.
void GeneralizedAlpha::begin_contacts() {
  constexpr double dead_band = 1e-3;
  const ContactSet& set = balance_.involved;
  if (set.empty()) return;
  balance_.evaluator.directions(start_.t, start_.q, set, W_0_, chi_0_);
  gamma_0_.resize(W_0_.rows());
  W_0_.multiply(start_.u, gamma_0_);
  for (int i = 0; i < gamma_0_.size(); ++i) gamma_0_[i] += chi_0_[i];
  bool free_known = false;
  int i = system_.joint_rows();
  for (size_t c = 0; c < set.size(); ++c) {
    const Contact& contact = system_.contacts()[set[c]];
    for (int k = 0; k < contact.rows; ++k) {
      law_.gamma_before[contact.row + k] = gamma_0_[i + k];
      law_.e[contact.row + k] = k == 0 ? contact.law.e_N : contact.law.e_F;
    }
    if (contact.law.e_N > 0.0 && law_.kind != alpha::Law::Kind::printed) {
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
    i += contact.rows;
  }
}

bool GeneralizedAlpha::solve(StepReport& report) {
  law_.allow_continued = true;
  std::fill(law_.held.begin(), law_.held.end(), 0);
  x_ = guess_;
  const Strategy first = options_.strategy == "levels"        ? levels
                         : options_.strategy == "fixed-point" ? fixed_point
                                                              : newton;
  if (first == newton) {
    if (iterate(newton, options_.newton_iterations, report)) return !paradox(0.0) || leave(report);
    if (paradox(0.25) && start_.weight.dt > smallest_dt_) return false;  // friction forces the contact: halve first
  }
  law_.allow_continued = false;
  if (levels_.solver()) {
    x_ = guess_;
    if (iterate(first == fixed_point ? fixed_point : levels, options_.level_iterations, report)) return true;
  }
  for (int k : balance_.involved) law_.held[k] = !state_of_[k].B;
  x_ = guess_;
  if (iterate(held, options_.newton_iterations, report)) return true;
  std::fill(law_.held.begin(), law_.held.end(), 0);
  x_ = guess_;
  x_.lambda.set_zero();
  return iterate(opened, options_.newton_iterations, report);
}

// Painlevé: whether some sliding contact is pressed on by its own friction, w_Nᵀ M⁻¹ (w_N − μ W_F d) ≤ share · G. At
// share 0 closed and open contact may both be solutions.
bool GeneralizedAlpha::paradox(double share) const {
  if (response_.size() == 0) return false;
  int i = system_.joint_rows();
  for (size_t c = 0; c < balance_.involved.size(); ++c) {
    const Contact& contact = system_.contacts()[balance_.involved[c]];
    if (law_.sets()[c].B && contact.rows > 1 && !law_.sets()[c].D_stick &&
        law_.pressing(balance_, response_, static_cast<int>(c), i) <= share)
      return true;
    i += contact.rows;
  }
  return false;
}

// Of two solutions the open one, where it is one: contact that only its friction keeps closed ends here.
bool GeneralizedAlpha::leave(StepReport& report) {
  closed_ = x_;
  for (size_t c = 0; c < balance_.involved.size(); ++c)
    if (law_.sets()[c].B && !law_.sets()[c].D_stick) events_.push_back({balance_.t, Event::Kind::branch, balance_.involved[c]});
  x_ = guess_;
  x_.lambda.set_zero();
  if (iterate(opened, options_.newton_iterations, report)) return true;
  x_ = closed_;
  return evaluate();
}

bool GeneralizedAlpha::iterate(Strategy strategy, int most, StepReport& report) {
  report.solve.solver = std::max<int>(report.solve.solver, strategy);
  for (int iteration = 0;; ++iteration) {
    if (evaluate()) return true;
    if (iteration == most || !std::isfinite(error_)) return false;
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
  for (int z = 0; z < size; ++z) dz_[z] *= alpha::Law::scale(balance_, start_, response_, z);
}

void GeneralizedAlpha::accept(State& state, StepReport& report) {
  state.t = balance_.t;
  state.q = balance_.q, state.u = balance_.u;
  report.solve.residual = std::max(report.solve.residual, error_ * options_.tolerance);
  report.solve.iterations = report.newton;
  report.closed = 0;
  for (int i = 0; i < balance_.rows; ++i) {
    const int s = balance_.row[i];
    impulses_.P[s] += law_.P[i];
    impulses_.Lambda[s] += balance_.Lambda[i];
  }
  for (size_t c = 0; c < balance_.involved.size(); ++c) {
    const auto& set = law_.sets()[c];
    report.closed += set.A;
    report.impulsive = report.impulsive || (set.B && !state_of_[balance_.involved[c]].B);
    if (set.B) continue;
    const Contact& contact = system_.contacts()[balance_.involved[c]];  // exactly zero: it need not be remembered
    for (int i = contact.row; i < contact.row + contact.rows; ++i) x_.lambda[i] = 0.0;
  }
  impulses_.lambda = x_.lambda;
  note_events();
  remember();
}

void GeneralizedAlpha::remember() {
  bool changed = false;
  size_t c = 0;
  int row = system_.joint_rows();
  for (size_t k = 0; k < state_of_.size(); ++k) {
    alpha::Law::Sets now;
    const bool involved = c < balance_.involved.size() && balance_.involved[c] == static_cast<int>(k);
    if (involved) {
      now = law_.sets()[c++];
      law_.slid[k] = now.B && !now.D_stick && balance_.lambda[row] > 0.0;
      row += system_.contacts()[k].rows;
    } else {
      law_.slid[k] = 0;
    }
    now.continued = false;
    changed = changed || !(now == state_of_[k]);
    state_of_[k] = now;
  }
  for (int i = 0; i < x_.a.size(); ++i) {
    start_.a_bar[i] = changed ? x_.a[i] : start_.weight.bar(start_.a_bar[i], start_.a[i], x_.a[i]);  // (71)
    start_.a[i] = x_.a[i];
  }
  for (int i = 0; i < x_.lambda.size(); ++i) {  // (96), (114)
    start_.lambda_bar[i] =
        changed ? x_.lambda[i] : start_.weight.bar(start_.lambda_bar[i], start_.lambda[i], x_.lambda[i]);
    start_.lambda[i] = x_.lambda[i];
  }
}

void GeneralizedAlpha::note_events() {
  constexpr double catastrophe = 10.0;  // an impulse so much larger than the forces' own, without an approach
  size_t c = 0;
  int row = system_.joint_rows();
  for (size_t k = 0; k < state_of_.size(); ++k) {
    const Contact& contact = system_.contacts()[k];
    const auto note = [&](Event::Kind kind) { events_.push_back({balance_.t, kind, static_cast<int>(k)}); };
    const bool involved = c < balance_.involved.size() && balance_.involved[c] == static_cast<int>(k);
    const auto before = state_of_[k], now = involved ? law_.sets()[c] : alpha::Law::Sets{};
    if (before.B && !now.B) note(Event::Kind::opening);
    if (!involved) continue;
    const double approach = law_.gamma_before[contact.row];
    if (now.B && !before.B) note(approach < 0.0 ? Event::Kind::impact : Event::Kind::closing);
    if (contact.rows > 1 && now.B && before.B && now.D_stick != before.D_stick)
      note(now.D_stick ? Event::Kind::stick : Event::Kind::slip);
    const double Lambda = balance_.Lambda[row] * response_.weight[contact.row];
    if (now.B && contact.rows > 1 && Lambda > catastrophe * start_.weight.dt * balance_.force &&
        Lambda > catastrophe * std::abs(approach) * response_.r[contact.row] * response_.weight[contact.row])
      note(Event::Kind::branch);
    row += contact.rows, ++c;
  }
}

}  // namespace tappet
