// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "study/search/gauss_newton.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace tappet {

namespace {

// The step of the damped equations. A parameter stays where it is if it is at a bound, and the sum of squares decreases
// beyond.
Eigen::VectorXd damped_step(const Eigen::MatrixXd& J, const Eigen::VectorXd& r, const Eigen::VectorXd& x,
                            double damping) {
  Eigen::MatrixXd normal = J.transpose() * J;
  Eigen::VectorXd downhill = -J.transpose() * r;
  const double least = 1e-12 * normal.diagonal().maxCoeff();
  for (int i = 0; i < x.size(); ++i) {
    const bool held = (x[i] <= 0 && downhill[i] < 0) || (x[i] >= 1 && downhill[i] > 0);
    if (held) normal.row(i).setZero(), normal.col(i).setZero(), downhill[i] = 0;
    normal(i, i) = held ? 1.0 : (1 + damping) * std::max(normal(i, i), least);
  }
  return normal.ldlt().solve(downhill);
}

}  // namespace

std::string gauss_newton(const ResidualFunction& function, double tolerance, int most_steps, Eigen::VectorXd& x) {
  constexpr double less = 0.1, more = 10, most_damping = 1e8;
  Eigen::VectorXd r = function.residuals(x);
  if (!r.allFinite()) return "the first run has no result";
  Eigen::MatrixXd J = function.slopes(x);
  double damping = 1e-3;
  for (int i = 0; i < most_steps && damping < most_damping; ++i) {
    const Eigen::VectorXd next = (x + damped_step(J, r, x, damping)).cwiseMax(0.0).cwiseMin(1.0);
    const bool last = (next - x).cwiseAbs().maxCoeff() <= tolerance;
    const Eigen::VectorXd r_next = function.residuals(next);
    const bool better = r_next.squaredNorm() <= r.squaredNorm();  // false for NaN
    if (better) x = next, r = r_next;
    if (last) return {};
    damping *= better ? less : more;
    if (better) J = function.slopes(x);
  }
  if (damping >= most_damping) return "no step in the direction of the derivatives leads to a better place";
  return fmt::format("not converged after {} steps", most_steps);
}

}  // namespace tappet
