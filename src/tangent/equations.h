// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "steppers/event_driven/observer.h"

namespace tappet {

// What each contact of a velocity jump does, with ξ = γ⁺ + e γ⁻.
enum class JumpStatus { separates, slips, sticks };  // P = 0;  ξ_N = 0 and P_F = −μ P_N ξ_F/‖ξ_F‖;  ξ_N = 0 and ξ_F = 0

// The equations of one system in residual form, between events and at a jump of the velocities. A derivative of the
// motion follows from derivatives of these residuals at fixed unknowns (accelerations and forces, or velocities and
// impulses). Residuals are smooth, so they may be differenced between systems whose parameters differ a little.
class Equations {
 public:
  explicit Equations(const ContactList& contacts);

  const ContactList& contacts;
  const System& system;
  Evaluator evaluate;

  void hold(const Vec& branches);  // of the switches of formulas

  // [M a − h − W λ; Wᵀa + ζ of the equations of the regime]. λ has all rows [joints | set]; the friction of slipping
  // contacts is not read, because it follows from their normal force.
  Eigen::VectorXd motion(const State& at, const events::Regime& regime, const Vec& a, const Vec& lambda);

  // [M (u⁺ − u⁻) − W P; what the law says of each row], at the time and position of the state. There is one status per
  // contact of the set.
  Eigen::VectorXd jump(const State& at, const events::VelocityJump& jump, const std::vector<JumpStatus>& statuses);

  // γ = Wᵀu + χ of the rows [joints | set], and Wᵀ as a dense matrix with one row each.
  Eigen::VectorXd velocities(const State& at, const ContactSet& set);
  Eigen::MatrixXd directions(const State& at, const ContactSet& set);
  Eigen::VectorXd gaps(const State& at);

  // Unit vector of the slip of a contact in a regime: that of the phase or, if it follows the velocity and has more
  // than one row, along γ_F.
  std::array<double, 3> slip_direction(const events::Regime& regime, int position, const Eigen::VectorXd& gamma) const;
  double restitution(int contact, int row, bool plastic) const;  // row 0: normal

 private:
  BlockMatrix M_;
  BlockRows W_;
  Vec h_, chi_, zeta_, gaps_;
};

// A matrix that is stored by blocks, dense.
Eigen::MatrixXd dense(const BlockRows& rows, int columns);
Eigen::MatrixXd dense(const BlockMatrix& matrix);

}  // namespace tappet
