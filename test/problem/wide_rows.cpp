// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "problem/wide_rows.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "problem/block_rows.h"

namespace tappet {
namespace {

constexpr int lanes = sizeof(Four) / sizeof(double);

// Four vectors side by side give the bits of each alone, from any block on.
TEST(WideRows, give_the_bits_of_each_vector_alone) {
  std::mt19937 random(1);
  std::uniform_real_distribution<> number(-1, 1);
  BlockRows W;
  for (const auto [rows, width] : {std::pair{2, 3}, {1, 6}, {3, 12}, {2, 5}, {4, 1}, {5, 6}}) {
    std::vector<int> columns(width);
    std::iota(columns.begin(), columns.end(), static_cast<int>(random() % 8));
    double* values = W.append(rows, columns);
    for (int i = 0; i < rows * width; ++i) values[i] = number(random);
  }
  const int size = 20;
  Vec v(lanes * size);
  for (double& x : v) x = number(random);
  for (int first : {0, 3}) {
    const int row = W.block(first).row;
    Vec xi(lanes * (W.rows() - row)), one(size), expected(W.rows());
    multiply(W, first, reinterpret_cast<const Four*>(v.data()), reinterpret_cast<Four*>(xi.data()));
    for (int k = 0; k < lanes; ++k) {
      for (int i = 0; i < size; ++i) one[i] = v[lanes * i + k];
      W.multiply(one, expected);
      for (int r = row; r < W.rows(); ++r) EXPECT_EQ(xi[lanes * (r - row) + k], expected[r]) << r;
    }
  }
}

}  // namespace
}  // namespace tappet
