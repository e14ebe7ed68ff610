// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "tangent/collocation.h"

#include <Eigen/LU>
#include <array>
#include <cmath>

namespace tappet {

namespace {

constexpr int stages = 4;

// The rule of Gauss on [0, 1]: the roots of the fourth Legendre polynomial, and the integrals of the polynomials that
// interpolate there, up to each node and up to the end.
struct Rule {
  std::array<double, stages> node, weight;
  std::array<std::array<double, stages>, stages> up_to;

  Rule() {
    const double inner = std::sqrt(3.0 / 7 - 2.0 / 7 * std::sqrt(6.0 / 5)),
                 outer = std::sqrt(3.0 / 7 + 2.0 / 7 * std::sqrt(6.0 / 5));
    node = {(1 - outer) / 2, (1 - inner) / 2, (1 + inner) / 2, (1 + outer) / 2};
    Eigen::Matrix4d powers;  // powers(k, j) = node_j^k
    for (int j = 0; j < stages; ++j)
      for (int k = 0; k < stages; ++k) powers(k, j) = std::pow(node[j], k);
    const auto integrals = [&](double end) {
      Eigen::Vector4d of_powers;
      for (int k = 0; k < stages; ++k) of_powers[k] = std::pow(end, k + 1) / (k + 1);
      return Eigen::Vector4d(powers.fullPivLu().solve(of_powers));
    };
    const Eigen::Vector4d all = integrals(1.0);
    for (int j = 0; j < stages; ++j) weight[j] = all[j];
    for (int i = 0; i < stages; ++i) {
      const Eigen::Vector4d part = integrals(node[i]);
      for (int j = 0; j < stages; ++j) up_to[i][j] = part[j];
    }
  }
};

}  // namespace

void collocate(double h, const std::function<void(double, Eigen::MatrixXd&, Eigen::MatrixXd&)>& evaluate,
               Eigen::MatrixXd& X) {
  static const Rule rule;
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
