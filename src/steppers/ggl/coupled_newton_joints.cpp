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

void CoupledNewton::analyse_joints() {
  if (system_.joint_rows() == 0) return;
  BlockRows pattern;
  std::vector<unsigned> levels;  // both, or that of the impulses only
  for (const Constraint& joint : system_.joints()) {
    pattern.append(joint.rows, joint.columns);
    levels.push_back(project_joints_ && joint.position_level ? 3 : 1);
  }
  const Coupling coupling = coupling_.pattern();
  alone_.analyse({.bodies = M_, .coupling = coupling, .joints = pattern, .terms = {{0, 0, &M_hat_}}});
  if (M_.block_count() == 1) return;  // a single body, or formulas alone: the dense problem is as cheap
  BorderedElimination::Pattern both{.bodies = M_, .coupling = coupling, .joints = pattern, .levels = 2, .held = levels};
  both.terms = {{0, 0, &M_u_}, {0, 1, &B_}};
  if (settings_.kinetic)
    both.terms.insert(both.terms.end(), {{1, 0, &M_u_}, {1, 0, &B_}, {1, 1, &M_u_}, {1, 1, &B_}});
  else
    both.terms.insert(both.terms.end(), {{1, 0, nullptr}, {1, 1, nullptr}});
  held_.analyse(both);
  constexpr int few = 120;  // rows of contacts; more of them allocate when they grow
  const int rows = std::min(few, contacts_.rows() - system_.joint_rows() + contacts_.size()), panels = rows / lanes + 2;
  moved_.reserve(lanes * 2 * u_1.size(), panels), resisted_.reserve(lanes * 2 * system_.joint_rows(), panels);
}

namespace {

// The largest error of some linear equations, and the largest of their terms. Without the terms, errors would be
// compared with sums that are as small as they are.
struct LinearError {
  double left = 0.0, scale = 0.0;

  // Adds a term to the value of an equation.
  void add(double term, double& sum) { sum += term, scale = std::max(scale, std::abs(term)); }
  void take(double sum) { left = std::isfinite(sum) ? std::max(left, std::abs(sum)) : INFINITY; }
  double relative(double negligible) const { return left > negligible ? left / scale : 0.0; }
};

}  // namespace

double CoupledNewton::joint_error() {
  constexpr double of_rates = 1e-14;
  const double of_gaps = 0.1 * settings_.gap_tolerance;
  xi_linear_.resize(xi_.size() + g_.size());
  LinearError rates, gaps;
  for (int k = 0; k < static_cast<int>(system_.joints().size()); ++k) {
    const auto& b = L_u_.block(k);
    const int* column = L_u_.columns(k).data();
    const double *by_u = L_u_.values(k), *by_q = L_q_.values(k);
    for (int r = 0, i = 0; r < b.rows; ++r) {
      double& sum = xi_linear_[b.row + r] = 0.0;
      rates.add(xi_[b.row + r], sum);
      for (int c = 0; c < b.columns; ++c, ++i) rates.add(by_u[i] * x_[column[c]] + by_q[i] * y_[column[c]], sum);
      rates.take(sum);
    }
  }
  for (int k = 0, row = 0; row < joint_gaps_ && !g_.empty(); ++k) {
    const double* w = G_1_.values(k);
    for (int r = 0; r < G_1_.block(k).rows; ++r, ++row) {
      double& sum = xi_linear_[xi_.size() + row] = 0.0;
      gaps.add(g_[row], sum);
      for (int column : G_1_.columns(k)) gaps.add(*w++ * y_[column], sum);
      gaps.take(sum);
    }
  }
  return std::max(rates.relative(of_rates * rate_), gaps.relative(of_gaps));
}

// With no multipliers and s = 0:
//   M̂ δu − W δP = r + W P,   (L_u + dt θ L_q) δu = −ξ.
// The matrix has the graph of the mechanism, so the cost of a chain is linear in the number of its links. If all
// joints are held on position level, the second iteration uses the matrix of the first one: the first guess is so good
// that the matrix hardly changes. Returns false if there is more to solve than joints, or if their rows depend on each
// other. In the latter case impulses are not unique, and the solvers find the shortest ones.
bool CoupledNewton::solve_joints(const State& state, double dt, const ContactSet& active, StepReport& report) {
  const int rows = xi_.size();
  if (settings_.prox || !alone_.suitable() || rows != system_.joint_rows() || g_.size() > 0) return false;
  if (shifted()) return false;
  double error = INFINITY;
  rate_ = 0.0;
  for (double xi : xi_) rate_ = std::max(rate_, std::abs(xi));
  const bool again = factored_ && report.newton == 1 && positions_alone(active);
  if (!again || !move_along_joints(dt, error)) {
    if (!factor_joints(state, dt, active) || !move_along_joints(dt, error)) return false;
  }
  for (int i = 0; i < x_.size(); ++i) u_1[i] += x_[i];
  for (int r = 0; r < rows; ++r) P[r] += row_[r];
  tau.resize(0);
  report.solve = {SolveStatus::converged, 1, error, 0, 1};
  return true;
}

bool CoupledNewton::factor_joints(const State& state, double dt, const ContactSet& active) {
  if (positions_alone(active)) joint_gradients(state.t + dt, dt);
  linearise_together(state, dt, active);
  const double one[] = {1.0};
  const BorderedElimination::JointTerm act[] = {{0, 0, &W_}},
                                       judge[] = {{0, 0, &L_u_}, {0, 0, &L_q_, dt * settings_.theta}};
  return factored_ = alone_.factor(one, act, judge);
}

bool CoupledNewton::move_along_joints(double dt, double& error) {
  constexpr double good = 1e-6;  // the next iteration corrects the rest
  const int rows = xi_.size();
  joints_right_.resize(rows), row_.resize(rows);
  for (int r = 0; r < rows; ++r) joints_right_[r] = -xi_[r];
  std::copy(r_.begin(), r_.end(), y_.begin());
  W_.multiply_transposed(P, y_);
  alone_.solve(y_.data(), joints_right_.data(), x_.data(), row_.data());
  for (int i = 0; i < x_.size(); ++i) y_[i] = dt * settings_.theta * x_[i];
  error = joint_error();
  return error <= good;
}

}  // namespace tappet
