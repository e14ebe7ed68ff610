// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "math/dense.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

namespace tappet {

TEST(Dense, make_negative_drops_the_positive_eigenvalues_and_keeps_the_others) {
  for (int n = 1; n <= 7; ++n) {
    const Eigen::MatrixXd A = Eigen::MatrixXd::Random(n, n), S = (A + A.transpose()) / 2;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(S);
    const Eigen::MatrixXd expected =
        eigen.eigenvectors() * eigen.eigenvalues().cwiseMin(0.0).asDiagonal() * eigen.eigenvectors().transpose();
    std::vector<double> scratch(2 * n * n);
    Eigen::MatrixXd symmetric = A, with_rest = A;
    dense::make_negative(symmetric.data(), n, false, scratch.data());
    dense::make_negative(with_rest.data(), n, true, scratch.data());
    EXPECT_LT((symmetric - expected).norm(), 1e-13);
    EXPECT_LT((with_rest - expected - (A - A.transpose()) / 2).norm(), 1e-13);
  }
}

}  // namespace tappet
