// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "tangent/linearisation.h"

namespace tappet {

Linearisation::Linearisation(Equations& equations)
    : equations_(equations),
      M_(equations.system.mass_matrix()),
      by_q_(equations.system.constrained_matrix()),
      by_u_(equations.system.constrained_matrix()) {}

void Linearisation::balance(const State& at, const events::Regime& regime) {
  at_ = at;
  equations_.hold(regime.branches);
  solve_balance(regime);
}

void Linearisation::place(const State& at, const events::Regime& regime) {
  balance(at, regime);
  const int n = at.u.size();
  const Eigen::MatrixXd response = respond(residual_slopes(regime));
  A = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  A.topRightCorner(n, n).setIdentity();
  for (const int i : equations_.system.rotations()) {  // Ṙ = R ω̃: a turn w of the body's frame obeys ẇ = v − ω × w
    const double x = at.u[i], y = at.u[i + 1], z = at.u[i + 2];
    A.block(i, i, 3, 3) << 0, z, -y, -z, 0, x, y, -x, 0;
  }
  A.bottomRows(n) = response.topRows(n);
  forces_by_x = response.bottomRows(response.rows() - n);
}

Eigen::VectorXd Linearisation::rate() const {
  Eigen::VectorXd both(2 * a.size());
  both << at_.u.eigen(), a.eigen();
  return both;
}

// The unknowns solve a linear system whose residual at zero is the right-hand side.
void Linearisation::solve_balance(const events::Regime& regime) {
  const System& system = equations_.system;
  const int n = system.u_size(), m = static_cast<int>(regime.equations.size());
  W_ = equations_.directions(at_, regime.set);
  gamma_ = equations_.velocities(at_, regime.set);
  equations_.evaluate.mass(at_.t, at_.q, M_);
  Eigen::MatrixXd acting = W_;  // with the friction that a normal force brings along
  for (size_t i = 0; i < regime.set.size(); ++i) {
    const int k = regime.set[i], row = regime.first_row[i];
    if (regime.phases[k].mode != events::Mode::slip) continue;
    const auto d = equations_.slip_direction(regime, static_cast<int>(i), gamma_);
    for (int f = 1; f < equations_.contacts[k].rows; ++f)
      acting.row(row) -= equations_.contacts[k].law->mu_law() * d[f - 1] * W_.row(row + f);
  }
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + m, n + m);
  K.topLeftCorner(n, n) = dense(M_);
  for (int e = 0; e < m; ++e) {
    K.col(n + e).head(n) = -acting.row(regime.equations[e]).transpose();
    K.row(n + e).head(n) = W_.row(regime.equations[e]);
  }
  factors_.compute(K);
  a.assign(n, 0.0), lambda.assign(static_cast<int>(W_.rows()), 0.0);
  const Eigen::VectorXd unknowns = respond(equations_.motion(at_, regime, a, lambda));
  a.eigen() = unknowns.head(n);
  for (int e = 0; e < m; ++e) lambda[regime.equations[e]] = unknowns[n + e];
  for (size_t i = 0; i < regime.set.size(); ++i) {
    const int k = regime.set[i], row = regime.first_row[i];
    if (regime.phases[k].mode != events::Mode::slip) continue;
    const auto d = equations_.slip_direction(regime, static_cast<int>(i), gamma_);
    for (int f = 1; f < equations_.contacts[k].rows; ++f)
      lambda[row + f] = -equations_.contacts[k].law->mu_law() * lambda[row] * d[f - 1];
  }
}

Eigen::MatrixXd Linearisation::residual_slopes(const events::Regime& regime) {
  const System& system = equations_.system;
  Evaluator& evaluate = equations_.evaluate;
  const int n = system.u_size(), m = static_cast<int>(regime.equations.size());
  by_q_.set_zero(), by_u_.set_zero();
  evaluate.add_force_derivatives(at_.t, at_.q, at_.u, -1.0, 0.0, by_q_);
  evaluate.add_mass_derivative(at_.t, at_.q, a, 1.0, by_q_);
  if (lambda.size() > 0) evaluate.add_impulse_derivative(at_.t, at_.q, regime.set, lambda, -1.0, by_q_);
  evaluate.add_force_derivatives(at_.t, at_.q, at_.u, 0.0, -1.0, by_u_);
  BlockRows rows_by_q, rows_by_u;
  evaluate.acceleration_derivatives(at_.t, at_.q, at_.u, a, regime.set, rows_by_q, rows_by_u);
  const Eigen::MatrixXd along_q = dense(rows_by_q, n), along_u = dense(rows_by_u, n);
  Eigen::MatrixXd slopes(n + m, 2 * n);
  slopes.topLeftCorner(n, n) = dense(by_q_), slopes.topRightCorner(n, n) = dense(by_u_);
  for (int e = 0; e < m; ++e) slopes.row(n + e) << along_q.row(regime.equations[e]), along_u.row(regime.equations[e]);
  add_turning_slip(regime, slopes);
  return slopes;
}

// Friction follows the direction of slip, which turns if the contact has more than one friction row:
//   δ(γ_F/‖γ_F‖) = (1 − d dᵀ) δγ_F/‖γ_F‖.
void Linearisation::add_turning_slip(const events::Regime& regime, Eigen::MatrixXd& slopes) {
  const int n = equations_.system.u_size();
  for (size_t i = 0; i < regime.set.size(); ++i) {
    const int k = regime.set[i], row = regime.first_row[i], friction = equations_.contacts[k].rows - 1;
    const events::ContactPhase& phase = regime.phases[k];
    if (phase.mode != events::Mode::slip || friction < 2 || !phase.directed) continue;
    BlockRows by_q;
    equations_.evaluate.velocity_derivatives(at_.t, at_.q, at_.u, regime.set, by_q);
    const Eigen::VectorXd slip = gamma_.segment(row + 1, friction), d = slip.normalized();
    const Eigen::MatrixXd W_F = W_.middleRows(row + 1, friction);
    const Eigen::MatrixXd turn = (Eigen::MatrixXd::Identity(friction, friction) - d * d.transpose()) / slip.norm();
    const Eigen::MatrixXd push = equations_.contacts[k].law->mu_law() * lambda[row] * W_F.transpose() * turn;
    slopes.topLeftCorner(n, n) += push * dense(by_q, n).middleRows(row + 1, friction);
    slopes.topRightCorner(n, n) += push * W_F;
  }
}

}  // namespace tappet
