// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "math/block_elimination.h"

#include <algorithm>
#include <cmath>

namespace tappet {

namespace {

// If S > 0, it is the size and known to the compiler, and numbers are kept in local arrays, which it can hold in
// registers.

// D ← D⁻¹, n × n. Returns false if a pivot is small beside `scale`.
bool invert(double* D, int n, const double* scale) {
  for (int k = 0; k < n; ++k) {
    double* row = D + k * n;
    if (!(std::abs(row[k]) > BlockElimination::dependent * scale[k])) return false;
    const double inverse = 1.0 / row[k];
    row[k] = 1.0;
    for (int c = 0; c < n; ++c) row[c] *= inverse;
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      double* other = D + i * n;
      const double factor = other[k];
      other[k] = 0.0;
      for (int c = 0; c < n; ++c) other[c] -= factor * row[c];
    }
  }
  return true;
}

// The same with D⁻¹ in E too.
template <int S>
[[gnu::always_inline]] inline bool invert(double* __restrict D, double* __restrict E, const double* scale) {
  for (int i = 0; i < S * S; ++i) E[i] = D[i];
  if constexpr (S == 2) {
    const double det = E[0] * E[3] - E[1] * E[2];
    constexpr double dependent = BlockElimination::dependent;
    if (!(std::abs(E[0]) > dependent * scale[0] && std::abs(det) > dependent * scale[1] * std::abs(E[0]))) return false;
    const double inverse = 1.0 / det, first = E[0];
    E[0] = E[3] * inverse, E[3] = first * inverse, E[1] *= -inverse, E[2] *= -inverse;
  } else {
    if (!invert(E, S, scale)) return false;
  }
  for (int i = 0; i < S * S; ++i) D[i] = E[i];
  return true;
}

// A ← A E with A rows × n and E n × n; `copy` has room for n numbers if the compiler does not know n.
template <int S>
[[gnu::always_inline]] inline void multiply_from_right(double* __restrict A, int rows, const double* __restrict E,
                                                       int size, double* copy) {
  const int n = S > 0 ? S : size;
  double own[S > 0 ? S : 1];
  double* x = S > 0 ? own : copy;
  for (int r = 0; r < rows; ++r, A += n) {
    for (int c = 0; c < n; ++c) x[c] = A[c];
    for (int c = 0; c < n; ++c) {
      double sum = x[0] * E[c];
      for (int k = 1; k < n; ++k) sum += x[k] * E[k * n + c];
      A[c] = sum;
    }
  }
}

// x ← E x
template <int S>
[[gnu::always_inline]] inline void multiply_from_left(const double* __restrict E, int size, double* __restrict x,
                                                      double* copy) {
  const int n = S > 0 ? S : size;
  double own[S > 0 ? S : 1];
  double* before = S > 0 ? own : copy;
  for (int c = 0; c < n; ++c) before[c] = x[c];
  for (int r = 0; r < n; ++r, E += n) {
    double sum = E[0] * before[0];
    for (int k = 1; k < n; ++k) sum += E[k] * before[k];
    x[r] = sum;
  }
}

// C −= A B with A rows × n, B n × columns; T is the number of rows and columns, or 0.
template <int S, int T>
[[gnu::always_inline]] inline void subtract_product(double* __restrict C, int rows, int columns,
                                                    const double* __restrict A, const double* __restrict B, int size) {
  const int n = S > 0 ? S : size, l = T > 0 ? T : rows, m = T > 0 ? T : columns;
  for (int r = 0; r < l; ++r, A += n, C += m)
    for (int c = 0; c < m; ++c) {
      double sum = A[0] * B[c];
      for (int k = 1; k < n; ++k) sum += A[k] * B[k * m + c];
      C[c] -= sum;
    }
}

// Calls f with the usual sizes of bodies and joints as constants of the compiler.
template <class F>
auto with_size(int size, F&& f) {
  switch (size) {
    case 1:
      return f.template operator()<1>();
    case 2:
      return f.template operator()<2>();
    case 3:
      return f.template operator()<3>();
    case 5:
      return f.template operator()<5>();
    case 6:
      return f.template operator()<6>();
    default:
      return f.template operator()<0>();
  }
}
template <class F>
auto with_sizes(int size, int uniform, F&& f) {
  return with_size(size,
                   [&]<int S>() { return with_size(uniform, [&]<int T>() { return f.template operator()<S, T>(); }); });
}

}  // namespace

void BlockElimination::set_zero() {
  double* x = values_.data();
  const size_t size = values_.size(), whole = size & ~size_t{7};
  for (size_t i = 0; i < whole; i += 8)
#pragma GCC unroll 8
    for (size_t k = 0; k < 8; ++k) x[i + k] = 0.0;
  for (size_t i = whole; i < size; ++i) x[i] = 0.0;
}

template <int S, int T>
bool BlockElimination::eliminate(const Pivot& pivot) {
  double* values = values_.data();
  double* D = values + pivot.diagonal;
  double E[S > 0 ? S * S : 1];
  if constexpr (S > 0) {
    if (!invert<S>(D, E, scale_.data() + pivot.row)) return false;
  } else {
    if (!invert(D, pivot.size, scale_.data() + pivot.row)) return false;
  }
  const Side* sides = sides_.data() + pivot.side;
  const int* target = targets_.data() + pivot.target;
  for (int k = 0; k < pivot.sides; ++k) {
    const int rows = T > 0 ? T : sides[k].size;
    double* left = values + sides[k].left;
    multiply_from_right<S>(left, rows, S > 0 ? E : D, pivot.size, scratch_.data());
    for (int l = 0; l < pivot.sides; ++l)
      subtract_product<S, T>(values + target[l], rows, sides[l].size, left, values + sides[l].right, pivot.size);
    const double* diagonal = values + target[k];
    double* scale = scale_.data() + sides[k].row;
    for (int i = 0; i < rows; ++i) scale[i] = std::max(scale[i], std::abs(diagonal[i * (rows + 1)]));
    target += pivot.sides;
  }
  return true;
}

template <int S, int T>
void BlockElimination::forward(const Pivot& pivot, double* x) const {
  const int n = S > 0 ? S : pivot.size;
  const double* from = x + pivot.row;
  double own[S > 0 ? S : 1];
  if constexpr (S > 0) {
    for (int k = 0; k < S; ++k) own[k] = from[k];
    from = own;
  }
  const Side* side = sides_.data() + pivot.side;
  for (int i = 0; i < pivot.sides; ++i, ++side) {
    const double* left = values_.data() + side->left;
    double* to = x + side->row;
    const int rows = T > 0 ? T : side->size;
    for (int r = 0; r < rows; ++r, left += n) {
      double sum = left[0] * from[0];
      for (int k = 1; k < n; ++k) sum += left[k] * from[k];
      to[r] -= sum;
    }
  }
}

template <int S, int T>
void BlockElimination::backward(const Pivot& pivot, double* x) const {
  const int n = S > 0 ? S : pivot.size;
  double* to = x + pivot.row;
  const Side* side = sides_.data() + pivot.side;
  for (int i = 0; i < pivot.sides; ++i, ++side) {
    const double* right = values_.data() + side->right;
    const double* from = x + side->row;
    const int columns = T > 0 ? T : side->size;
    for (int r = 0; r < n; ++r, right += columns) {
      double sum = right[0] * from[0];
      for (int k = 1; k < columns; ++k) sum += right[k] * from[k];
      to[r] -= sum;
    }
  }
  multiply_from_left<S>(values_.data() + pivot.diagonal, pivot.size, to, scratch_.data());
}

void BlockElimination::choose_functions() {
  for (Pivot& pivot : pivots_)
    with_sizes(pivot.size, pivot.uniform, [&]<int S, int T>() {
      pivot.eliminate = &BlockElimination::eliminate<S, T>;
      pivot.forward = &BlockElimination::forward<S, T>;
      pivot.backward = &BlockElimination::backward<S, T>;
    });
}

bool BlockElimination::factor() {
  for (const Pivot& pivot : pivots_)
    for (int i = 0; i < pivot.size; ++i)
      scale_[pivot.row + i] = std::abs(values_[pivot.diagonal + i * (pivot.size + 1)]);
  for (const Pivot& pivot : pivots_)
    if (!(this->*pivot.eliminate)(pivot)) return false;
  return true;
}

void BlockElimination::solve(double* x) const {
  for (const Pivot& pivot : pivots_) (this->*pivot.forward)(pivot, x);
  for (size_t p = pivots_.size(); p-- > 0;) (this->*pivots_[p].backward)(pivots_[p], x);
}

}  // namespace tappet
