// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "problem/block_rows.h"

#include <tappet/vec.h>

#include <algorithm>

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
  if (columns_used_ > static_cast<int>(columns_.size()))
    make_room(columns_, columns_used_), columns_.resize(columns_used_);
  if (values_used_ > static_cast<int>(values_.size())) make_room(values_, values_used_), values_.resize(values_used_);
  return values_.data() + value;
}

namespace {
double sum_of_squares(std::span<const double> x) {
  double part[4] = {};  // side by side
  size_t i = 0;
  for (; i + 4 <= x.size(); i += 4)
    for (int k = 0; k < 4; ++k) part[k] += x[i + k] * x[i + k];
  for (; i < x.size(); ++i) part[0] += x[i] * x[i];
  return (part[0] + part[1]) + (part[2] + part[3]);
}
}  // namespace

double BlockRows::squares(int k) const {
  return sum_of_squares({values(k), static_cast<size_t>(blocks_[k].rows * blocks_[k].columns)});
}

double BlockRows::squares() const { return sum_of_squares(all_values()); }

void BlockRows::multiply(std::span<const double> u, std::span<double> xi) const {
  parallel_for(*execution_, blocks(), 1024, [&](int first, int last) {
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
  const auto add = [&](int first, int last, double* to) {
    for (const Block& b : std::span(blocks_).subspan(first, last - first)) {
      const double* w = values_.data() + b.value;
      const int* column = columns_.data() + b.column;
      for (int r = 0; r < b.rows; ++r, w += b.columns)
        for (int c = 0; c < b.columns; ++c) to[column[c]] += w[c] * P[b.row + r];
    }
  };
  constexpr int many = 4096;
  if (blocks() < many) return add(0, blocks(), f.data());
  // The product is computed in two halves, the second one in a separate vector, for every number of threads. So the
  // bits are the same.
  thread_local std::vector<double> own;
  std::vector<double>& other = own;
  other.assign(f.size(), 0.0);
  parallel_for(*execution_, 2, 1, [&](int first, int last) {
    for (int half = first; half < last; ++half)
      half == 0 ? add(0, blocks() / 2, f.data()) : add(blocks() / 2, blocks(), other.data());
  });
  parallel_for(*execution_, static_cast<int>(f.size()), 4 * many, [&](int first, int last) {
    for (int i = first; i < last; ++i) f[i] += other[i];
  });
}

}  // namespace tappet
