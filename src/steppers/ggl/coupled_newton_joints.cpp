// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// If there are many joints and nothing else, an iteration of the Newton loop is one sparse linear system.
#include <algorithm>
#include <cmath>

#include "steppers/ggl/coupled_newton.h"

namespace tappet {

// The matrix of solve_joints().
void CoupledNewton::assemble_bordered(double dt) {
  const int n = u_1.size();
  bordered_.set_zero();
  bordered_.add(M_hat_, 1.0);
  for (int k = 0; k < W_.blocks(); ++k) {
    const auto& b = W_.block(k);
    const auto columns = W_.columns(k);
    for (int r = 0, i = 0; r < b.rows; ++r)
      for (int column : columns) {
        bordered_.add(column, n + b.row + r, -W_.values(k)[i]);
        bordered_.add(n + b.row + r, column, L_u_.values(k)[i] + dt * settings_.theta * L_q_.values(k)[i]);
        ++i;
      }
  }
}

// With δu = δu_free + y, no multipliers and s = 0:
//   M̂ y − W P = 0,   (L_u + dt θ L_q) y = −c.
// The matrix has the graph of the mechanism, so the cost of a chain is linear in the number of its links. Returns false
// if there is more to solve than joints, or if their rows depend on each other. In the latter case impulses are not
// unique, and the solvers find the shortest ones.
bool CoupledNewton::solve_joints(double dt, StepReport& report) {
  constexpr double good = 1e-10, cancelled = 1e-7;
  const int n = u_1.size(), rows = xi_.size();
  if (bordered_.size() == 0 || rows != system_.joint_rows() || g_.size() > 0) return false;
  assemble_bordered(dt);
  if (!bordered_.factor()) return false;
  border_.assign(n + rows, 0.0);
  for (int r = 0; r < rows; ++r) border_[n + r] = -problem_.c[r];
  bordered_.solve(border_);

  row_.resize(rows);
  for (int r = 0; r < rows; ++r) row_[r] = border_[n + r];
  double left = 0.0, scale = 0.0, force = 0.0, parts = 0.0;
  for (int i = 0; i < n; ++i) x_[i] = border_[i], y_[i] = dt * settings_.theta * x_[i];
  xi_linear_.resize(rows);
  respond(x_, y_, xi_linear_.data());
  for (int r = 0; r < rows; ++r) {
    xi_linear_[r] += problem_.c[r];
    left = std::max(left, std::abs(xi_linear_[r])), scale = std::max(scale, std::abs(problem_.c[r]));
  }
  y_.set_zero();
  W_.multiply_transposed(row_, y_);
  for (double f : y_) force = std::max(force, std::abs(f));
  for (int k = 0; k < W_.blocks(); ++k) {
    const auto& b = W_.block(k);
    for (int r = 0, i = 0; r < b.rows; ++r)
      for (int c = 0; c < b.columns; ++c) parts = std::max(parts, std::abs(W_.values(k)[i++] * row_[b.row + r]));
  }
  if (!(left <= good * scale) || !(force >= cancelled * parts)) return false;

  for (int i = 0; i < n; ++i) u_1[i] += r_[i] + x_[i];
  P = row_;
  tau.resize(0);
  report.solve = {SolveStatus::converged, 1, scale > 0.0 ? left / scale : 0.0, 0, 1};
  return true;
}

}  // namespace tappet
