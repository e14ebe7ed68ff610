// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/sparse/block_lu.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <random>
#include <set>

#include "solvers/dense/dense_kernels.h"

namespace tappet {

TEST(block_lu, random_patterns_are_solved_and_the_determinant_keeps_its_sign) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  BlockLU lu;
  for (int trial = 0; trial < 60; ++trial) {
    const int nodes = 1 + trial * trial / 30;
    std::vector<int> start{0};
    for (int k = 0; k < nodes; ++k) start.push_back(start.back() + 1 + static_cast<int>(random() % 4));
    std::vector<std::set<int>> adjacent(nodes);
    for (int k = 0; k < nodes; ++k) {
      adjacent[k].insert(k);
      for (int e = 0; e < 2; ++e) {
        const int other = static_cast<int>(random() % nodes);
        adjacent[k].insert(other), adjacent[other].insert(k);
      }
    }
    const int n = start.back();
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);
    SparseColumns S;
    S.start.push_back(0);
    for (int k = 0; k < nodes; ++k)
      for (int j = start[k]; j < start[k + 1]; ++j) {
        for (int other : adjacent[k])
          for (int i = start[other]; i < start[other + 1]; ++i) {
            A(i, j) = normal(random) + (i == j ? (trial % 2 ? 3.0 : -6.0) : 0.0);
            S.row.push_back(i), S.value.push_back(A(i, j));
          }
        S.start.push_back(static_cast<int>(S.row.size()));
      }
    lu.analyse(start, S);
    lu.factor(S.value);
    Eigen::VectorXd b = Eigen::VectorXd::Random(n), x = b;
    lu.solve({x.data(), static_cast<size_t>(n)});
    EXPECT_LT((A * x - b).norm(), 1e-8 * b.norm()) << n;
    if (n < 100) {
      EXPECT_EQ(lu.determinant_sign(), A.determinant() > 0 ? 1 : -1) << n;
    }
  }
}

TEST(dense_kernels, have_the_bits_of_the_plain_loops) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  const auto fill = [&](size_t count) {
    std::vector<double> values(count);
    for (double& x : values) x = normal(random);
    return values;
  };
  for (int rows : {1, 3, 8, 21, 40})
    for (int columns : {1, 4, 7, 18})
      for (int depth : {1, 5, 24}) {
        const int stride = rows + depth + 3;
        const std::vector<double> L = fill(stride * depth), U = fill(stride * columns);
        std::vector<double> C = fill(stride * columns), expected = C;
        for (int j = 0; j < columns; ++j)
          for (int i = 0; i < rows; ++i)
            for (int k = 0; k < depth; ++k) expected[j * stride + i] -= L[k * stride + i] * U[j * stride + k];
        subtract_product(rows, columns, depth, L.data(), U.data(), C.data(), stride);
        EXPECT_EQ(C, expected) << rows << " × " << columns << " × " << depth;
        for (int i = 0; i < stride * columns; ++i) expected[i] -= 0.3 * U[i];
        subtract_multiple(stride * columns, 0.3, U.data(), C.data());
        EXPECT_EQ(C, expected);
        for (int i = 0; i < rows; ++i)
          for (int k = 0; k < depth; ++k) expected[i] -= L[k * stride + i] * U[k];
        subtract_image(rows, depth, L.data(), stride, U.data(), C.data());
        EXPECT_EQ(C, expected);
        for (int j = 0; j < columns; ++j)
          for (int k = 0; k < depth; ++k)
            for (int i = k + 1; i < depth; ++i)
              expected[j * stride + i] -= L[k * stride + i] * expected[j * stride + k];
        solve_lower(depth, columns, L.data(), C.data(), stride);
        EXPECT_EQ(C, expected);
        double largest = 0.0;
        for (int i = 0; i < stride; ++i) largest = std::max(largest, std::abs(L[i]));
        EXPECT_EQ(largest_of(stride, L.data()), largest);
      }
}

}  // namespace tappet
