// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "math/wide/reflections.h"

#include <cstddef>

#include "math/wide/wide.h"

namespace tappet {

namespace {

constexpr int lanes = sizeof(Four) / sizeof(double);
constexpr int fours = 4;  // so many vectors of columns are reflected together, with their sums in registers

// X is a number, or Four side by side. The functions must become a part of their callers, because only those are
// compiled for every width of vectors.
template <class X>
X& at(double* x) {
  return *reinterpret_cast<X*>(x);
}
template <class X>
const X& at(const double* x) {
  return *reinterpret_cast<const X*>(x);
}

template <class X, int count>
[[gnu::always_inline]] inline void squares_of(int rows, const double* A, std::ptrdiff_t stride, double* squares) {
  constexpr int width = sizeof(X) / sizeof(double);
  X sum[count] = {};
  for (int i = 0; i < rows; ++i, A += stride)
    for (int k = 0; k < count; ++k) sum[k] += at<X>(A + width * k) * at<X>(A + width * k);
  for (int k = 0; k < count; ++k) at<X>(squares + width * k) = sum[k];
}

template <class X, int count, bool measures>
[[gnu::always_inline]] inline void reflect(int rows, double beta, const double* v, double* A, std::ptrdiff_t stride,
                                           double* squares) {
  constexpr int width = sizeof(X) / sizeof(double);
  X sum[count], square[count] = {};
  for (int k = 0; k < count; ++k) sum[k] = at<X>(A + width * k);
  const double* row = A + stride;
  for (int i = 1; i < rows; ++i, row += stride)
    for (int k = 0; k < count; ++k) sum[k] += v[i] * at<X>(row + width * k);
  for (int k = 0; k < count; ++k) sum[k] *= beta, at<X>(A + width * k) -= sum[k];
  A += stride;
  for (int i = 1; i < rows; ++i, A += stride)
    for (int k = 0; k < count; ++k) {
      const X x = at<X>(A + width * k) - sum[k] * v[i];
      at<X>(A + width * k) = x;
      if (measures) square[k] += x * x;
    }
  for (int k = 0; measures && k < count; ++k) at<X>(squares + width * k) = square[k];
}

template <bool measures>
[[gnu::always_inline]] inline void reflect_all(int rows, int columns, double beta, const double* v, double* A,
                                               int stride, double* squares) {
  const auto from = [&](int j) { return measures ? squares + j : nullptr; };
  int j = 0;
  for (; j + fours * lanes <= columns; j += fours * lanes)
    reflect<Four, fours, measures>(rows, beta, v, A + j, stride, from(j));
  for (; j + lanes <= columns; j += lanes) reflect<Four, 1, measures>(rows, beta, v, A + j, stride, from(j));
  for (; j < columns; ++j) reflect<double, 1, measures>(rows, beta, v, A + j, stride, from(j));
}

}  // namespace

TAPPET_WIDE void sums_of_squares(int rows, int columns, const double* A, int stride, double* squares) {
  int j = 0;
  for (; j + fours * lanes <= columns; j += fours * lanes) squares_of<Four, fours>(rows, A + j, stride, squares + j);
  for (; j + lanes <= columns; j += lanes) squares_of<Four, 1>(rows, A + j, stride, squares + j);
  for (; j < columns; ++j) squares_of<double, 1>(rows, A + j, stride, squares + j);
}

TAPPET_WIDE void reflect_columns(int rows, int columns, double beta, const double* v, double* A, int stride) {
  reflect_all<false>(rows, columns, beta, v, A, stride, nullptr);
}
TAPPET_WIDE void reflect_columns(int rows, int columns, double beta, const double* v, double* A, int stride,
                                 double* squares) {
  reflect_all<true>(rows, columns, beta, v, A, stride, squares);
}

TAPPET_WIDE void divide(int n, double divisor, double* x) {
  int i = 0;
  for (; i + lanes <= n; i += lanes) four(x + i) /= divisor;
  for (; i < n; ++i) x[i] /= divisor;
}

}  // namespace tappet
