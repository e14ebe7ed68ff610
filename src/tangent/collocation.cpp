// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "tangent/collocation.h"

#include <Eigen/LU>

#include "steppers/event_driven/integration/gauss_rule.h"

namespace tappet {

void collocate(double h, const std::function<void(double, Eigen::MatrixXd&, Eigen::MatrixXd&)>& evaluate,
               Eigen::MatrixXd& X) {
  constexpr int stages = 6;
  const auto& rule = GaussRule<stages>::get();
  const auto n = X.rows();
  Eigen::MatrixXd system = Eigen::MatrixXd::Identity(stages * n, stages * n), rates(stages * n, X.cols()), A, B;
  for (int i = 0; i < stages; ++i) {
    evaluate(rule.node[i], A, B);
    for (int j = 0; j < stages; ++j) system.block(i * n, j * n, n, n) -= h * rule.up_to[i][j] * A;
    rates.middleRows(i * n, n) = A * X + B;
  }
  rates = system.partialPivLu().solve(rates);
  for (int i = 0; i < stages; ++i) X += h * rule.weight[i] * rates.middleRows(i * n, n);
}

}  // namespace tappet
