// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "math/dense.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace tappet::dense {

bool cholesky(double* A, int n) {
  for (int j = 0; j < n; ++j) {
    double* a = A + j * n;
    for (int k = 0; k < j; ++k) {
      const double* l = A + k * n;
      const double factor = l[j];
      for (int i = j; i < n; ++i) a[i] -= factor * l[i];
    }
    if (!(a[j] > 0.0)) return false;
    const double root = std::sqrt(a[j]), inverse = 1.0 / root;
    a[j] = root;
    for (int i = j + 1; i < n; ++i) a[i] *= inverse;
  }
  return true;
}

void cholesky_solve(const double* L, int n, double* x) {
  for (int j = 0; j < n; ++j) {
    const double* l = L + j * n;
    x[j] /= l[j];
    for (int i = j + 1; i < n; ++i) x[i] -= l[i] * x[j];
  }
  for (int j = n - 1; j >= 0; --j) {
    const double* l = L + j * n;
    double sum = x[j];
    for (int i = j + 1; i < n; ++i) sum -= l[i] * x[i];
    x[j] = sum / l[j];
  }
}

namespace {

// The loops exist once for sizes that the compiler knows, so that it can unroll them (three coordinates or a planar
// body; a rigid body), and once for all others (`size` 0). All do the same operations in the same order. They must
// become a part of their callers, because only those are compiled for every width of vectors.

// The pivot of column k, and the column of L. Rows are exchanged in all n columns. Returns false if A is singular.
[[gnu::always_inline]] inline bool pivot(double* A, int n, int k, int* pivots) {
  double* a = A + k * n;
  int p = k;
  for (int i = k + 1; i < n; ++i)
    if (std::abs(a[i]) > std::abs(a[p])) p = i;
  pivots[k] = p;
  if (!(std::abs(a[p]) > 0.0)) return false;
  if (p != k)
    for (int j = 0; j < n; ++j) std::swap(A[j * n + k], A[j * n + p]);
  const double inverse = 1.0 / a[k];
  for (int i = k + 1; i < n; ++i) a[i] *= inverse;
  return true;
}

// Column b of what is left, after the pivot with the column a.
[[gnu::always_inline]] inline void eliminate(const double* a, int n, int k, double* b) {
  const double factor = b[k];
  if (factor == 0.0) return;
  for (int i = k + 1; i < n; ++i) b[i] -= a[i] * factor;
}

template <int size>
[[gnu::always_inline]] inline bool lu_of(double* A, int order, int* pivots) {
  const int n = size > 0 ? size : order;
  for (int k = 0; k < n; ++k) {
    if (!pivot(A, n, k, pivots)) return false;
    for (int j = k + 1; j < n; ++j) eliminate(A + k * n, n, k, A + j * n);
  }
  return true;
}

constexpr int many = 24;

// The same operations on every number, in the same order, for matrices of many columns: four pivots are applied to the
// other columns together, so that these are read and written once instead of four times.
[[gnu::always_inline]] inline bool lu_of_many(double* A, int n, int* pivots) {
  constexpr int width = 4;
  int k = 0;
  for (; k + width <= n; k += width) {
    for (int c = k; c < k + width; ++c) {
      if (!pivot(A, n, c, pivots)) return false;
      for (int j = c + 1; j < k + width; ++j) eliminate(A + c * n, n, c, A + j * n);
    }
    const double *a = A + k * n, *b = a + n, *c = b + n, *d = c + n;
    for (int j = k + width; j < n; ++j) {
      double* x = A + j * n;
      const double f = x[k], g = x[k + 1] -= a[k + 1] * f;
      const double h = x[k + 2] = (x[k + 2] - a[k + 2] * f) - b[k + 2] * g;
      const double e = x[k + 3] = ((x[k + 3] - a[k + 3] * f) - b[k + 3] * g) - c[k + 3] * h;
      if (f == 0.0 && g == 0.0 && h == 0.0 && e == 0.0) continue;
      for (int i = k + width; i < n; ++i) x[i] = (((x[i] - a[i] * f) - b[i] * g) - c[i] * h) - d[i] * e;
    }
  }
  for (; k < n; ++k) {
    if (!pivot(A, n, k, pivots)) return false;
    for (int j = k + 1; j < n; ++j) eliminate(A + k * n, n, k, A + j * n);
  }
  return true;
}

// X is a number, or several side by side.
template <int size, class X>
[[gnu::always_inline]] inline void lu_solve_of(const double* LU, int order, const int* pivots, X* x) {
  const int n = size > 0 ? size : order;
  for (int k = 0; k < n; ++k) {
    const X first = x[k];
    x[k] = x[pivots[k]], x[pivots[k]] = first;
  }
  for (int k = 0; k < n; ++k) {
    const double* a = LU + k * n;
    const X value = x[k];
    for (int i = k + 1; i < n; ++i) x[i] -= a[i] * value;
  }
  for (int k = n - 1; k >= 0; --k) {
    const double* a = LU + k * n;
    const X value = x[k] /= a[k];
    for (int i = 0; i < k; ++i) x[i] -= a[i] * value;
  }
}

// The same operations on every number, in the same order, four columns at a time.
template <class X>
[[gnu::always_inline]] inline void lu_solve_of_many(const double* LU, int n, const int* pivots, X* x) {
  constexpr int width = 4;
  for (int k = 0; k < n; ++k) {
    const X first = x[k];
    x[k] = x[pivots[k]], x[pivots[k]] = first;
  }
  int k = 0;
  for (; k + width <= n; k += width) {
    const double *a = LU + k * n, *b = a + n, *c = b + n, *d = c + n;
    const X f = x[k], g = x[k + 1] -= a[k + 1] * f;
    const X h = x[k + 2] = (x[k + 2] - a[k + 2] * f) - b[k + 2] * g;
    const X e = x[k + 3] = ((x[k + 3] - a[k + 3] * f) - b[k + 3] * g) - c[k + 3] * h;
    for (int i = k + width; i < n; ++i) x[i] = (((x[i] - a[i] * f) - b[i] * g) - c[i] * h) - d[i] * e;
  }
  for (; k < n; ++k)
    for (int i = k + 1; i < n; ++i) x[i] -= LU[k * n + i] * x[k];
  for (k = n - 1; k + 1 >= width; k -= width) {
    const double *a = LU + k * n, *b = a - n, *c = b - n, *d = c - n;
    const X f = x[k] /= a[k], g = x[k - 1] = (x[k - 1] - a[k - 1] * f) / b[k - 1];
    const X h = x[k - 2] = ((x[k - 2] - a[k - 2] * f) - b[k - 2] * g) / c[k - 2];
    const X e = x[k - 3] = (((x[k - 3] - a[k - 3] * f) - b[k - 3] * g) - c[k - 3] * h) / d[k - 3];
    for (int i = 0; i <= k - width; ++i) x[i] = (((x[i] - a[i] * f) - b[i] * g) - c[i] * h) - d[i] * e;
  }
  for (; k >= 0; --k) {
    const X value = x[k] /= LU[k * n + k];
    for (int i = 0; i < k; ++i) x[i] -= LU[k * n + i] * value;
  }
}

template <int n, class X>
[[gnu::always_inline]] inline void multiply_of(const double* A, const X* x, X* y) {
  X sum[n] = {};
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) sum[i] += A[j * n + i] * x[j];
  std::copy(sum, sum + n, y);
}

}  // namespace

TAPPET_WIDE bool lu(double* A, int n, int* pivots) {
  if (n >= many) return lu_of_many(A, n, pivots);
  return n == 3 ? lu_of<3>(A, n, pivots) : n == 6 ? lu_of<6>(A, n, pivots) : lu_of<0>(A, n, pivots);
}

namespace {

template <class X>
[[gnu::always_inline]] inline void lu_solve_sized(const double* LU, int n, const int* pivots, X* x) {
  if (n == 3) return lu_solve_of<3>(LU, n, pivots, x);
  if (n == 6) return lu_solve_of<6>(LU, n, pivots, x);
  if (n >= many) return lu_solve_of_many(LU, n, pivots, x);
  lu_solve_of<0>(LU, n, pivots, x);
}

template <class X>
[[gnu::always_inline]] inline void multiply_sized(const double* A, int n, const X* x, X* y) {
  if (n == 3) return multiply_of<3>(A, x, y);
  if (n == 6) return multiply_of<6>(A, x, y);
  // The sums of some rows at a time stay in registers.
  constexpr int together = 4;
  int i = 0;
  for (; i + together <= n; i += together) {
    X sum[together] = {};
    for (int j = 0; j < n; ++j)
      for (int r = 0; r < together; ++r) sum[r] += A[j * n + i + r] * x[j];
    std::copy(sum, sum + together, y + i);
  }
  for (; i < n; ++i) {
    y[i] = X{};
    for (int j = 0; j < n; ++j) y[i] += A[j * n + i] * x[j];
  }
}

}  // namespace

TAPPET_WIDE void lu_solve(const double* LU, int n, const int* pivots, double* x) { lu_solve_sized(LU, n, pivots, x); }
TAPPET_WIDE void lu_solve(const double* LU, int n, const int* pivots, Four* x) { lu_solve_sized(LU, n, pivots, x); }

namespace {

// Right-hand sides of joints and contacts vanish at most bodies, so columns of L that they do not need are left out.
TAPPET_WIDE void lu_solve_four(const double* LU, int n, Four* x) {
  int k = 0;
  const auto is_zero = [](const Four& v) { return v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0 && v[3] == 0.0; };
  for (; k < n; ++k) {
    const Four value = x[k];
    if (is_zero(value)) continue;
    const double* a = LU + k * n;
    for (int i = k + 1; i < n; ++i) x[i] -= a[i] * value;
  }
  for (k = n - 1; k >= 0; --k) {
    const double* a = LU + k * n;
    const Four value = x[k] /= a[k];
    for (int i = 0; i < k; ++i) x[i] -= a[i] * value;
  }
}

}  // namespace

void lu_solve_rows(const double* LU, int n, const int* pivots, double* x, int rows, int stride) {
  Four side[most_sides];
  for (; rows > 0; rows -= 4, x += 4 * stride) {
    const int here = std::min(rows, 4);
    if (here == 1) return lu_solve(LU, n, pivots, x);
    for (int i = 0; i < n; ++i)
      for (int r = 0; r < 4; ++r) side[i][r] = r < here ? x[r * stride + i] : 0.0;
    for (int k = 0; k < n; ++k) std::swap(side[k], side[pivots[k]]);
    lu_solve_four(LU, n, side);
    for (int r = 0; r < here; ++r)
      for (int i = 0; i < n; ++i) x[r * stride + i] = side[i][r];
  }
}

TAPPET_WIDE void multiply(const double* A, int n, const double* x, double* y) { multiply_sized(A, n, x, y); }
TAPPET_WIDE void multiply(const double* A, int n, const Four* x, Four* y) { multiply_sized(A, n, x, y); }

namespace {

// Four by four numbers.
[[gnu::always_inline]] inline void transpose_block(const double* from, int n, double* to) {
  const Four a = four(from), b = four(from + n), c = four(from + 2 * n), d = four(from + 3 * n);
  const Four ab_0 = __builtin_shufflevector(a, b, 0, 4, 2, 6), ab_1 = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Four cd_0 = __builtin_shufflevector(c, d, 0, 4, 2, 6), cd_1 = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  four(to) = __builtin_shufflevector(ab_0, cd_0, 0, 1, 4, 5);
  four(to + n) = __builtin_shufflevector(ab_1, cd_1, 0, 1, 4, 5);
  four(to + 2 * n) = __builtin_shufflevector(ab_0, cd_0, 2, 3, 6, 7);
  four(to + 3 * n) = __builtin_shufflevector(ab_1, cd_1, 2, 3, 6, 7);
}

}  // namespace

TAPPET_WIDE void transpose(const double* A, int n, double* At) {
  const std::ptrdiff_t stride = n;
  constexpr int lanes = 4;
  const int blocks = n - n % lanes;
  for (int j = 0; j < blocks; j += lanes)
    for (int i = 0; i < blocks; i += lanes) transpose_block(A + j * stride + i, n, At + i * stride + j);
  for (int j = 0; j < n; ++j)
    for (int i = j < blocks ? blocks : 0; i < n; ++i) At[i * stride + j] = A[j * stride + i];
}

namespace {

// One sweep of rotations S ← JᵀSJ, V ← VJ over all pairs. Returns the largest off-diagonal entry before the sweep.
double jacobi_sweep(double* S, double* V, int n) {
  double largest = 0.0;
  for (int p = 0; p < n; ++p)
    for (int q = p + 1; q < n; ++q) {
      const double off = S[q * n + p];
      largest = std::max(largest, std::abs(off));
      if (off == 0.0) continue;
      const double theta = (S[q * n + q] - S[p * n + p]) / (2 * off);
      const double t = (theta < 0 ? -1.0 : 1.0) / (std::abs(theta) + std::hypot(theta, 1.0));
      const double c = 1 / std::hypot(t, 1.0), s = t * c;
      const auto turn = [&](double& x, double& y) {
        const double a = x, b = y;
        x = c * a - s * b, y = s * a + c * b;
      };
      for (int k = 0; k < n; ++k) turn(S[k * n + p], S[k * n + q]);
      for (int k = 0; k < n; ++k) turn(S[p * n + k], S[q * n + k]), turn(V[p * n + k], V[q * n + k]);
    }
  return largest;
}

}  // namespace

void make_negative(double* A, int n, bool keep_antisymmetric, double* scratch) {
  double *S = scratch, *V = scratch + n * n, size = 0.0;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      S[j * n + i] = (A[j * n + i] + A[i * n + j]) / 2;
      V[j * n + i] = i == j;
      size = std::max(size, std::abs(S[j * n + i]));
    }
  for (int j = 0; j < n; ++j)
    for (int i = 0; i <= j; ++i) {
      const double half = keep_antisymmetric ? (A[j * n + i] - A[i * n + j]) / 2 : 0.0;
      A[j * n + i] = half, A[i * n + j] = -half;
    }
  for (int sweep = 0; sweep < 50 && jacobi_sweep(S, V, n) > 1e-15 * size; ++sweep) {
  }
  for (int k = 0; k < n; ++k) {
    const double value = std::min(0.0, S[k * n + k]);
    if (value == 0.0) continue;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) A[j * n + i] += value * V[k * n + i] * V[k * n + j];
  }
}

}  // namespace tappet::dense

namespace tappet::band {

bool lu(double* A, int n, int w, int* pivots) {
  const int lead = 3 * w + 1;
  auto at = [&](int i, int j) -> double& { return A[static_cast<long>(j) * lead + 2 * w + i - j]; };
  for (int k = 0; k < n; ++k) {
    const int last = std::min(k + w, n - 1);
    int p = k;
    for (int i = k + 1; i <= last; ++i)
      if (std::abs(at(i, k)) > std::abs(at(p, k))) p = i;
    pivots[k] = p;
    if (!(std::abs(at(p, k)) > 0.0)) return false;
    const int reach = std::min(k + 2 * w, n - 1);
    if (p != k)
      for (int j = k; j <= reach; ++j) std::swap(at(k, j), at(p, j));
    const double inverse = at(k, k) = 1.0 / at(k, k);
    for (int i = k + 1; i <= last; ++i) at(i, k) *= inverse;
    for (int j = k + 1; j <= reach; ++j) {
      const double factor = at(k, j);
      if (factor == 0.0) continue;
      for (int i = k + 1; i <= last; ++i) at(i, j) -= at(i, k) * factor;
    }
  }
  return true;
}

namespace {

// The case w = 1 is common for bars. Each unknown depends on the previous one, which is kept in a register.
void solve_tridiagonal(const double* LU, int n, const int* pivots, double* x) {
  double y = x[0];
  for (int k = 0; k + 1 < n; ++k) {
    double next = x[k + 1];
    if (pivots[k] != k) std::swap(y, next);
    x[k] = y;
    y = next - LU[4L * k + 3] * y;
  }
  double above = 0.0;
  for (int k = n - 1; k >= 0; --k) {
    if (k + 1 < n) {
      y = x[k] - LU[4L * (k + 1) + 1] * x[k + 1];
      if (k + 2 < n) y -= LU[4L * (k + 2)] * above;
      above = x[k + 1];
    }
    x[k] = y * LU[4L * k + 2];
  }
}

}  // namespace

void lu_solve(const double* LU, int n, int w, const int* pivots, double* x) {
  if (w == 1) return solve_tridiagonal(LU, n, pivots, x);
  const int lead = 3 * w + 1;
  for (int k = 0; k < n; ++k) {
    std::swap(x[k], x[pivots[k]]);
    const double* a = LU + static_cast<long>(k) * lead + 2 * w;
    const int last = std::min(k + w, n - 1);
    for (int i = k + 1; i <= last; ++i) x[i] -= a[i - k] * x[k];
  }
  for (int k = n - 1; k >= 0; --k) {
    const double* a = LU + static_cast<long>(k) * lead + 2 * w;
    x[k] *= a[0];
    for (int i = std::max(0, k - 2 * w); i < k; ++i) x[i] -= a[i - k] * x[k];
  }
}

}  // namespace tappet::band
