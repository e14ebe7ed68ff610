// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "tangent/impact_map.h"

#include <Eigen/Cholesky>
#include <Eigen/QR>

namespace tappet {

using events::Mode;

void ImpactMap::place(const State& at, const events::VelocityJump& jump, const events::Regime& after) {
  jump_ = jump;
  undecided_ = -1;
  BlockMatrix M = equations_.system.mass_matrix();
  equations_.evaluate.mass(at.t, at.q, M);
  M_ = dense(M);
  W_ = equations_.directions(at, jump.set);
  if (jump.plastic) find_impulses(at, after);
  State end = at;
  end.u = jump.u_after;
  Eigen::VectorXd xi = equations_.velocities(end, jump_.set);
  end.u = jump.u_before;
  const Eigen::VectorXd before = equations_.velocities(end, jump_.set);
  for (const auto& [k, contact, row] : equations_.contacts.each(jump_.set))
    for (int r = 0; r < contact.rows; ++r) xi[row + r] += equations_.restitution(k, r, jump.plastic) * before[row + r];
  const double speed = before.size() > 0 ? before.cwiseAbs().maxCoeff() : 0.0;
  find_statuses(xi, W_ * M_.ldlt().solve(W_.transpose()), speed, after);
  linearise(at, xi);
}

// A plastic jump closes contacts whose impacts accumulate. Its impulses follow from the change of the momentum.
void ImpactMap::find_impulses(const State& at, const events::Regime& after) {
  jump_.set = after.set;
  W_ = equations_.directions(at, jump_.set);
  const Eigen::VectorXd momentum = M_ * (jump_.u_after.eigen() - jump_.u_before.eigen());
  jump_.P.assign(static_cast<int>(W_.rows()), 0.0);
  jump_.P.eigen() = W_.transpose().completeOrthogonalDecomposition().solve(momentum);
}

void ImpactMap::find_statuses(const Eigen::VectorXd& xi, const Eigen::MatrixXd& G, double speed,
                              const events::Regime& after) {
  statuses_.clear();
  for (const auto& [i, k, contact, row] : equations_.contacts.numbered(jump_.set))
    statuses_.push_back(status(k, row, xi, G, speed, after));
}

// Two numbers exclude each other, for example the normal impulse and the velocity of separation. The larger one tells
// the status, if both are measured as velocities. If both vanish, the status is that of the regime that follows.
JumpStatus ImpactMap::status(int k, int row, const Eigen::VectorXd& xi, const Eigen::MatrixXd& G, double speed,
                             const events::Regime& after) {
  constexpr double vanishes = 1e-9;
  const int friction = equations_.contacts[k].rows - 1;
  const bool stays = after.phases[k].closed();
  if (jump_.plastic) return after.phases[k].mode == Mode::stick ? JumpStatus::sticks : JumpStatus::slips;
  const double pushes = G(row, row) * jump_.P[row], parts = xi[row];
  if (std::max(pushes, parts) < vanishes * speed) {
    if (!stays) return undecided_ = k, JumpStatus::separates;
    return after.phases[k].mode == Mode::stick ? JumpStatus::sticks : JumpStatus::slips;
  }
  if (pushes < parts) return JumpStatus::separates;
  if (friction == 0) return JumpStatus::slips;
  const double used = Eigen::Map<const Eigen::VectorXd>(jump_.P.data() + row + 1, friction).norm();
  const double left = G(row + 1, row + 1) * (equations_.contacts[k].law->mu_law() * jump_.P[row] - used);
  const double slip = xi.segment(row + 1, friction).norm();
  if (std::max(left, slip) < vanishes * speed) undecided_ = k;
  return slip > left ? JumpStatus::slips : JumpStatus::sticks;
}

void ImpactMap::linearise(const State& at, const Eigen::VectorXd& xi) {
  const System& system = equations_.system;
  Evaluator& evaluate = equations_.evaluate;
  const int n = system.u_size(), m = static_cast<int>(W_.rows());
  Vec change(n);
  change.eigen() = jump_.u_after.eigen() - jump_.u_before.eigen();
  BlockMatrix by_position = system.constrained_matrix();
  by_position.set_zero();
  evaluate.add_mass_derivative(at.t, at.q, change, 1.0, by_position);
  evaluate.add_impulse_derivative(at.t, at.q, jump_.set, jump_.P, -1.0, by_position);
  BlockRows after_by_q, before_by_q;
  evaluate.velocity_derivatives(at.t, at.q, jump_.u_after, jump_.set, after_by_q);
  evaluate.velocity_derivatives(at.t, at.q, jump_.u_before, jump_.set, before_by_q);

  // Columns: u⁺ and P, then q, then u⁻. Rows of the law begin as those of ξ.
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(n + m, n + m), Q = Eigen::MatrixXd::Zero(n + m, n), U = Q;
  J.topLeftCorner(n, n) = M_, J.topRightCorner(n, m) = -W_.transpose(), J.bottomLeftCorner(m, n) = W_;
  Q.topRows(n) = dense(by_position), Q.bottomRows(m) = dense(after_by_q, n);
  U.topRows(n) = -M_;
  const Eigen::MatrixXd before_q = dense(before_by_q, n);
  for (const auto& [i, k, contact, row] : equations_.contacts.numbered(jump_.set)) {
    for (int r = 0; r < contact.rows; ++r) {
      const double e = equations_.restitution(k, r, jump_.plastic);
      Q.row(n + row + r) += e * before_q.row(row + r), U.row(n + row + r) += e * W_.row(row + r);
    }
    const int friction = contact.rows - 1;
    if (statuses_[i] == JumpStatus::separates) {
      J.middleRows(n + row, contact.rows).setZero(), Q.middleRows(n + row, contact.rows).setZero();
      U.middleRows(n + row, contact.rows).setZero();
      for (int r = 0; r < contact.rows; ++r) J(n + row + r, n + row + r) = 1;
    } else if (statuses_[i] == JumpStatus::slips && friction > 0) {
      const double mu = contact.law->mu_law(), speed = xi.segment(row + 1, friction).norm();
      const Eigen::VectorXd d = xi.segment(row + 1, friction) / speed;
      const Eigen::MatrixXd turn =
          mu * jump_.P[row] / speed * (Eigen::MatrixXd::Identity(friction, friction) - d * d.transpose());
      for (Eigen::MatrixXd* slopes : {&J, &Q, &U})
        slopes->middleRows(n + row + 1, friction) = (turn * slopes->middleRows(n + row + 1, friction)).eval();
      for (int f = 0; f < friction; ++f)
        J(n + row + 1 + f, n + row + 1 + f) += 1, J(n + row + 1 + f, n + row) += mu * d[f];
    }
  }
  factor(std::move(J));
  by_q = respond(Q), by_u = respond(U);
}

// Masses and directions have different units, so rows and columns are scaled to entries of about 1 before the rank is
// judged. It is deficient if contacts depend on each other. Impulses are then not unique, but velocities are.
void ImpactMap::factor(Eigen::MatrixXd J) {
  constexpr int passes = 4;
  constexpr double dependent = 1e-11;
  row_scale_.setOnes(J.rows()), column_scale_.setOnes(J.cols());
  for (int pass = 0; pass < passes; ++pass) {
    const Eigen::VectorXd rows = J.rowwise().lpNorm<Eigen::Infinity>().cwiseSqrt().cwiseInverse();
    const Eigen::VectorXd columns = J.colwise().lpNorm<Eigen::Infinity>().transpose().cwiseSqrt().cwiseInverse();
    J = rows.asDiagonal() * J * columns.asDiagonal();
    row_scale_.array() *= rows.array(), column_scale_.array() *= columns.array();
  }
  factors_.setThreshold(dependent);
  factors_.compute(J);
}

Eigen::MatrixXd ImpactMap::respond(const Eigen::MatrixXd& r) const {
  const Eigen::MatrixXd unknowns = column_scale_.asDiagonal() * factors_.solve(row_scale_.asDiagonal() * r);
  return -unknowns.topRows(M_.rows());
}

}  // namespace tappet
