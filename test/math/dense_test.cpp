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

// Four vectors side by side give the bits of each alone.
TEST(Dense, four_vectors_are_solved_and_multiplied_as_one_is) {
  constexpr int lanes = sizeof(Four) / sizeof(double);
  for (int n : {1, 2, 3, 4, 5, 6, 7, 23, 24, 25, 26, 27, 50}) {
    Eigen::MatrixXd LU = Eigen::MatrixXd::Random(n, n);
    const Eigen::MatrixXd A = LU, x = Eigen::MatrixXd::Random(n, lanes);
    std::vector<int> pivots(n);
    ASSERT_TRUE(dense::lu(LU.data(), n, pivots.data()));
    std::vector<double> solved(lanes * n), product(lanes * n), together(lanes * n);
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < lanes; ++k) solved[lanes * i + k] = together[lanes * i + k] = x(i, k);
    dense::lu_solve(LU.data(), n, pivots.data(), reinterpret_cast<Four*>(solved.data()));
    dense::multiply(A.data(), n, reinterpret_cast<const Four*>(together.data()),
                    reinterpret_cast<Four*>(product.data()));
    for (int k = 0; k < lanes; ++k) {
      Eigen::VectorXd one = x.col(k), y(n);
      dense::multiply(A.data(), n, one.data(), y.data());
      dense::lu_solve(LU.data(), n, pivots.data(), one.data());
      EXPECT_LT((A * one - x.col(k)).norm(), 1e-12 * (1 + one.norm()));
      for (int i = 0; i < n; ++i) {
        EXPECT_EQ(solved[lanes * i + k], one[i]);
        EXPECT_EQ(product[lanes * i + k], y[i]);
      }
    }
  }
}

// Large matrices are factorised four columns at a time, with the bits of one column after the other.
TEST(Dense, the_factors_are_those_of_one_column_after_the_other) {
  for (int n : {1, 5, 24, 25, 26, 27, 50}) {
    Eigen::MatrixXd A = Eigen::MatrixXd::Random(n, n), LU = A;
    std::vector<int> pivots(n);
    ASSERT_TRUE(dense::lu(LU.data(), n, pivots.data()));
    for (int k = 0; k < n; ++k) {
      Eigen::Index p;
      A.col(k).tail(n - k).cwiseAbs().maxCoeff(&p);
      EXPECT_EQ(pivots[k], k + p);
      A.row(k).swap(A.row(k + p));
      const double inverse = 1.0 / A(k, k);
      for (int i = k + 1; i < n; ++i) A(i, k) *= inverse;
      for (int j = k + 1; j < n; ++j)
        for (int i = k + 1; i < n; ++i) A(i, j) -= A(i, k) * A(k, j);
    }
    EXPECT_EQ(LU, A) << n;
  }
  Eigen::MatrixXd singular = Eigen::MatrixXd::Zero(30, 30);
  std::vector<int> pivots(30);
  EXPECT_FALSE(dense::lu(singular.data(), 30, pivots.data()));
}

TEST(Dense, matrices_are_transposed) {
  for (int n = 0; n <= 13; ++n) {
    const Eigen::MatrixXd A = Eigen::MatrixXd::Random(n, n);
    Eigen::MatrixXd transposed(n, n);
    dense::transpose(A.data(), n, transposed.data());
    EXPECT_EQ(transposed, A.transpose()) << n;
  }
}

}  // namespace tappet
