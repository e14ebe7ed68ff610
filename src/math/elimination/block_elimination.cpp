// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "math/elimination/block_elimination.h"

#include <algorithm>
#include <cmath>

namespace tappet {

namespace {

// If S > 0, it is the size and known to the compiler, and numbers are kept in local arrays, which it can hold in
// registers.

// y −= factor x, y *= factor, and c[…] = Σ_k a_k b_k[…] with the rows b_k one after the other. Four numbers are
// computed side by side, each with the bits of the plain loop.
[[gnu::always_inline]] inline void subtract(int n, double factor, const double* x, double* y) {
  int i = 0;
  for (; i + 4 <= n; i += 4) four(y + i) = four(y + i) - factor * four(x + i);
  for (; i < n; ++i) y[i] -= factor * x[i];
}
[[gnu::always_inline]] inline void scale(int n, double factor, double* y) {
  int i = 0;
  for (; i + 4 <= n; i += 4) four(y + i) = four(y + i) * factor;
  for (; i < n; ++i) y[i] *= factor;
}
template <class Take>
[[gnu::always_inline]] inline void sum_rows(int n, const double* a, const double* b, int m, Take&& take) {
  int c = 0;
  for (; c + 4 <= m; c += 4) {
    Four sum = a[0] * four(b + c);
    for (int k = 1; k < n; ++k) sum += a[k] * four(b + k * m + c);
    take(c, sum);
  }
  for (; c < m; ++c) {
    double sum = a[0] * b[c];
    for (int k = 1; k < n; ++k) sum += a[k] * b[k * m + c];
    take(c, sum);
  }
}
// The same if many a_k are zero, as between levels of a scheme that are not coupled.
constexpr int many = 8, most_terms = 256;
template <class Take>
[[gnu::always_inline]] inline void sum_some_rows(int n, const double* a, const double* b, int m, Take&& take) {
  double factor[most_terms];
  const double* row[most_terms];
  int terms = 0;
  for (int k = 0; k < n; ++k) {
    factor[terms] = a[k], row[terms] = b + k * m;
    terms += a[k] != 0.0;
  }
  int c = 0;
  for (; c + 4 <= m; c += 4) {
    Four sum{};
    for (int k = 0; k < terms; ++k) sum += factor[k] * four(row[k] + c);
    take(c, sum);
  }
  for (; c < m; ++c) {
    double sum = 0.0;
    for (int k = 0; k < terms; ++k) sum += factor[k] * row[k][c];
    take(c, sum);
  }
}
template <class Take>
[[gnu::always_inline]] inline void sum_products(int n, const double* a, const double* b, int m, Take&& take) {
  if (n >= many && n <= most_terms)
    sum_some_rows(n, a, b, m, take);
  else
    sum_rows(n, a, b, m, take);
}

// D ← D⁻¹, n × n. Returns false if a pivot is small beside `scales`.
[[gnu::always_inline]] inline bool invert(double* __restrict D, int n, const double* scales) {
  for (int k = 0; k < n; ++k) {
    double* row = D + k * n;
    if (!(std::abs(row[k]) > BlockElimination::dependent * scales[k])) return false;
    const double inverse = 1.0 / row[k];
    row[k] = 1.0;
    scale(n, inverse, row);
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      double* other = D + i * n;
      const double factor = other[k];
      if (factor == 0.0) continue;
      other[k] = 0.0;
      subtract(n, factor, row, other);
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

// A B of two matrices of 2 × 2, by rows. Each number is the sum of two products, as in a loop.
[[gnu::always_inline]] inline Four product(const Four& A, const Four& B) {
  return __builtin_shufflevector(A, A, 0, 0, 2, 2) * __builtin_shufflevector(B, B, 0, 1, 0, 1) +
         __builtin_shufflevector(A, A, 1, 1, 3, 3) * __builtin_shufflevector(B, B, 2, 3, 2, 3);
}

// A ← A E with A rows × n and E n × n; `copy` has room for n numbers if the compiler does not know n.
template <int S>
[[gnu::always_inline]] inline void multiply_from_right(double* __restrict A, int rows, const double* __restrict E,
                                                       int size, double* copy) {
  if constexpr (S == 2)
    if (rows == 2) {
      four(A) = product(four(A), four(E));
      return;
    }
  const int n = S > 0 ? S : size;
  double own[S > 0 ? S : 1];
  double* x = S > 0 ? own : copy;
  for (int r = 0; r < rows; ++r, A += n) {
    for (int c = 0; c < n; ++c) x[c] = A[c];
    sum_products(n, x, E, n, [&]<class X>(int c, const X& sum) { *reinterpret_cast<X*>(A + c) = sum; });
  }
}

// x ← E x. X is a number, or several side by side.
template <int S, class X>
[[gnu::always_inline]] inline void multiply_from_left(const double* __restrict E, int size, X* __restrict x, X* copy) {
  const int n = S > 0 ? S : size;
  X own[S > 0 ? S : 1];
  X* before = S > 0 ? own : copy;
  for (int c = 0; c < n; ++c) before[c] = x[c];
  for (int r = 0; r < n; ++r, E += n) {
    X sum = E[0] * before[0];
    for (int k = 1; k < n; ++k) sum += E[k] * before[k];
    x[r] = sum;
  }
}

// C −= A B with A rows × n, B n × columns; T is the number of rows and columns, or 0.
template <int S, int T>
[[gnu::always_inline]] inline void subtract_product(double* __restrict C, int rows, int columns,
                                                    const double* __restrict A, const double* __restrict B, int size) {
  if constexpr (S == 2 && T == 2) {
    four(C) -= product(four(A), four(B));
    return;
  }
  const int n = S > 0 ? S : size, l = T > 0 ? T : rows, m = T > 0 ? T : columns;
  for (int r = 0; r < l; ++r, A += n, C += m)
    sum_products(n, A, B, m, [&]<class X>(int c, const X& sum) { *reinterpret_cast<X*>(C + c) -= sum; });
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
    case 4:
      return f.template operator()<4>();
    case 5:
      return f.template operator()<5>();
    case 6:
      return f.template operator()<6>();
    case 9:
      return f.template operator()<9>();
    default:
      return f.template operator()<0>();
  }
}
template <class F>
auto with_sizes(int size, int uniform, F&& f) {
  return with_size(size, [&]<int S>() {
    return with_size(uniform, [&]<int T>() {
      // Those of several levels beside others would only make the program larger.
      constexpr bool usual = (S != 4 && S != 9 && T != 4 && T != 9) || (S == 6 && T != 5) || T == 6;
      return f.template operator() < S, usual ? T : 0 > ();
    });
  });
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

// The magnitudes of the diagonal before anything is eliminated.
template <int S>
void BlockElimination::take_scales(BlockElimination& own, Pivots pivots) {
  for (const Pivot& pivot : pivots) {
    const int n = S > 0 ? S : pivot.size;
    const double* D = own.values_.data() + pivot.diagonal;
    double* scale = own.scale_.data() + pivot.row;
    for (int i = 0; i < n; ++i) scale[i] = std::abs(D[i * (n + 1)]);
  }
}

template <int S, int T>
TAPPET_WIDE bool BlockElimination::eliminate(BlockElimination& own, Pivots pivots) {
  double *values = own.values_.data(), *scales = own.scale_.data();
  for (const Pivot& pivot : pivots) {
    double* D = values + pivot.diagonal;
    double E[S > 0 ? S * S : 1];
    if constexpr (S > 0) {
      if (!invert<S>(D, E, scales + pivot.row)) return false;
    } else {
      if (!invert(D, pivot.size, scales + pivot.row)) return false;
    }
    const Side* sides = own.sides_.data() + pivot.side;
    const int* target = own.targets_.data() + pivot.target;
    for (int k = 0; k < pivot.sides; ++k) {
      const int rows = T > 0 ? T : sides[k].size;
      double* left = values + sides[k].left;
      multiply_from_right<S>(left, rows, S > 0 ? E : D, pivot.size, own.scratch_.data());
      for (int l = 0; l < pivot.sides; ++l)
        subtract_product<S, T>(values + target[l], rows, sides[l].size, left, values + sides[l].right, pivot.size);
      const double* diagonal = values + target[k];
      double* scale = scales + sides[k].row;
      for (int i = 0; i < rows; ++i) scale[i] = std::max(scale[i], std::abs(diagonal[i * (rows + 1)]));
      target += pivot.sides;
    }
  }
  return true;
}

template <int S, int T, class X>
TAPPET_WIDE void BlockElimination::forward(const BlockElimination& own, Pivots pivots, X* x) {
  for (const Pivot& pivot : pivots) {
    const int n = S > 0 ? S : pivot.size;
    const X* from = x + pivot.row;
    X before[S > 0 ? S : 1];
    if constexpr (S > 0) {
      for (int k = 0; k < S; ++k) before[k] = from[k];
      from = before;
    }
    const Side* side = own.sides_.data() + pivot.side;
    for (int i = 0; i < pivot.sides; ++i, ++side) {
      const double* left = own.values_.data() + side->left;
      X* to = x + side->row;
      const int rows = T > 0 ? T : side->size;
      for (int r = 0; r < rows; ++r, left += n) {
        X sum = left[0] * from[0];
        for (int k = 1; k < n; ++k) sum += left[k] * from[k];
        to[r] -= sum;
      }
    }
  }
}

// From the last of these pivots to the first.
template <int S, int T, class X>
TAPPET_WIDE void BlockElimination::backward(const BlockElimination& own, Pivots pivots, X* x) {
  for (size_t p = pivots.size(); p-- > 0;) {
    const Pivot& pivot = pivots[p];
    const int n = S > 0 ? S : pivot.size;
    X* to = x + pivot.row;
    const Side* side = own.sides_.data() + pivot.side;
    for (int i = 0; i < pivot.sides; ++i, ++side) {
      const double* right = own.values_.data() + side->right;
      const X* from = x + side->row;
      const int columns = T > 0 ? T : side->size;
      for (int r = 0; r < n; ++r, right += columns) {
        X sum = right[0] * from[0];
        for (int k = 1; k < columns; ++k) sum += right[k] * from[k];
        to[r] -= sum;
      }
    }
    multiply_from_left<S>(own.values_.data() + pivot.diagonal, pivot.size, to,
                          reinterpret_cast<X*>(own.scratch_.data()));
  }
}

// A pivot without sides fits any group of its size.
void BlockElimination::group_pivots() {
  groups_.clear();
  int size = -1, uniform = 0;
  for (int p = 0; p < static_cast<int>(pivots_.size()); ++p) {
    const Pivot& pivot = pivots_[p];
    if (pivot.size == size && (pivot.uniform == uniform || pivot.sides == 0)) {
      ++groups_.back().count;
      continue;
    }
    size = pivot.size, uniform = pivot.uniform;
    with_sizes(size, uniform, [&]<int S, int T>() {
      groups_.push_back({p,
                         1,
                         {take_scales<S>, eliminate<S, T>, forward<S, T, double>, backward<S, T, double>,
                          forward<S, T, Four>, backward<S, T, Four>}});
    });
  }
}

bool BlockElimination::factor() {
  for (const Group& group : groups_) group.functions.take_scales(*this, pivots(group));
  for (const Group& group : groups_)
    if (!group.functions.eliminate(*this, pivots(group))) return false;
  return true;
}

void BlockElimination::solve(double* x) const {
  for (const Group& group : groups_) group.functions.forward(*this, pivots(group), x);
  for (size_t g = groups_.size(); g-- > 0;) groups_[g].functions.backward(*this, pivots(groups_[g]), x);
}

void BlockElimination::solve(Four* x) const {
  for (const Group& group : groups_) group.functions.forward_four(*this, pivots(group), x);
  for (size_t g = groups_.size(); g-- > 0;) groups_[g].functions.backward_four(*this, pivots(groups_[g]), x);
}

}  // namespace tappet
