// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tappet {

// A root of f between a and b, where f(a) = f_a and f(b) = f_b differ in sign. This is Brent's method (1973, ch. 4):
// inverse quadratic interpolation, kept within the bracket by bisection. It ends at round-off of the argument.
template <class F>
double brent(F&& f, double a, double f_a, double b, double f_b) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  double c = a, f_c = f_a, d = b - a, e = d;
  for (int iteration = 0; iteration < 100; ++iteration) {
    if ((f_b > 0) == (f_c > 0)) c = a, f_c = f_a, d = e = b - a;
    if (std::abs(f_c) < std::abs(f_b)) a = b, b = c, c = a, f_a = f_b, f_b = f_c, f_c = f_a;
    const double tolerance = 2 * epsilon * std::abs(b), middle = (c - b) / 2;
    if (std::abs(middle) <= tolerance || f_b == 0.0) break;
    if (std::abs(e) < tolerance || std::abs(f_a) <= std::abs(f_b)) {
      d = e = middle;
    } else {
      double p, q;
      const double s = f_b / f_a;
      if (a == c) {
        p = 2 * middle * s, q = 1 - s;
      } else {
        const double r = f_b / f_c, w = f_a / f_c;
        p = s * (2 * middle * w * (w - r) - (b - a) * (r - 1));
        q = (w - 1) * (r - 1) * (s - 1);
      }
      if (p > 0) q = -q;
      p = std::abs(p);
      if (2 * p < std::min(3 * middle * q - std::abs(tolerance * q), std::abs(e * q)))
        e = std::exchange(d, p / q);
      else
        d = e = middle;
    }
    a = b, f_a = f_b;
    b += std::abs(d) > tolerance ? d : std::copysign(tolerance, middle);
    f_b = f(b);
  }
  return b;
}

}  // namespace tappet
