// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "problem/block_rows.h"

#include <tappet/vec.h>

#include <algorithm>

#include "math/wide/wide.h"

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
  rows_ += rows, columns_used_ += width, values_used_ += rows * width, layout_ = 0;
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

namespace {

// Rows of w times the numbers of u at `columns`. N > 0 is the number of columns if the compiler knows it.
template <int N>
void multiply_rows(const double* w, int rows, const int* columns, int size, const double* u, double* xi) {
  const int n = N > 0 ? N : size;
  double own[N > 0 ? N : 1];
  if constexpr (N > 0)
#pragma GCC unroll 12
    for (int c = 0; c < N; ++c) own[c] = u[columns[c]];
  for (int r = 0; r < rows; ++r, w += n) {
    double sum = 0.0;
#pragma GCC unroll 12
    for (int c = 0; c < n; ++c) sum += w[c] * (N > 0 ? own[c] : u[columns[c]]);
    xi[r] = sum;
  }
}

// The numbers of f at `columns` += the rows of w, times P.
template <int N>
void add_rows(const double* w, int rows, const int* columns, int size, const double* P, double* f) {
  if constexpr (N > 0) {
    double sum[N];
#pragma GCC unroll 12
    for (int c = 0; c < N; ++c) sum[c] = f[columns[c]];
    for (int r = 0; r < rows; ++r, w += N)
#pragma GCC unroll 12
      for (int c = 0; c < N; ++c) sum[c] += w[c] * P[r];
#pragma GCC unroll 12
    for (int c = 0; c < N; ++c) f[columns[c]] = sum[c];
  } else {
    for (int r = 0; r < rows; ++r, w += size)
      for (int c = 0; c < size; ++c) f[columns[c]] += w[c] * P[r];
  }
}

// The same for a contact in space, three rows of six or twelve columns, four columns at a time. The three sums are side
// by side in one vector, and each of them is added in the same order as above. Both functions must become a part of
// their callers, because only those are compiled for every width of vectors.
template <int N>
[[gnu::always_inline]] inline void multiply_contact(const double* w, const int* columns, const double* u, double* xi) {
  Four sum{};
  int c = 0;
  for (; c + 4 <= N; c += 4) {
    const Four &first = four(w + c), &second = four(w + N + c), &third = four(w + 2 * N + c);
    const Four even = __builtin_shufflevector(first, second, 0, 4, 2, 6);
    const Four odd = __builtin_shufflevector(first, second, 1, 5, 3, 7);
    sum += __builtin_shufflevector(even, third, 0, 1, 4, 4) * u[columns[c]];
    sum += __builtin_shufflevector(odd, third, 0, 1, 5, 5) * u[columns[c + 1]];
    sum += __builtin_shufflevector(even, third, 2, 3, 6, 6) * u[columns[c + 2]];
    sum += __builtin_shufflevector(odd, third, 2, 3, 7, 7) * u[columns[c + 3]];
  }
  for (; c < N; ++c) sum += Four{w[c], w[N + c], w[2 * N + c]} * u[columns[c]];
  xi[0] = sum[0], xi[1] = sum[1], xi[2] = sum[2];
}

template <int N>
[[gnu::always_inline]] inline void add_contact(const double* w, const int* columns, const double* P, double* f) {
  int c = 0;
  for (; c + 4 <= N; c += 4) {
    const int* at = columns + c;
    Four sum{f[at[0]], f[at[1]], f[at[2]], f[at[3]]};
    sum += four(w + c) * P[0], sum += four(w + N + c) * P[1], sum += four(w + 2 * N + c) * P[2];
    f[at[0]] = sum[0], f[at[1]] = sum[1], f[at[2]] = sum[2], f[at[3]] = sum[3];
  }
  for (; c < N; ++c) f[columns[c]] = ((f[columns[c]] + w[c] * P[0]) + w[N + c] * P[1]) + w[2 * N + c] * P[2];
}

// Calls f with the usual numbers of columns, those of one or two bodies, as constants of the compiler.
template <class F>
void with_columns(int columns, F&& f) {
  if (columns == 3) return f.template operator()<3>();
  if (columns == 6) return f.template operator()<6>();
  if (columns == 12) return f.template operator()<12>();
  f.template operator()<0>();
}

TAPPET_WIDE void multiply_blocks(std::span<const BlockRows::Block> blocks, const double* values, const int* columns,
                                 const double* u, double* xi) {
  for (const BlockRows::Block& b : blocks) {
    const double* w = values + b.value;
    const int* at = columns + b.column;
    if (b.rows == 3 && b.columns == 12)
      multiply_contact<12>(w, at, u, xi + b.row);
    else if (b.rows == 3 && b.columns == 6)
      multiply_contact<6>(w, at, u, xi + b.row);
    else
      with_columns(b.columns, [&]<int N>() { multiply_rows<N>(w, b.rows, at, b.columns, u, xi + b.row); });
  }
}

TAPPET_WIDE void add_blocks(std::span<const BlockRows::Block> blocks, const double* values, const int* columns,
                            const double* P, double* f) {
  for (const BlockRows::Block& b : blocks) {
    const double* w = values + b.value;
    const int* at = columns + b.column;
    if (b.rows == 3 && b.columns == 12)
      add_contact<12>(w, at, P + b.row, f);
    else if (b.rows == 3 && b.columns == 6)
      add_contact<6>(w, at, P + b.row, f);
    else
      with_columns(b.columns, [&]<int N>() { add_rows<N>(w, b.rows, at, b.columns, P + b.row, f); });
  }
}

}  // namespace

void BlockRows::multiply(std::span<const double> u, std::span<double> xi) const {
  parallel_for(*execution_, blocks(), 1024, [&](int first, int last) {
    multiply_blocks(std::span(blocks_).subspan(first, last - first), values_.data(), columns_.data(), u.data(),
                    xi.data());
  });
}

void BlockRows::multiply_transposed(std::span<const double> P, std::span<double> f) const {
  const auto add = [&](int first, int last, double* to) {
    add_blocks(std::span(blocks_).subspan(first, last - first), values_.data(), columns_.data(), P.data(), to);
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
