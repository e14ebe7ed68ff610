// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "problem/block_rows.h"

namespace tappet {

double* BlockRows::append(int rows, std::span<const int> columns) {
  const int value = static_cast<int>(values_.size());
  blocks_.push_back({rows_, rows, static_cast<int>(columns_.size()), static_cast<int>(columns.size()), value});
  columns_.insert(columns_.end(), columns.begin(), columns.end());
  values_.resize(values_.size() + rows * columns.size(), 0.0);
  rows_ += rows;
  return values_.data() + value;
}

void BlockRows::multiply(std::span<const double> u, std::span<double> xi) const {
  for (const Block& b : blocks_) {
    const double* w = values_.data() + b.value;
    const int* column = columns_.data() + b.column;
    for (int r = 0; r < b.rows; ++r, w += b.columns) {
      double sum = 0.0;
      for (int c = 0; c < b.columns; ++c) sum += w[c] * u[column[c]];
      xi[b.row + r] = sum;
    }
  }
}

void BlockRows::multiply_transposed(std::span<const double> P, std::span<double> f) const {
  for (const Block& b : blocks_) {
    const double* w = values_.data() + b.value;
    const int* column = columns_.data() + b.column;
    for (int r = 0; r < b.rows; ++r, w += b.columns)
      for (int c = 0; c < b.columns; ++c) f[column[c]] += w[c] * P[b.row + r];
  }
}

}  // namespace tappet
