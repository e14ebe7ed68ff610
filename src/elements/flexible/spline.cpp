// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "elements/flexible/spline.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <vector>

namespace tappet {

double Spline::knot(int i) const { return std::clamp(i - degree, 0, elements) / static_cast<double>(elements); }

double Spline::greville(int i) const {
  double sum = 0.0;
  for (int k = 1; k <= degree; ++k) sum += knot(i + k);
  return sum / degree;
}

// Cox and de Boor: the functions of degree p follow from those of degree p − 1, and derivatives are differences of the
// lower ones.
Spline::Values Spline::at(int element, double x) const {
  const int span = element + degree;                                   // knot(span) ≤ x ≤ knot(span + 1)
  std::array<std::array<double, max_degree + 1>, max_degree + 1> B{};  // B[p][k]: function span − p + k of degree p
  B[0][0] = 1.0;
  for (int p = 1; p <= degree; ++p)
    for (int k = 0; k <= p; ++k) {
      const int i = span - p + k;
      if (k > 0) B[p][k] += (x - knot(i)) / (knot(i + p) - knot(i)) * B[p - 1][k - 1];
      if (k < p) B[p][k] += (knot(i + p + 1) - x) / (knot(i + p + 1) - knot(i + 1)) * B[p - 1][k];
    }
  const auto differentiate = [&](int p, const auto& lower, auto& out) {  // lower: functions of degree p − 1
    for (int k = 0; k <= p; ++k) {
      const int i = span - p + k;
      double d = 0.0;
      if (k > 0) d += p / (knot(i + p) - knot(i)) * lower[k - 1];
      if (k < p) d -= p / (knot(i + p + 1) - knot(i + 1)) * lower[k];
      out[k] = d;
    }
  };
  Values values;
  values.N = B[degree];
  differentiate(degree, B[degree - 1], values.N_x);
  if (degree >= 2) {
    std::array<double, max_degree + 1> slope{};
    differentiate(degree - 1, B[degree - 2], slope);
    differentiate(degree, slope, values.N_xx);
  }
  return values;
}

namespace {

std::vector<GaussPoint> gauss_rule(int n) {
  std::vector<GaussPoint> rule(n);
  for (int i = 0; i < n; ++i) {
    double x = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5)), slope = 1.0;
    for (int iteration = 0; iteration < 20; ++iteration) {  // Newton on Legendre's polynomial
      double p = 1.0, before = 0.0;
      for (int k = 1; k <= n; ++k) {
        const double next = ((2 * k - 1) * x * p - (k - 1) * before) / k;
        before = p, p = next;
      }
      slope = n * (x * p - before) / (x * x - 1.0);
      x -= p / slope;
    }
    rule[i] = {0.5 * (1.0 - x), 1.0 / ((1.0 - x * x) * slope * slope)};
  }
  return rule;
}

}  // namespace

std::span<const GaussPoint> gauss_points(int count) {
  static const std::array<std::vector<GaussPoint>, 11> rules = [] {
    std::array<std::vector<GaussPoint>, 11> all;
    for (int n = 1; n <= 10; ++n) all[n] = gauss_rule(n);
    return all;
  }();
  assert(count >= 1 && count <= 10);
  return rules[count];
}

}  // namespace tappet
