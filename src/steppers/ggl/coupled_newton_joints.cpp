// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// If there are joints and nothing else, an iteration of the Newton loop is one sparse linear system.
#include <algorithm>
#include <cmath>

#include "steppers/ggl/coupled_newton.h"

namespace tappet {

// B is only needed by itself if positions are shifted.
void CoupledNewton::linearise_together(const State& state, double dt, const ContactSet& active) {
  const double theta = settings_.theta, t_theta = state.t + theta * dt, by_q = dt * theta;
  M_hat_.assign(M_);
  if (!settings_.midpoint) {
    for (int i = 0; i < u_1.size(); ++i) x_[i] = u_1[i] - state.u[i];
    evaluate_.add_mass_derivative(t_theta, q_theta_, x_, by_q * theta, M_hat_);
  }
  evaluate_.add_force_derivatives(t_theta, q_theta_, u_theta_, -by_q * dt * theta, -dt * theta, M_hat_);
  evaluate_.add_impulse_derivative(state.t + weight_ * dt, q_directions_, active, P, -by_q * weight_, M_hat_);
}

// The largest error of the rows, as a fraction of the largest term of a row. Without it, terms would be compared with
// their sum, which is as small as ξ.
double CoupledNewton::joint_error(double dt) {
  const double by_q = dt * settings_.theta;
  xi_linear_.resize(xi_.size());
  double left = 0.0, scale = 0.0;
  for (int k = 0; k < L_u_.blocks(); ++k) {
    const auto& b = L_u_.block(k);
    const int* column = L_u_.columns(k).data();
    const double *by_u_1 = L_u_.values(k), *by_q_1 = L_q_.values(k);
    for (int r = 0, i = 0; r < b.rows; ++r) {
      double sum = xi_[b.row + r];
      scale = std::max(scale, std::abs(sum));
      for (int c = 0; c < b.columns; ++c, ++i) {
        const double term = (by_u_1[i] + by_q * by_q_1[i]) * x_[column[c]];
        sum += term, scale = std::max(scale, std::abs(term));
      }
      if (!std::isfinite(sum)) return INFINITY;
      xi_linear_[b.row + r] = sum;
      left = std::max(left, std::abs(sum));
    }
  }
  return left > 0.0 ? left / scale : 0.0;
}

// With no multipliers and s = 0:
//   M̂ δu − W δP = r + W P,   (L_u + dt θ L_q) δu = −ξ.
// The matrix has the graph of the mechanism, so the cost of a chain is linear in the number of its links. If all
// joints are held on position level, the second iteration uses the matrix of the first one: the first guess is so good
// that the matrix hardly changes. Returns false if there is more to solve than joints, or if their rows depend on each
// other. In the latter case impulses are not unique, and the solvers find the shortest ones.
bool CoupledNewton::solve_joints(const State& state, double dt, const ContactSet& active, StepReport& report) {
  const int rows = xi_.size();
  if (settings_.prox || !bordered_.suitable() || rows != system_.joint_rows() || g_.size() > 0) return false;
  if (shifted()) return false;
  double error = INFINITY;
  const bool again = factored_ && report.newton == 1 && positions_alone(active);
  if (!again || !move_along_joints(dt, error)) {
    if (!factor_joints(state, dt, active) || !move_along_joints(dt, error)) return false;
  }
  for (int i = 0; i < x_.size(); ++i) u_1[i] += x_[i];
  for (int r = 0; r < rows; ++r) P[r] += row_[r];
  tau.resize(0);
  problem_.c = xi_;
  report.solve = {SolveStatus::converged, 1, error, 0, 1};
  return true;
}

bool CoupledNewton::factor_joints(const State& state, double dt, const ContactSet& active) {
  if (positions_alone(active)) joint_gradients(state.t + dt, dt);
  linearise_together(state, dt, active);
  return factored_ = bordered_.factor(W_, L_u_, L_q_, dt * settings_.theta);
}

bool CoupledNewton::move_along_joints(double dt, double& error) {
  constexpr double good = 1e-6;  // the next iteration corrects the rest
  const int rows = xi_.size();
  joints_right_.resize(rows), row_.resize(rows);
  for (int r = 0; r < rows; ++r) joints_right_[r] = -xi_[r];
  std::copy(r_.begin(), r_.end(), y_.begin());
  W_.multiply_transposed(P, y_);
  bordered_.solve(y_, joints_right_, x_, row_);
  error = joint_error(dt);
  return error <= good;
}

}  // namespace tappet
