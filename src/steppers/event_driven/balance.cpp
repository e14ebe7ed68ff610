// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/event_driven/balance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "math/dense.h"

namespace tappet::events {

Balance::Balance(const ContactList& contacts)
    : contacts(contacts), system(contacts.system()), evaluate(contacts), phases(contacts.size()), M(contacts) {
  a_free.assign(system.u_size(), 0.0);
  a.assign(system.u_size(), 0.0);
  w_.assign(system.u_size(), 0.0);
  h_.assign(system.u_size(), 0.0);
  q_1_.assign(system.q_size(), 0.0);
  evaluate.hold_switches();
  branches.assign(static_cast<int>(system.switches().size()), 0.0);
}

double Balance::dot(int row, const Vec& x) const {
  const auto [columns, w] = entries(row);
  double sum = 0;
  for (size_t c = 0; c < columns.size(); ++c) sum += w[c] * x[columns[c]];
  return sum;
}

std::pair<std::span<const int>, const double*> Balance::entries(int row) const {
  const int b = block_of_row_[row];
  const auto columns = W.columns(b);
  return {columns, W.values(b) + (row - W.block(b).row) * columns.size()};
}

void Balance::set_phases(const std::vector<ContactPhase>& now) {
  phases = now;
  set.clear(), first_row.clear();
  for (int k : contacts.all())
    if (phases[k].closed()) set.push_back(k);
  contact_of_row_.assign(contacts.rows(set), -1);
  for (const auto& [i, k, contact, row] : contacts.numbered(set)) first_row.push_back(row), contact_of_row_[row] = i;
}

void Balance::archive(Archive& a) {
  std::vector<ContactPhase> now = phases;
  a(now, equations, indeterminate, branches, sliding);
  if (!a.reads()) return;
  set_phases(now);
  for (int i = 0; i < branches.size(); ++i) evaluate.set_branch(i, branches[i]);
}

void Balance::place(double t, const Vec& q, const Vec& u) {
  const int n = system.u_size();
  if (!sliding.empty()) at_.t = t, at_.q = q, at_.u = u;
  const Vec& free = M.accelerations(evaluate, t, q, u, h_);
  std::copy(free.begin(), free.end(), a_free.begin());
  evaluate.directions(t, q, set, W, chi);
  evaluate.accelerations(t, q, u, set, zeta);
  const int m = W.rows();
  gamma.resize(m);
  W.multiply(u, gamma);
  for (int r = 0; r < m; ++r) gamma[r] += chi[r];
  rows.resize(n, m), block_of_row_.resize(m);
  rows.set_zero();
  for (int b = 0; b < W.blocks(); ++b) {
    const auto columns = W.columns(b);
    const double* values = W.values(b);
    for (int r = 0; r < W.block(b).rows; ++r) {
      block_of_row_[W.block(b).row + r] = b;
      for (size_t c = 0; c < columns.size(); ++c)
        rows(columns[c], W.block(b).row + r) += values[r * columns.size() + c];
    }
  }
  directions_of_slip();
}

// With one friction row this is the sign of the phase, which is smooth beyond the reversal. With more rows it is along
// the present velocity, as long as that still has a component along the last direction.
void Balance::directions_of_slip() {
  slip_now_.resize(set.size());
  for (size_t i = 0; i < set.size(); ++i) {
    const ContactPhase& phase = phases[set[i]];
    const int friction = contacts[set[i]].rows - 1;
    slip_now_[i] = phase.slip;
    if (phase.mode != Mode::slip || friction < 2 || !phase.directed) continue;
    double norm = 0, along = 0;
    for (int f = 0; f < friction; ++f) {
      const double v = gamma[first_row[i] + 1 + f];
      norm = std::hypot(norm, v), along += v * phase.slip[f];
    }
    if (along <= 0) continue;
    for (int f = 0; f < friction; ++f) slip_now_[i][f] = gamma[first_row[i] + 1 + f] / norm;
  }
}

void Balance::choose_equations(const std::vector<int>& wanted) {
  std::vector<int> order(system.joint_rows());
  std::iota(order.begin(), order.end(), 0);
  order.insert(order.end(), wanted.begin(), wanted.end());
  equations = independent(order);
  std::sort(equations.begin(), equations.end());
}

void Balance::find_indeterminate(const std::vector<int>& wanted) {
  constexpr double part = 1e-6;
  indeterminate.assign(W.rows(), 0);
  const int n = system.u_size(), m = static_cast<int>(equations.size());
  for (int row : wanted) {
    if (std::binary_search(equations.begin(), equations.end(), row)) continue;
    indeterminate[row] = 1;
    respond(false);
    rhs_.assign(m, 0.0);
    for (int e = 0; e < m; ++e)
      for (int i = 0; i < n; ++i) rhs_[e] += rows(i, row) * response_(i, e);
    if (!solve_equations(rhs_)) continue;
    for (int e = 0; e < m; ++e)
      if (std::abs(rhs_[e]) > part) indeterminate[equations[e]] = 1;
  }
}

bool Balance::depends(int row, const std::vector<int>& on) {
  std::vector<int> order = on;
  order.push_back(row);
  const std::vector<int> chosen = independent(order);
  return chosen.empty() || chosen.back() != row;
}

std::vector<int> Balance::independent(const std::vector<int>& order) {
  constexpr double dependent = 1e-9;  // relative to the squared length of a row in the metric M⁻¹
  const int n = system.u_size();
  std::vector<int> chosen;
  std::vector<Vec> basis, duals;  // orthonormal in M⁻¹, and M⁻¹ times it
  Vec w(n), x(n);
  for (int row : order) {
    for (int i = 0; i < n; ++i) w[i] = rows(i, row);
    x = w;
    M.solve(x);
    const double length = w.eigen().dot(x.eigen());
    for (int pass = 0; pass < 2; ++pass)
      for (size_t b = 0; b < basis.size(); ++b) {
        const double c = w.eigen().dot(duals[b].eigen());
        w.eigen() -= c * basis[b].eigen();
      }
    x = w;
    M.solve(x);
    const double left = w.eigen().dot(x.eigen());
    if (!(left > dependent * length)) continue;
    w.eigen() /= std::sqrt(left), x.eigen() /= std::sqrt(left);
    basis.push_back(w), duals.push_back(x);
    chosen.push_back(row);
  }
  return chosen;
}

void Balance::respond(bool with_friction) {
  const int n = system.u_size(), m = static_cast<int>(equations.size());
  response_.resize(n, m), G_.resize(m, m);
  for (int e = 0; e < m; ++e) {
    const int row = equations[e];
    double* response = response_.column(e);  // the forces, then M⁻¹ times them
    std::copy_n(rows.column(row), n, response);
    const int position = contact_of_row_[row];
    if (with_friction && position >= 0 && phases[set[position]].mode == Mode::slip) {
      const Contact& contact = contacts[set[position]];
      const double mu = contact.law->mu_law();
      for (int f = 0; f < contact.rows - 1; ++f) {
        const double c = -mu * slip_now_[position][f];
        for (int i = 0; i < n; ++i) response[i] += c * rows(i, row + 1 + f);
      }
    }
    M.solve({response, static_cast<size_t>(n)});
  }
  for (int e = 0; e < m; ++e) {
    const auto [columns, w] = entries(equations[e]);
    for (int f = 0; f < m; ++f) {
      const double* response = response_.column(f);
      double sum = 0;
      for (size_t c = 0; c < columns.size(); ++c) sum += w[c] * response[columns[c]];
      G_(e, f) = sum;
    }
  }
}

bool Balance::solve_equations(Vec& x) {
  const int m = static_cast<int>(equations.size());
  pivots_.resize(m);
  if (!dense::lu(G_.data(), m, pivots_.data())) return false;
  dense::lu_solve(G_.data(), m, pivots_.data(), x.data());
  return true;
}

double Balance::determinant() {
  const int m = static_cast<int>(equations.size());
  pivots_.resize(m);
  if (!dense::lu(G_.data(), m, pivots_.data())) return 0;
  double product = 1;
  for (int e = 0; e < m; ++e) product *= pivots_[e] == e ? G_(e, e) : -G_(e, e);
  return product;
}

double Balance::friction_ratio() {
  if (equations.empty()) return 1;
  respond(true);
  const double with_friction = determinant();
  respond(false);
  return with_friction / determinant();
}

bool Balance::solve() { return solve_held() && (sliding.empty() || slide()); }

bool Balance::solve_held() {
  const int m = static_cast<int>(equations.size()), n = system.u_size();
  lambda.assign(W.rows(), 0.0);
  std::copy(a_free.begin(), a_free.end(), a.begin());
  if (m == 0) return true;
  respond(true);
  rhs_.resize(m);
  for (int e = 0; e < m; ++e) rhs_[e] = -(dot(equations[e], a_free) + zeta[equations[e]]);
  if (!solve_equations(rhs_)) return false;
  for (int e = 0; e < m; ++e) {
    const int row = equations[e], position = contact_of_row_[row];
    for (int i = 0; i < n; ++i) a[i] += response_(i, e) * rhs_[e];
    lambda[row] = rhs_[e];
    if (position < 0 || phases[set[position]].mode != Mode::slip) continue;
    const Contact& contact = contacts[set[position]];
    for (int f = 0; f < contact.rows - 1; ++f)
      lambda[row + 1 + f] = -contact.law->mu_law() * rhs_[e] * slip_now_[position][f];
  }
  return true;
}

bool Balance::correct_velocity(Vec& u) {
  const int m = static_cast<int>(equations.size()), n = system.u_size();
  if (m == 0) return true;
  respond(true);
  rhs_.resize(m);
  for (int e = 0; e < m; ++e) rhs_[e] = -gamma[equations[e]];
  if (!solve_equations(rhs_)) return false;
  for (int e = 0; e < m; ++e)
    for (int i = 0; i < n; ++i) u[i] += response_(i, e) * rhs_[e];
  return true;
}

double Balance::correct_position(double t, Vec& q) {
  const int m = static_cast<int>(equations.size()), n = system.u_size();
  if (m == 0) return 0;
  evaluate.gaps(t, q, gaps_);
  evaluate.joint_residuals(t, q, residual_);
  rhs_.resize(m);
  double largest = 0;
  for (int e = 0; e < m; ++e) {
    const int row = equations[e], position = contact_of_row_[row];
    rhs_[e] = row < system.joint_rows() ? -residual_[row] : position >= 0 ? -gaps_[set[position]] : 0.0;
    largest = std::max(largest, std::abs(rhs_[e]));
  }
  respond(false);
  if (!solve_equations(rhs_)) return largest;
  w_.set_zero();
  for (int e = 0; e < m; ++e)
    for (int i = 0; i < n; ++i) w_[i] += response_(i, e) * rhs_[e];
  evaluate.displace(q, w_, q_1_);
  std::copy(q_1_.begin(), q_1_.end(), q.begin());
  return largest;
}

double Balance::project(State& state) {
  w_.set_zero();
  system.displace(state.q, w_, q_1_);  // normalises quaternions
  std::copy(q_1_.begin(), q_1_.end(), state.q.begin());
  if (equations.empty()) return 0;
  place(state.t, state.q, state.u);
  const double residual = correct_position(state.t, state.q);
  place(state.t, state.q, state.u);
  correct_velocity(state.u);
  return residual;
}

void Balance::set_branch(int i, double b) {
  branches[i] = b;
  const bool whole = evaluate.system().switches()[i].whole;
  evaluate.set_branch(i, whole ? b : std::clamp(b, -1.0, 1.0));
}

void Balance::switch_rates(double b, int i, Vec& rates) {
  const double before = i < 0 ? 0.0 : branches[i];
  if (i >= 0) set_branch(i, b);
  place(at_.t, at_.q, at_.u);
  solve_held();
  evaluate.switch_rates(at_.t, at_.q, at_.u, a, first_, all_rates_);
  rates.resize(static_cast<int>(sliding.size()));
  for (size_t j = 0; j < sliding.size(); ++j) rates[static_cast<int>(j)] = all_rates_[sliding[j]];
  if (i >= 0) set_branch(i, before);
}

// Accelerations are affine in b if formulas hold one switch, and nearly so otherwise. So this takes one step of
// Newton's method from a point well inside [−1, 1], and another one if several switches slide.
bool Balance::slide() {
  constexpr double inside = 0.5;
  const int m = static_cast<int>(sliding.size());
  for (int pass = 0; pass < (m == 1 ? 1 : 3); ++pass) {
    for (int i : sliding) set_branch(i, std::clamp(branches[i], -inside, inside));
    switch_rates(0.0, -1, rates_);
    slopes_.resize(m, m);
    for (int j = 0; j < m; ++j) {
      const double step = branches[sliding[j]] > 0 ? -inside : inside;
      switch_rates(branches[sliding[j]] + step, sliding[j], rates_beside_);
      for (int i = 0; i < m; ++i) slopes_(i, j) = (rates_beside_[i] - rates_[i]) / step;
    }
    pivots_.resize(m);
    if (!dense::lu(slopes_.data(), m, pivots_.data())) break;
    dense::lu_solve(slopes_.data(), m, pivots_.data(), rates_.data());
    for (int j = 0; j < m; ++j) set_branch(sliding[j], branches[sliding[j]] - rates_[j]);
  }
  place(at_.t, at_.q, at_.u);
  return solve_held();
}

}  // namespace tappet::events
