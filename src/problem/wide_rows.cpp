// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "problem/wide_rows.h"

namespace tappet {

namespace {

// Rows of w times the numbers of v at `columns`. N > 0 is the number of columns if the compiler knows it.
template <int N>
[[gnu::always_inline]] inline void multiply_rows(const double* w, int rows, std::span<const int> columns, const Four* v,
                                                 Four* xi) {
  const int n = N > 0 ? N : static_cast<int>(columns.size());
  for (int r = 0; r < rows; ++r, w += n) {
    Four sum{};
    for (int c = 0; c < n; ++c) sum += w[c] * v[columns[c]];
    xi[r] = sum;
  }
}

}  // namespace

TAPPET_WIDE void multiply(const BlockRows& W, int first, const Four* v, Four* xi) {
  for (int k = first; k < W.blocks(); ++k) {
    const auto columns = W.columns(k);
    const int rows = W.block(k).rows;
    if (columns.size() == 3)
      multiply_rows<3>(W.values(k), rows, columns, v, xi);
    else if (columns.size() == 6)
      multiply_rows<6>(W.values(k), rows, columns, v, xi);
    else
      multiply_rows<0>(W.values(k), rows, columns, v, xi);
    xi += rows;
  }
}

}  // namespace tappet
