// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "problem/law.h"

namespace tappet {

inline double norm(const double* x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}

inline double dot(const double* x, const double* y, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

// The largest a with x + a d in the cone {x0 ≥ ‖x‖}. With `polar`, near the boundary of the cone the length of the
// tangential part is bounded and not its components.
double to_cone(double x0, const double* x, double d0, const double* d, int f, bool polar);

inline bool frictional(const Law& law) { return law.kind == Law::Kind::contact && law.rows > 1; }

}  // namespace tappet
