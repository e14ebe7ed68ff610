// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/LU>

#include "tangent/equations.h"

namespace tappet {

// The equations of motion in a regime, linearised at a state. A neighbouring motion differs from this one by x = (w,
// v): its positions are q ⊕ w and its velocities u + v. Then ẋ = A x, and forces of the equations differ by
// (forces_by_x) x.
class Linearisation {
 public:
  explicit Linearisation(Equations& equations);

  void place(const State& at, const events::Regime& regime);
  void balance(const State& at, const events::Regime& regime);  // finds a and lambda only

  Vec a, lambda;                 // accelerations; forces of the rows [joints | set]
  Eigen::MatrixXd A;             // 2n × 2n
  Eigen::MatrixXd forces_by_x;   // by equation of the regime × 2n
  Eigen::VectorXd rate() const;  // (u, a): how fast x changes along the motion itself

  // How accelerations and forces [δa; δλ of the equations] change if the residuals (Equations::motion) change by r at
  // fixed unknowns.
  Eigen::MatrixXd respond(const Eigen::MatrixXd& r) const { return -factors_.solve(r); }

 private:
  void solve_balance(const events::Regime& regime);
  Eigen::MatrixXd residual_slopes(const events::Regime& regime);  // by x, at fixed a and λ
  void add_turning_slip(const events::Regime& regime, Eigen::MatrixXd& slopes);

  Equations& equations_;
  BlockMatrix M_, by_q_, by_u_;
  State at_;
  Eigen::MatrixXd W_, velocity_by_q_;  // of the rows [joints | set]
  Eigen::VectorXd gamma_;
  Eigen::PartialPivLU<Eigen::MatrixXd> factors_;  // of [M, −F; W_Eᵀ, 0], where F are the forces of the equations
};

}  // namespace tappet
