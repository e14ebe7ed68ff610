// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "math/wide/reflections.h"

#include <algorithm>
#include <cstddef>

#include "math/wide/wide.h"

namespace tappet {

// The compiler makes vectors of these loops (CMakeLists.txt). No two of the arrays overlap.
TAPPET_WIDE void sums_of_squares(int rows, int columns, const double* __restrict A, int stride,
                                 double* __restrict sums) {
  std::fill_n(sums, columns, 0.0);
  for (int i = 0; i < rows; ++i) {
    const double* __restrict row = A + static_cast<std::ptrdiff_t>(i) * stride;
    for (int j = 0; j < columns; ++j) sums[j] += row[j] * row[j];
  }
}

TAPPET_WIDE void reflect_columns(int rows, int columns, double beta, const double* __restrict v, double* __restrict A,
                                 int stride, double* __restrict sums) {
  std::copy_n(A, columns, sums);
  for (int i = 1; i < rows; ++i) {
    const double* __restrict row = A + static_cast<std::ptrdiff_t>(i) * stride;
    const double factor = v[i];
    for (int j = 0; j < columns; ++j) sums[j] += factor * row[j];
  }
  for (int j = 0; j < columns; ++j) sums[j] *= beta, A[j] -= sums[j];
  for (int i = 1; i < rows; ++i) {
    double* __restrict row = A + static_cast<std::ptrdiff_t>(i) * stride;
    const double factor = v[i];
    for (int j = 0; j < columns; ++j) row[j] -= sums[j] * factor;
  }
}

}  // namespace tappet
