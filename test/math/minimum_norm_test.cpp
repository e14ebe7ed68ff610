// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "math/minimum_norm.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

namespace tappet {
namespace {

// A matrix of a given rank whose columns have very different lengths.
Eigen::MatrixXd matrix(int n, int rank, std::mt19937& random) {
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  const auto draw = [&] { return any(random); };
  Eigen::MatrixXd A = Eigen::MatrixXd::NullaryExpr(n, rank, draw) * Eigen::MatrixXd::NullaryExpr(rank, n, draw);
  for (int j = 0; j < n; ++j) A.col(j) *= std::pow(10.0, 1.5 * draw());
  return A;
}

// Eigen's complete orthogonal decomposition is the independent reference.
TEST(MinimumNorm, IsTheShortestSolutionForEveryRank) {
  std::mt19937 random(7);
  MinimumNorm minimum_norm;
  for (const auto& [n, rank] : {std::pair{1, 1}, {3, 2}, {6, 6}, {20, 7}, {57, 41}, {57, 57}, {120, 48}}) {
    const Eigen::MatrixXd A = matrix(n, rank, random);
    const Eigen::VectorXd b = A * Eigen::VectorXd::Ones(n);
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> reference(n, n);
    reference.setThreshold(1e-11);
    reference.compute(A);
    Eigen::VectorXd x = b;
    EXPECT_EQ(minimum_norm.factor(n, A.data()), rank) << n;
    minimum_norm.solve(x.data());
    EXPECT_LE((A * x - b).norm(), 1e-12 * b.norm()) << n << " " << rank;
    const Eigen::VectorXd shortest = reference.solve(b);
    EXPECT_LE((x - shortest).norm(), 1e-8 * shortest.norm()) << n << " " << rank;
  }
}

}  // namespace
}  // namespace tappet
