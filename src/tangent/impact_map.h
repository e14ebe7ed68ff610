// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/QR>

#include "tangent/equations.h"

namespace tappet {

// The derivative of a jump of the velocities, by implicit differentiation of the law of impact with the status that
// each contact has in its solution. The map itself is never inverted: a plastic or sticking impact is singular, and its
// derivative is right all the same.
class ImpactMap {
 public:
  explicit ImpactMap(Equations& equations) : equations_(equations) {}

  // At the time and position of the state. Plastic jumps need the regime that they lead to.
  void place(const State& at, const events::VelocityJump& jump, const events::Regime& after);

  const events::VelocityJump& jump() const { return jump_; }  // with its impulses
  const std::vector<JumpStatus>& statuses() const { return statuses_; }
  // A contact whose status is not decided in the solution, so that there is no derivative; −1: none.
  int undecided() const { return undecided_; }

  Eigen::MatrixXd by_q, by_u;  // δu⁺ = by_q w + by_u v
  // How u⁺ changes if the residuals (Equations::jump) change by r at fixed unknowns.
  Eigen::MatrixXd respond(const Eigen::MatrixXd& r) const;

 private:
  void find_impulses(const State& at, const events::Regime& after);
  void find_statuses(const Eigen::VectorXd& xi, const Eigen::MatrixXd& G, double speed, const events::Regime& after);
  JumpStatus status(int contact, int row, const Eigen::VectorXd& xi, const Eigen::MatrixXd& G, double speed,
                    const events::Regime& after);
  void linearise(const State& at, const Eigen::VectorXd& xi);
  void factor(Eigen::MatrixXd J);

  Equations& equations_;
  events::VelocityJump jump_;
  std::vector<JumpStatus> statuses_;
  int undecided_ = -1;
  Eigen::MatrixXd M_, W_;
  Eigen::VectorXd row_scale_, column_scale_;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factors_;
};

}  // namespace tappet
