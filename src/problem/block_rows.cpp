// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "problem/block_rows.h"

#include <algorithm>

#include "math/growth.h"
#include "math/parallel.h"

namespace tappet {

void BlockRows::clear(int blocks, int columns, int values) {
  clear();
  const auto size = [](auto& list, int needed) {
    if (needed <= static_cast<int>(list.size())) return;
    make_room_anew(list, needed);
    list.resize(needed);
  };
  make_room_anew(blocks_, blocks);
  size(columns_, columns), size(values_, values);
}

double* BlockRows::append_block(int rows, int width) {
  const int first = columns_used_, value = values_used_;
  blocks_.push_back({rows_, rows, first, width, value});
  rows_ += rows, columns_used_ += width, values_used_ += rows * width;
  if (columns_used_ > static_cast<int>(columns_.size())) make_room(columns_, columns_used_), columns_.resize(columns_used_);
  if (values_used_ > static_cast<int>(values_.size())) make_room(values_, values_used_), values_.resize(values_used_);
  return values_.data() + value;
}

void BlockRows::multiply(std::span<const double> u, std::span<double> xi) const {
  parallel_for(blocks(), 1024, [&](int first, int last) {
    for (int k = first; k < last; ++k) {
      const Block& b = blocks_[k];
      const double* w = values_.data() + b.value;
      const int* column = columns_.data() + b.column;
      for (int r = 0; r < b.rows; ++r, w += b.columns) {
        double sum = 0.0;
        for (int c = 0; c < b.columns; ++c) sum += w[c] * u[column[c]];
        xi[b.row + r] = sum;
      }
    }
  });
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
