// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include "math/vec.h"

// Motions that are known in closed form, with which several schemes are compared.
namespace tappet::test {

// The ball of cases/01 (Ballard): q₀ = 1, force −2, e = ½; impacts at 1, 2, 2.5, … → 3, then rest.
inline double exact_ball(double t) {
  double start = 1.0, up = 1.0;  // after the first impact: velocity 1
  if (t < 1.0) return 1.0 - t * t;
  while (up > 1e-12 && t > start + up) start += up, up /= 2;
  if (t >= 3.0) return 0.0;
  const double s = t - start;
  return up * s - s * s;
}

// rigid/tumbling_body with Omega1 = 1.2, Omega3 = 1.5 at t = 1 (cases/12, asymmetric): the error of its quaternion.
inline double tumbling_error(const Vec& q) {
  const double expected[4] = {0.6216059563658675726173, 0.2837058020322935550809, 0.264779641373356925939,
                              0.6804474957099075772276};
  double error = 0.0;
  for (int i = 0; i < 4; ++i) error = std::max(error, std::abs(q[3 + i] - expected[i]));
  return error;
}

}  // namespace tappet::test
