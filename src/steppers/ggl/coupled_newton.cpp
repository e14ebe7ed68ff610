// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/ggl/coupled_newton.h"

#include <algorithm>
#include <cmath>

#include "math/wide/sums.h"

namespace tappet {

CoupledNewton::CoupledNewton(Evaluator& evaluate, ContactSolver& solver, const Settings& settings)
    : u_1(evaluate.system().u_size()),
      q_1(evaluate.system().q_size()),
      contacts_(evaluate.contacts()),
      system_(evaluate.system()),
      solver_(solver),
      settings_(settings),
      weight_(settings.midpoint ? 0.5 : 1.0),
      project_joints_(settings.joints == JointLevel::ggl),
      evaluate_(evaluate),
      identity_(system_.u_size()),
      coupling_(contacts_),
      M_(system_.mass_matrix(contacts_.execution())),
      M_u_(system_.constrained_matrix(contacts_.execution())),
      M_hat_(system_.constrained_matrix(contacts_.execution())),
      B_(system_.constrained_matrix(contacts_.execution())) {
  joints_by_position_ = settings.joints == JointLevel::position;
  for (const Constraint& joint : system_.joints()) joints_by_position_ = joints_by_position_ && joint.position_level;
  for (const Constraint& joint : system_.joints())
    if (project_joints_ && joint.position_level) joint_gaps_ += joint.rows;
  analyse_joints();
  if (system_.mass_is_constant()) evaluate_.mass(system_.initial().t, system_.initial().q, M_);
  for (Vec* x : {&w_, &u_theta_, &s_, &F_, &r_, &x_, &y_, &z_, &a_}) x->resize(system_.u_size());
  du_.resize(lanes * system_.u_size()), dq_.resize(lanes * system_.u_size());
  for (Vec* q : {&q_free_, &q_theta_, &q_directions_}) q->resize(system_.q_size());
}

void CoupledNewton::archive(Archive& a) {
  a(coupling_, P, acting_);
  if (a.reads()) make_matrices();
  a(alone_, held_);
}

void CoupledNewton::make_matrices() {
  M_u_ = coupling_.matrix(), M_hat_ = coupling_.matrix(), B_ = coupling_.matrix();
  analyse_joints();
}

void CoupledNewton::start(const State& state) {
  std::copy(state.u.begin(), state.u.end(), u_1.begin());
  s_.set_zero();
}

StepReport CoupledNewton::solve(const State& state, double dt, const Vec& rates_0, const ContactSet& active,
                                const ContactSet& projected) {
  StepReport report;
  if (coupling_.cover(active)) make_matrices();
  if (P.size() != contacts_.rows(active) || !active.empty()) P.assign(contacts_.rows(active), 0.0);
  tau.resize(0);
  equal_.assign(projected.size(), 0);
  if (settings_.linearised) evaluate_.gaps(state.t, state.q, gaps_0_);
  if (settings_.midpoint && !system_.mass_is_constant()) {
    evaluate_.displace(state.q, dt / 2, state.u, q_theta_);
    evaluate_.mass(state.t + dt / 2, q_theta_, M_);
  }
  double before = INFINITY;
  momentum_ = 0.0;
  factored_ = holds_ = false;
  bool again = false;
  while (true) {
    place(state, dt);
    const double size = balance(state, dt);
    evaluate_.directions(state.t + weight_ * dt, q_directions_, active, W_, chi_);
    rates(state, dt, active, rates_0);
    gap_rows(state, dt, active, projected);
    const bool held = hold(active, projected);
    if (report.newton > 0) {
      const double now = mismatch(dt, size);
      const bool settled = !settings_.prox || !choose_rows();
      if (held && settled && (now <= 1.0 || (report.newton > 4 && now <= 1e3 && now >= 0.1 * before))) return report;
      if (report.newton >= settings_.iterations || !std::isfinite(now)) {
        report.solve.status = SolveStatus::not_converged;
        report.solve.residual = std::max(report.solve.residual, now * settings_.momentum_tolerance);
        return report;
      }
      // Close to the solution the matrix hardly changes. In steps with contacts an iteration with an earlier matrix
      // would end just below the tolerance, where others end far below it.
      constexpr double close = 1e4;
      again = report.newton == 1 && now <= close && active.empty();
      before = now;
    }
    if (derives_late()) rate_gradients(state.t + dt, dt, active);
    if (!solve_joints(state, dt, active, report)) {
      if (positions_alone(active)) joint_gradients(state.t + dt, dt);
      if (!solve_contacts(state, dt, active, projected, again, report)) solve_all(dt, active, projected, report);
    }
    ++report.newton;
  }
}

void CoupledNewton::place(const State& state, double dt) {
  const double theta = settings_.theta;
  const int n = u_1.size();
  for (int i = 0; i < n; ++i) u_theta_[i] = (1 - theta) * state.u[i] + theta * u_1[i];
  for (int i = 0; i < n; ++i) w_[i] = dt * u_theta_[i];
  if (shifted()) {
    evaluate_.displace(state.q, w_, q_free_);
    evaluate_.displace(q_free_, s_, q_1);
    for (int i = 0; i < n; ++i) w_[i] += s_[i];  // the whole displacement is kept
  } else {
    evaluate_.displace(state.q, w_, q_1);
  }
  evaluate_.displace(state.q, theta, w_, q_theta_);
  if (!settings_.midpoint)
    q_directions_ = q_1;
  else if (theta == weight_)
    q_directions_ = q_theta_;
  else
    evaluate_.displace(state.q, weight_, w_, q_directions_);
}

bool CoupledNewton::shifted() const {
  return std::any_of(s_.begin(), s_.end(), [](double s) { return s != 0.0; });
}

double CoupledNewton::balance(const State& state, double dt) {
  const double t_theta = state.t + settings_.theta * dt;
  const int n = u_1.size();
  if (settings_.midpoint || system_.mass_is_constant())
    evaluate_.forces(t_theta, q_theta_, u_theta_, F_);
  else
    evaluate_.mass_and_forces(t_theta, q_theta_, u_theta_, M_, F_);
  if (momentum_ == 0.0) {
    for (int i = 0; i < n; ++i) x_[i] = std::abs(state.u[i]);
    M_.multiply(x_, r_);
    for (double p : r_) momentum_ = std::max(momentum_, std::abs(p));
  }
  for (int i = 0; i < n; ++i) x_[i] = u_1[i] - state.u[i];
  M_.multiply(x_, r_);
  double size = 0.0;
  for (int i = 0; i < n; ++i) {
    size = std::max({size, std::abs(r_[i]), std::abs(dt * F_[i])});
    r_[i] = dt * F_[i] - r_[i];
  }
  return size;
}

bool CoupledNewton::hold(const ContactSet& active, const ContactSet& projected) {
  if (!settings_.hold_pressed) return true;
  bool same = true;
  size_t i = 0;
  for (const auto& [k, contact, row] : contacts_.each(active)) {
    while (i < projected.size() && projected[i] < k) ++i;
    const bool equal = P[row] > pressed;
    if (i < projected.size() && projected[i] == k) same = same && equal_[i] == equal, equal_[i] = equal;
  }
  return same;
}

double CoupledNewton::mismatch(double dt, double size) {
  x_.set_zero();
  W_.multiply_transposed(P, x_);
  double momentum = 0.0;
  for (int i = 0; i < x_.size(); ++i) {
    momentum = std::max(momentum, std::abs(r_[i] + x_[i]));
    size = std::max(size, std::abs(x_[i]));
  }
  constexpr double round_off = 2e-15;  // of u₁ − u₀, in units of the momenta
  size = settings_.momentum_tolerance * (settings_.absolute ? 1.0 : size) + round_off * momentum_;
  double worst = momentum > 0 ? momentum / size : 0.0;
  // Rates are compared with the largest of the step, because at rest those along the surface are round-off.
  const int joints = static_cast<int>(system_.joints().size());
  for (int k = 0; k < L_u_.blocks() && xi_.size() > 0; ++k) {
    const auto& b = L_u_.block(k);
    if (settings_.joints == JointLevel::position && k < joints && system_.joints()[k].position_level) {
      for (int r = 0; r < b.rows; ++r)
        worst = std::max(worst, dt * std::abs(xi_[b.row + r] - xi_linear_[b.row + r]) / (20 * settings_.gap_tolerance));
      continue;
    }
    for (int r = 0; r < b.rows; ++r) {
      double terms = 0.0;  // the size of ξ without cancellation
      for (int c = 0; c < b.columns; ++c)
        terms += std::abs(L_u_.values(k)[r * b.columns + c] * u_1[L_u_.columns(k)[c]]);
      const double error = std::abs(xi_[b.row + r] - xi_linear_[b.row + r]);
      if (error > 0)
        worst = std::max(
            worst, error / (std::max(10 * settings_.momentum_tolerance, 1e-12) * std::max(rate_, terms) + 1e-300));
    }
  }
  for (int r = 0; r < g_.size(); ++r)
    worst = std::max(worst, std::abs(g_[r] - xi_linear_[xi_.size() + r]) / settings_.gap_tolerance);
  if (g_.size() > 0 && !settings_.kinetic) {
    x_.set_zero();
    G_.multiply_transposed(tau, x_);
    for (int i = 0; i < x_.size(); ++i) worst = std::max(worst, std::abs(x_[i] - s_[i]) / settings_.gap_tolerance);
  }
  return worst;
}

void CoupledNewton::linearise(const State& state, double dt, const ContactSet& active) {
  const double theta = settings_.theta, t_theta = state.t + theta * dt;
  B_.set_zero();
  if (!settings_.midpoint) {
    for (int i = 0; i < u_1.size(); ++i) x_[i] = u_1[i] - state.u[i];
    evaluate_.add_mass_derivative(t_theta, q_theta_, x_, theta, B_);
  }
  evaluate_.add_force_derivatives(t_theta, q_theta_, u_theta_, -dt * theta, 0.0, B_);
  evaluate_.add_impulse_derivative(state.t + weight_ * dt, q_directions_, active, P, -weight_, B_);
  M_u_.assign(M_);
  evaluate_.add_force_derivatives(t_theta, q_theta_, u_theta_, 0.0, -dt * theta, M_u_);
}

void CoupledNewton::factor(double dt) {
  M_hat_.assign(M_u_);
  M_hat_.add(B_, dt * settings_.theta);
  M_hat_.factor();
}

// One problem in (P, τ) of all joints and contacts.
void CoupledNewton::solve_all(double dt, const ContactSet& active, const ContactSet& projected, StepReport& report) {
  factor(dt);
  move_freely(dt);
  assemble(dt, active, projected);
  if (settings_.prox)
    solve_prox();
  else
    report.solve = solver_.solve(problem_, row_);
  advance();
}

bool CoupledNewton::takes_force(int row) const {
  const int rows_v = xi_.size();
  const double force = row < rows_v ? P[row] : row - rows_v < tau.size() ? tau[row - rows_v] : 0.0;
  const double rate = row < rows_v ? xi_[row] : g_[row - rows_v];
  return force - settings_.prox_parameter / problem_.G.dense()(row, row) * rate > 0.0;
}

bool CoupledNewton::choose_rows() {
  bool changed = acting_.size() != static_cast<size_t>(problem_.c.size());
  acting_.resize(problem_.c.size());
  for (const Law& law : problem_.laws)
    for (int r = law.row; r < law.row + law.rows; ++r) {
      const char acts = law.kind == Law::Kind::bilateral || (r == law.row && takes_force(r));
      changed = changed || acting_[r] != acts;
      acting_[r] = acts;
    }
  return changed;
}

void CoupledNewton::solve_prox() {
  choose_rows();
  const int rows = row_.size();
  prox_matrix_.resize(rows, rows);
  for (int j = 0; j < rows; ++j)
    for (int r = 0; r < rows; ++r)
      prox_matrix_(r, j) = acting_[r] ? problem_.G.dense()(r, j) : r == j ? problem_.G.dense()(r, r) : 0.0;
  for (int r = 0; r < rows; ++r) row_[r] = acting_[r] ? -problem_.c[r] : 0.0;
  if (rows == 0) return;
  prox_solver_.factor(rows, prox_matrix_.data());
  prox_solver_.solve(row_.data());
}

void CoupledNewton::advance() {
  const int n = u_1.size(), rows_v = xi_.size(), rows = row_.size();
  xi_linear_.resize(rows);
  for (int r = 0; r < rows; ++r) xi_linear_[r] = problem_.c[r];
  for (int j = 0; j < rows; ++j)
    add_multiple(rows, xi_linear_.data(), row_[j], problem_.G.dense().column(j), xi_linear_.data());
  s_.set_zero();
  for (int j = 0; j < rows; ++j) {
    if (row_[j] == 0.0) continue;
    add_multiple(n, r_.data(), row_[j], X_.column(j), r_.data());
    if (j >= rows_v) add_multiple(n, s_.data(), row_[j], Z_.column(j), s_.data());
  }
  for (int i = 0; i < n; ++i) u_1[i] += r_[i];
  P.resize(rows_v), tau.resize(rows - rows_v);
  for (int r = 0; r < rows_v; ++r) P[r] = row_[r];
  for (int r = rows_v; r < rows; ++r) tau[r - rows_v] = row_[r];
}

}  // namespace tappet
