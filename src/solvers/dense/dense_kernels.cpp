// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/dense/dense_kernels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "math/wide/wide.h"

namespace tappet {

TAPPET_WIDE void subtract_multiple(int n, double a, const double* x, double* y) {
  int i = 0;
  for (; i + 8 <= n; i += 8) {
    four(y + i) = four(y + i) - a * four(x + i);
    four(y + i + 4) = four(y + i + 4) - a * four(x + i + 4);
  }
  for (; i < n; ++i) y[i] -= a * x[i];
}

TAPPET_WIDE void subtract_outer(int rows, int columns, const double* x, const double* u, double* C, int stride) {
  const std::ptrdiff_t s = stride;
  for (int j = 0; j < columns; ++j, u += s, C += s) {
    const double a = *u;
    int i = 0;
    for (; i + 4 <= rows; i += 4) four(C + i) = four(C + i) - a * four(x + i);
    for (; i < rows; ++i) C[i] -= x[i] * a;
  }
}

TAPPET_WIDE void subtract_product(int rows, int columns, int depth, const double* L, const double* U, double* C,
                                  int stride) {
  const std::ptrdiff_t s = stride;
  int j = 0;
  for (; j + 4 <= columns; j += 4) {
    const double *u0 = U + j * s, *u1 = u0 + s, *u2 = u1 + s, *u3 = u2 + s;
    double *c0 = C + j * s, *c1 = c0 + s, *c2 = c1 + s, *c3 = c2 + s;
    int i = 0;
    for (; i + 8 <= rows; i += 8) {
      Four a0 = four(c0 + i), a1 = four(c1 + i), a2 = four(c2 + i), a3 = four(c3 + i);
      Four b0 = four(c0 + i + 4), b1 = four(c1 + i + 4), b2 = four(c2 + i + 4), b3 = four(c3 + i + 4);
      const double* l = L + i;
      for (int k = 0; k < depth; ++k, l += s) {
        const Four p = four(l), q = four(l + 4);
        a0 -= p * u0[k], b0 -= q * u0[k];
        a1 -= p * u1[k], b1 -= q * u1[k];
        a2 -= p * u2[k], b2 -= q * u2[k];
        a3 -= p * u3[k], b3 -= q * u3[k];
      }
      four(c0 + i) = a0, four(c1 + i) = a1, four(c2 + i) = a2, four(c3 + i) = a3;
      four(c0 + i + 4) = b0, four(c1 + i + 4) = b1, four(c2 + i + 4) = b2, four(c3 + i + 4) = b3;
    }
    for (; i < rows; ++i) {
      double a0 = c0[i], a1 = c1[i], a2 = c2[i], a3 = c3[i];
      const double* l = L + i;
      for (int k = 0; k < depth; ++k, l += s) a0 -= *l * u0[k], a1 -= *l * u1[k], a2 -= *l * u2[k], a3 -= *l * u3[k];
      c0[i] = a0, c1[i] = a1, c2[i] = a2, c3[i] = a3;
    }
  }
  for (; j < columns; ++j) {
    double* c = C + j * s;
    const double* l = L;
    for (int k = 0; k < depth; ++k, l += s) {
      const double u = U[j * s + k];
      for (int i = 0; i < rows; ++i) c[i] -= l[i] * u;
    }
  }
}

TAPPET_WIDE void subtract_image(int rows, int depth, const double* L, int stride, const double* x, double* y) {
  const std::ptrdiff_t s = stride;
  int i = 0;
  for (; i + 8 <= rows; i += 8) {
    Four a = four(y + i), b = four(y + i + 4);
    const double* l = L + i;
    for (int k = 0; k < depth; ++k, l += s) a -= four(l) * x[k], b -= four(l + 4) * x[k];
    four(y + i) = a, four(y + i + 4) = b;
  }
  for (; i + 4 <= rows; i += 4) {
    Four a = four(y + i);
    const double* l = L + i;
    for (int k = 0; k < depth; ++k, l += s) a -= four(l) * x[k];
    four(y + i) = a;
  }
  for (; i < rows; ++i) {
    double a = y[i];
    for (int k = 0; k < depth; ++k) a -= L[k * s + i] * x[k];
    y[i] = a;
  }
}

// Four columns at a time, side by side in one vector.
TAPPET_WIDE void solve_lower(int depth, int columns, const double* L, double* U, int stride) {
  const std::ptrdiff_t s = stride;
  int j = 0;
  for (; j + 4 <= columns; j += 4) {
    double *u0 = U + j * s, *u1 = u0 + s, *u2 = u1 + s, *u3 = u2 + s;
    Four x[deepest];
    for (int i = 0; i < depth; ++i) x[i] = Four{u0[i], u1[i], u2[i], u3[i]};
    for (int k = 0; k < depth; ++k)
      for (int i = k + 1; i < depth; ++i) x[i] -= L[k * s + i] * x[k];
    for (int i = 0; i < depth; ++i) u0[i] = x[i][0], u1[i] = x[i][1], u2[i] = x[i][2], u3[i] = x[i][3];
  }
  for (; j < columns; ++j)
    for (int k = 0; k < depth; ++k)
      for (int i = k + 1; i < depth; ++i) U[j * s + i] -= L[k * s + i] * U[j * s + k];
}

TAPPET_WIDE double largest_of(int n, const double* x) {
  Four most{};
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    const Four here = four(x + i), size = here < 0.0 ? -here : here;
    most = size > most ? size : most;
  }
  double largest = std::max({most[0], most[1], most[2], most[3]});
  for (; i < n; ++i) largest = std::max(largest, std::abs(x[i]));
  return largest;
}

}  // namespace tappet
