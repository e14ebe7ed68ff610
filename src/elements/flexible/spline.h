// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>

namespace tappet {

// B-splines of one degree on [0, 1] with equal elements and open ends: the curve starts at its first control point and
// ends at its last.
struct Spline {
  static constexpr int max_degree = 7;
  int degree = 2, elements = 1;

  int size() const { return elements + degree; }
  double knot(int i) const;  // 0 (degree + 1 times), 1/elements, …, 1 (degree + 1 times)
  // with control points at these parameters, the parameter of a straight line is its arc length
  double greville(int i) const;

  // The degree + 1 functions that are not zero on element e, with two derivatives, at x in it. The first has the number
  // e.
  struct Values {
    std::array<double, max_degree + 1> N{}, N_x{}, N_xx{};
  };
  Values at(int element, double x) const;
};

struct GaussPoint {
  double x, weight;  // on [0, 1]
};
std::span<const GaussPoint> gauss_points(int count);  // 1 to 10

}  // namespace tappet
