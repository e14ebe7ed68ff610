// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "math/block_matrix.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

namespace tappet {
namespace {

using Pairs = std::vector<std::pair<int, int>>;

// A random diagonally dominant matrix on the pattern, in both forms.
struct Sample {
  BlockMatrix block;
  Eigen::MatrixXd full;
};

Sample sample(int n, const Pairs& pairs, BlockMatrix::Kind kind) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  Coupling coupling(n);
  for (auto [i, j] : pairs) coupling.tie(i, j);
  Sample s{BlockMatrix(coupling, kind), Eigen::MatrixXd::Zero(n, n)};
  auto add = [&](int i, int j, double v) { s.block.add(i, j, v), s.full(i, j) += v; };
  for (auto [i, j] : pairs) {
    const double v = number(random), w = kind == BlockMatrix::Kind::general ? number(random) : v;
    add(i, j, v), add(j, i, w);
    add(i, i, 1.2), add(j, j, 1.2);
  }
  for (int i = 0; i < n; ++i) add(i, i, 0.7);
  return s;
}

void expect_right(int n, const Pairs& pairs, BlockMatrix::Kind kind) {
  Sample s = sample(n, pairs, kind);
  ASSERT_TRUE(s.block.factor());
  Vec x(n), y(n);
  for (int i = 0; i < n; ++i) x[i] = std::sin(i + 1.0);
  s.block.multiply(x, y);
  EXPECT_LT((y.eigen() - s.full * x.eigen()).norm(), 1e-12 * n);
  s.block.multiply_transposed(x, y);
  EXPECT_LT((y.eigen() - s.full.transpose() * x.eigen()).norm(), 1e-12 * n);
  const Eigen::VectorXd exact = s.full.partialPivLu().solve(x.eigen());
  s.block.solve(x);
  EXPECT_LT((x.eigen() - exact).norm(), 1e-10 * exact.norm());
}

Pairs chain(int n, int stride) {
  Pairs pairs;
  for (int i = 0; i < n; ++i)
    if (i + stride < n) pairs.emplace_back(i, i + stride);
  return pairs;
}

Pairs scattered(int n, int degree) {
  std::mt19937 random(3);
  std::uniform_int_distribution<int> vertex(0, n - 1);
  Pairs pairs = chain(n, 1);
  for (int i = 0; i < n * degree; ++i)
    if (const int j = vertex(random), k = vertex(random); j != k) pairs.emplace_back(j, k);
  return pairs;
}

TEST(BlockMatrix, solves_small_dense_blocks) {
  expect_right(3, {{0, 1}, {1, 2}, {0, 2}}, BlockMatrix::Kind::symmetric_positive);
  expect_right(7, {{0, 5}, {1, 2}, {2, 6}}, BlockMatrix::Kind::general);
  expect_right(4, {}, BlockMatrix::Kind::symmetric_positive);
}

TEST(BlockMatrix, solves_a_chain_of_a_thousand_as_a_band) {
  expect_right(1000, chain(1000, 1), BlockMatrix::Kind::symmetric_positive);
  expect_right(1000, chain(1000, 1), BlockMatrix::Kind::general);
}

TEST(BlockMatrix, finds_the_narrow_band_of_an_interleaved_chain) {
  Pairs pairs = chain(400, 2);
  pairs.emplace_back(398, 399);  // even and odd velocities form one chain
  expect_right(400, pairs, BlockMatrix::Kind::general);
}

TEST(BlockMatrix, solves_a_scattered_pattern_as_sparse) {
  expect_right(500, scattered(500, 3), BlockMatrix::Kind::general);
}

TEST(BlockMatrix, says_when_it_is_singular_or_not_positive) {
  Coupling coupling(2);
  coupling.tie(0, 1);
  for (auto kind : {BlockMatrix::Kind::symmetric_positive, BlockMatrix::Kind::general}) {
    BlockMatrix A(coupling, kind);
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) A.add(i, j, 1.0);
    EXPECT_FALSE(A.factor());
  }
}

TEST(BlockMatrix, independent_parts_are_independent_blocks) {
  Coupling coupling(6);
  coupling.tie(0, 3);
  coupling.tie(4, 5);
  const BlockMatrix A(coupling, BlockMatrix::Kind::general);
  EXPECT_EQ(A.block_count(), 4);
  EXPECT_EQ(A.block_of(0), A.block_of(3));
  EXPECT_NE(A.block_of(0), A.block_of(1));
}

// Three equal blocks, one with another number, one equal to the first again.
TEST(BlockMatrix, blocks_with_the_same_numbers_are_solved_by_the_same_factor_also_when_entries_are_forgotten) {
  Coupling coupling(10);
  for (int b = 0; b < 5; ++b) coupling.tie(2 * b, 2 * b + 1);
  BlockMatrix A(coupling, BlockMatrix::Kind::symmetric_positive);
  for (int b = 0; b < 5; ++b)
    A.add(2 * b, 2 * b, 2.0), A.add(2 * b + 1, 2 * b + 1, b == 3 ? 5.0 : 3.0), A.add(2 * b, 2 * b + 1, 1.0),
        A.add(2 * b + 1, 2 * b, 1.0);
  ASSERT_TRUE(A.factor());
  A.forget_entries();
  Vec x(10, 1.0);
  A.solve(x);
  for (int b = 0; b < 5; ++b) {  // [2 1; 1 d]⁻¹ (1, 1) = (d − 1, 1) / (2 d − 1)
    const double d = b == 3 ? 5.0 : 3.0;
    EXPECT_NEAR(x[2 * b], (d - 1) / (2 * d - 1), 1e-15);
    EXPECT_NEAR(x[2 * b + 1], 1 / (2 * d - 1), 1e-15);
  }
}

// A dense block, a band and a sparse block.
TEST(BlockMatrix, find_says_where_an_entry_is_stored) {
  for (const int n : {4, 60}) {
    Pairs pairs;
    for (int i = 0; i + 1 < n; ++i) pairs.emplace_back(i, i + 1);
    for (const bool long_range : {false, true}) {
      if (long_range)
        for (int i = 0; i + n / 2 < n; i += 3) pairs.emplace_back(i, (7 * i + n / 2) % n);
      std::erase_if(pairs, [](const auto& pair) { return pair.first == pair.second; });
      Sample s = sample(n, pairs, BlockMatrix::Kind::general);
      for (const auto& [i, j] : pairs) {
        const double* place = s.block.find(i, j);
        ASSERT_TRUE(place);
        EXPECT_DOUBLE_EQ(*place, s.full(i, j));
        s.block.add(i, j, 1.0), s.full(i, j) += 1.0;
        EXPECT_DOUBLE_EQ(*place, s.full(i, j));
      }
    }
  }
  const Sample apart = sample(4, {{0, 1}, {2, 3}}, BlockMatrix::Kind::general);
  EXPECT_FALSE(apart.block.find(1, 2));
}

// Rows of blocks with 1, 2, 3 and 6 velocities, with and without entries beside the diagonal.
TEST(BlockMatrix, solve_rows_solves_for_each_row) {
  for (const int n : {1, 2, 3, 6})
    for (const bool diagonal : {true, false}) {
      Coupling coupling(n);
      for (int i = 1; i < n; ++i) coupling.tie(i - 1, i);
      BlockMatrix A(coupling, BlockMatrix::Kind::symmetric_positive);
      for (int i = 0; i < n; ++i) A.add(i, i, 3.0 + i);
      for (int i = 1; i < n && !diagonal; ++i) A.add(i - 1, i, 1.0), A.add(i, i - 1, 1.0);
      ASSERT_TRUE(A.factor());
      const int stride = n + 2;
      std::vector<double> rows(3 * stride);
      for (size_t i = 0; i < rows.size(); ++i) rows[i] = 1.0 + static_cast<double>(i);
      const std::vector<double> before = rows;
      A.solve_rows(0, rows.data(), 3, stride);
      for (int r = 0; r < 3; ++r) {
        Vec x(n), y(n);
        for (int i = 0; i < n; ++i) x[i] = rows[r * stride + i];
        A.multiply(x, y);
        for (int i = 0; i < n; ++i) EXPECT_NEAR(y[i], before[r * stride + i], 1e-13);
        for (int i = n; i < stride; ++i) EXPECT_EQ(rows[r * stride + i], before[r * stride + i]);
      }
    }
}

}  // namespace
}  // namespace tappet
