// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/generalized_alpha/balance.h"

#include <algorithm>
#include <cmath>

#include "steppers/shared/contact_rows.h"

namespace tappet::alpha {

void reserve_rows(const ContactList& contacts, BlockRows& W) {
  int columns = 0, values = 0;
  const auto count = [&](const Constraint& c) {
    columns += static_cast<int>(c.columns.size());
    values += c.rows * static_cast<int>(c.columns.size());
  };
  for (const Constraint& joint : contacts.system().joints()) count(joint);
  for (const Contact& contact : contacts) count(contact);
  W.reserve(static_cast<int>(contacts.system().joints().size() + contacts.size()), columns, values);
}

Balance::Balance(const ContactList& contacts)
    : contacts(contacts),
      system(contacts.system()),
      evaluator(contacts),
      w(system.u_size()),
      q(system.q_size()),
      u(system.u_size()),
      h(system.u_size()),
      M(system.mass_matrix(contacts.execution())),
      R_a(system.u_size()),
      R_U(system.u_size()),
      R_Q(system.u_size()),
      work_(system.u_size()) {
  const int most = contacts.rows();
  involved.reserve(contacts.size());
  row.reserve(most), position.reserve(most), position_row.reserve(most);
  for (Vec* x : {&g, &gamma, &gamma_dot, &kappa, &Lambda, &lambda, &chi, &zeta_}) x->reserve(most);
  reserve_rows(contacts, W);
  gaps.reserve(contacts.size()), joint_g_.reserve(system.joint_rows());
  lay_out();
}

void Balance::involve(const Start& start) {
  involved.clear();
  for (int k = 0; k < contacts.size(); ++k) {
    const Contact& contact = contacts[k];
    bool remembers = false;
    for (int i = contact.row; i < contact.row + contact.rows; ++i)
      remembers = remembers || start.lambda[i] != 0.0 || start.lambda_bar[i] != 0.0;
    if (remembers) involved.push_back(k);
  }
  lay_out();
}

void Balance::lay_out() {
  row.clear(), position.clear();
  positions = 0;
  for (const Constraint& joint : system.joints())
    for (int i = 0; i < joint.rows; ++i) {
      row.push_back(joint.row + i);
      position.push_back(joint.position_level ? positions++ : -1);
    }
  for (int k : involved) {
    const Contact& contact = contacts[k];
    for (int i = 0; i < contact.rows; ++i) {
      row.push_back(contact.row + i);
      position.push_back(i == 0 ? positions++ : -1);
    }
  }
  rows = static_cast<int>(row.size());
  position_row.resize(positions);
  for (int i = 0; i < rows; ++i)
    if (position[i] >= 0) position_row[position[i]] = i;
}

bool Balance::evaluate(const Start& start, const Unknowns& x) {
  const Quadrature& weight = start.weight;
  const int n = u.size();
  t = start.t + weight.dt;
  for (int i = 0; i < n; ++i) w[i] = start.w[i] + weight.position_1 * x.a[i] + x.Q[i];  // (73)
  for (int i = 0; i < n; ++i) u[i] = start.v[i] + weight.velocity_1 * x.a[i] + x.U[i];
  evaluator.displace(start.q, w, q);
  const bool grown = involve_touched();
  evaluate_mass_and_forces();
  evaluate_rows(x);
  evaluate_residuals(x);
  return grown;
}

// A constant M is computed and factorised only once.
void Balance::evaluate_mass_and_forces() {
  if (mass_ != Mass::unknown && system.mass_is_constant()) return evaluator.forces(t, q, u, h);
  evaluator.mass_and_forces(t, q, u, M, h);
  mass_ = Mass::known;
}

bool Balance::factor_mass() {
  if (mass_ != Mass::known) return mass_ == Mass::factorised;
  mass_ = M.factor() ? Mass::factorised : Mass::singular;
  return mass_ == Mass::factorised;
}

// Contacts that touch at the trial point take part from here on. True: there are new ones.
bool Balance::involve_touched() {
  evaluator.gaps(t, q, gaps);
  const size_t before = involved.size();
  for (int k = 0; k < gaps.size(); ++k)
    if (gaps[k] <= 0.0 && !std::binary_search(involved.begin(), involved.end(), k))
      involved.insert(std::upper_bound(involved.begin(), involved.end(), k), k);
  const bool grown = involved.size() > before;
  if (grown) lay_out();
  return grown;
}

// W, and the kinematics of its rows on three levels.
void Balance::evaluate_rows(const Unknowns& x) {
  evaluator.directions(t, q, involved, W, chi);
  evaluator.accelerations(t, q, u, involved, zeta_);
  evaluator.joint_residuals(t, q, joint_g_);
  g.resize(positions), gamma.resize(rows), gamma_dot.resize(rows);
  W.multiply(u, gamma);
  W.multiply(x.a, gamma_dot);
  int contact = 0;
  for (int i = 0; i < rows; ++i) {
    gamma[i] += chi[i];
    gamma_dot[i] += zeta_[i];
    if (position[i] < 0) continue;
    g[position[i]] = row[i] < system.joint_rows() ? joint_g_[row[i]] : gaps[involved[contact++]];
  }
}

void Balance::evaluate_residuals(const Unknowns& x) {
  gather_rows(contacts, involved, x.kappa, kappa);
  gather_rows(contacts, involved, x.Lambda, Lambda);
  gather_rows(contacts, involved, x.lambda, lambda);
  imbalance(x.a, lambda, R_a, force);
  for (int i = 0; i < h.size(); ++i) force = std::max(force, std::abs(h[i])), R_a[i] -= h[i];
  M.multiply(u, work_);
  momentum = work_.eigen().lpNorm<Eigen::Infinity>();
  imbalance(x.U, Lambda, R_U, impulse);
  imbalance(x.Q, kappa, R_Q, shift);
}

double Balance::error(const Start& start, double tolerance) const {
  const double in_a = R_a.eigen().lpNorm<Eigen::Infinity>() / force_tolerance(tolerance);
  const double in_U = R_U.eigen().lpNorm<Eigen::Infinity>() / impulse_tolerance(start, tolerance);
  const double in_Q = R_Q.eigen().lpNorm<Eigen::Infinity>() / shift_tolerance(start, tolerance);
  return std::max({in_a, in_U, in_Q});
}

// R = M x − W multipliers, and the largest of its terms.
void Balance::imbalance(const Vec& x, const Vec& multipliers, Vec& R, double& size) {
  M.multiply(x, R);
  work_.set_zero();
  W.multiply_transposed(multipliers, work_);
  size = 0.0;
  for (int i = 0; i < R.size(); ++i) {
    size = std::max({size, std::abs(R[i]), std::abs(work_[i])});
    R[i] -= work_[i];
  }
}

}  // namespace tappet::alpha
