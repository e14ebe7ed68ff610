// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "tangent/equations.h"

#include <cmath>

namespace tappet {

Eigen::MatrixXd dense(const BlockRows& rows, int columns) {
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(rows.rows(), columns);
  for (int b = 0; b < rows.blocks(); ++b) {
    const auto& block = rows.block(b);
    const auto where = rows.columns(b);
    for (int r = 0; r < block.rows; ++r)
      for (int c = 0; c < block.columns; ++c) all(block.row + r, where[c]) += rows.values(b)[r * block.columns + c];
  }
  return all;
}

Eigen::MatrixXd dense(const BlockMatrix& matrix) {
  const int n = matrix.size();
  Eigen::MatrixXd all(n, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) all(i, j) = matrix(i, j);
  return all;
}

Equations::Equations(const ContactList& contacts)
    : contacts(contacts), system(contacts.system()), evaluate(contacts), M_(system.mass_matrix()), h_(system.u_size()) {
  evaluate.hold_switches();
}

void Equations::hold(const Vec& branches) {
  for (int i = 0; i < branches.size(); ++i) evaluate.set_branch(i, branches[i]);
}

Eigen::MatrixXd Equations::directions(const State& at, const ContactSet& set) {
  evaluate.directions(at.t, at.q, set, W_, chi_);
  return dense(W_, system.u_size());
}

Eigen::VectorXd Equations::velocities(const State& at, const ContactSet& set) {
  evaluate.directions(at.t, at.q, set, W_, chi_);
  Eigen::VectorXd gamma(W_.rows());
  W_.multiply(at.u, {gamma.data(), static_cast<size_t>(gamma.size())});
  return gamma + chi_.eigen();
}

Eigen::VectorXd Equations::gaps(const State& at) {
  evaluate.gaps(at.t, at.q, gaps_);
  return gaps_.eigen();
}

std::array<double, 3> Equations::slip_direction(const events::Regime& regime, int position,
                                                const Eigen::VectorXd& gamma) const {
  const int k = regime.set[position], row = regime.first_row[position], friction = contacts[k].rows - 1;
  std::array<double, 3> d = regime.phases[k].slip;
  if (friction < 2 || !regime.phases[k].directed) return d;
  const auto slip = gamma.segment(row + 1, friction);
  for (int f = 0; f < friction; ++f) d[f] = slip[f] / slip.norm();
  return d;
}

double Equations::restitution(int contact, int row, bool plastic) const {
  const ContactLaw& law = *contacts[contact].law;
  return plastic ? 0.0 : row == 0 ? law.e_N : law.e_F;
}

Eigen::VectorXd Equations::motion(const State& at, const events::Regime& regime, const Vec& a, const Vec& lambda) {
  const int n = system.u_size();
  evaluate.mass_and_forces(at.t, at.q, at.u, M_, h_);
  const Eigen::VectorXd gamma = velocities(at, regime.set);
  Vec forces = lambda;
  for (size_t i = 0; i < regime.set.size(); ++i) {
    const int k = regime.set[i], row = regime.first_row[i];
    if (regime.phases[k].mode != events::Mode::slip) continue;
    const auto d = slip_direction(regime, static_cast<int>(i), gamma);
    for (int f = 1; f < contacts[k].rows; ++f) forces[row + f] = -contacts[k].law->mu_law() * forces[row] * d[f - 1];
  }
  Vec pushed(n), inertial(n), rates(W_.rows());
  W_.multiply_transposed(forces, pushed);
  M_.multiply(a, inertial);
  W_.multiply(a, rates);
  evaluate.accelerations(at.t, at.q, at.u, regime.set, zeta_);
  Eigen::VectorXd residual(n + static_cast<int>(regime.equations.size()));
  residual.head(n) = inertial.eigen() - h_.eigen() - pushed.eigen();
  for (size_t e = 0; e < regime.equations.size(); ++e)
    residual[n + static_cast<int>(e)] = rates[regime.equations[e]] + zeta_[regime.equations[e]];
  return residual;
}

Eigen::VectorXd Equations::jump(const State& at, const events::VelocityJump& jump,
                                const std::vector<JumpStatus>& statuses) {
  const int n = system.u_size();
  evaluate.mass(at.t, at.q, M_);
  const Eigen::MatrixXd W = directions(at, jump.set);
  const Eigen::VectorXd after = W * jump.u_after.eigen() + chi_.eigen(),
                        before = W * jump.u_before.eigen() + chi_.eigen();
  Eigen::VectorXd residual(n + W.rows());
  residual.head(n) = dense(M_) * (jump.u_after.eigen() - jump.u_before.eigen()) - W.transpose() * jump.P.eigen();
  residual.tail(W.rows()) = after;
  for (const auto& [i, k, contact, row] : contacts.numbered(jump.set)) {
    auto law = residual.segment(n + row, contact.rows);
    for (int r = 0; r < contact.rows; ++r) law[r] += restitution(k, r, jump.plastic) * before[row + r];
    const int friction = contact.rows - 1;
    if (statuses[i] == JumpStatus::separates) {
      for (int r = 0; r < contact.rows; ++r) law[r] = jump.P[row + r];
    } else if (statuses[i] == JumpStatus::slips && friction > 0) {
      const Eigen::VectorXd d = law.tail(friction).normalized();
      for (int f = 1; f <= friction; ++f) law[f] = jump.P[row + f] + contact.law->mu_law() * jump.P[row] * d[f - 1];
    }
  }
  return residual;
}

}  // namespace tappet
