// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "math/wide/reflections.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace tappet {
namespace {

std::vector<double> drawn(int count, std::mt19937& random) {
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  std::vector<double> list(count);
  for (double& x : list) x = any(random);
  return list;
}

// A sum that were taken in another order for some columns would make equal columns unequal, and a body at rest on equal
// corners would lose one of its contacts by round-off. So the bits are compared, for every remainder of the vectors.
TEST(Reflections, EveryColumnHasTheBitsItHasAlone) {
  std::mt19937 random(5);
  for (int columns = 1; columns <= 19; ++columns)
    for (int rows : {1, 2, 7, 30}) {
      const int stride = columns + 3;
      const std::vector<double> v = drawn(rows, random), A = drawn(rows * stride, random);
      const double beta = 1.25;
      std::vector<double> reflected = A, measured = A, left(columns), squares(columns);
      reflect_columns(rows, columns, beta, v.data(), reflected.data(), stride);
      reflect_columns(rows, columns, beta, v.data(), measured.data(), stride, left.data());
      EXPECT_EQ(measured, reflected);
      sums_of_squares(rows, columns, A.data(), stride, squares.data());
      for (int j = 0; j < columns; ++j) {
        double sum = A[j], square = 0.0;
        for (int i = 1; i < rows; ++i) sum += v[i] * A[i * stride + j];
        for (int i = 0; i < rows; ++i) square += A[i * stride + j] * A[i * stride + j];
        EXPECT_EQ(squares[j], square) << rows << " " << columns << " " << j;
        sum *= beta;
        EXPECT_EQ(reflected[j], A[j] - sum);
        for (int i = 1; i < rows; ++i) EXPECT_EQ(reflected[i * stride + j], A[i * stride + j] - sum * v[i]);
        square = 0.0;
        for (int i = 1; i < rows; ++i) square += reflected[i * stride + j] * reflected[i * stride + j];
        EXPECT_EQ(left[j], square) << rows << " " << columns << " " << j;
      }
      for (int i = 0; i < rows; ++i)
        for (int j = columns; j < stride; ++j) EXPECT_EQ(reflected[i * stride + j], A[i * stride + j]);
    }
}

TEST(Reflections, DivisionIsThatOfEveryNumber) {
  std::mt19937 random(6);
  for (int n = 0; n <= 9; ++n) {
    const std::vector<double> x = drawn(n, random);
    std::vector<double> y = x;
    divide(n, 0.3, y.data());
    for (int i = 0; i < n; ++i) EXPECT_EQ(y[i], x[i] / 0.3);
  }
}

}  // namespace
}  // namespace tappet
