// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tappet {

// Sums of vectors of n numbers, two at a time. The result may stand in the place of one of the summands. Each number
// has the bits of the plain loop.
namespace sums {

using Two = double __attribute__((vector_size(16), aligned(8), may_alias));  // at any address of a double

inline const Two& at(const double* x) { return *reinterpret_cast<const Two*>(x); }
inline Two& at(double* x) { return *reinterpret_cast<Two*>(x); }

}  // namespace sums

inline void clear(int n, double* y) {  // y = 0
  int i = 0;
  for (; i + 2 <= n; i += 2) sums::at(y + i) = sums::Two{};
  if (i < n) y[i] = 0.0;
}

inline void copy(int n, const double* x, double* y) {  // y = x
  int i = 0;
  for (; i + 2 <= n; i += 2) sums::at(y + i) = sums::at(x + i);
  if (i < n) y[i] = x[i];
}

inline void multiply(int n, double h, const double* x, double* y) {  // y = h x
  int i = 0;
  for (; i + 2 <= n; i += 2) sums::at(y + i) = h * sums::at(x + i);
  if (i < n) y[i] = h * x[i];
}

inline void add(int n, const double* x, const double* v, double* y) {  // y = x + v
  int i = 0;
  for (; i + 2 <= n; i += 2) sums::at(y + i) = sums::at(x + i) + sums::at(v + i);
  if (i < n) y[i] = x[i] + v[i];
}

inline void add_multiple(int n, const double* x, double h, const double* v, double* y) {  // y = x + h v
  int i = 0;
  for (; i + 2 <= n; i += 2) sums::at(y + i) = sums::at(x + i) + h * sums::at(v + i);
  if (i < n) y[i] = x[i] + h * v[i];
}

// y = x + h (v + w)
inline void add_multiple(int n, const double* x, double h, const double* v, const double* w, double* y) {
  int i = 0;
  for (; i + 2 <= n; i += 2) sums::at(y + i) = sums::at(x + i) + h * (sums::at(v + i) + sums::at(w + i));
  if (i < n) y[i] = x[i] + h * (v[i] + w[i]);
}

}  // namespace tappet
