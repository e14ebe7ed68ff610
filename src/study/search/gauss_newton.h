// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>

namespace tappet {

// Least squares of residuals whose derivatives are known.
struct ResidualFunction {
  std::function<Eigen::VectorXd(const Eigen::VectorXd& x)> residuals;  // NaN where there are none
  std::function<Eigen::MatrixXd(const Eigen::VectorXd& x)> slopes;
};

// The method of Levenberg and Marquardt, from x on, between 0 and 1. It ends when a step is shorter than the tolerance.
// Returns why it did not converge; empty if it did. x is the best point in any case.
std::string gauss_newton(const ResidualFunction& function, double tolerance, int most_steps, Eigen::VectorXd& x);

}  // namespace tappet
