// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// A candidate for the curve "acceleration level" of Schoeder, Ulbrich and Schindler 2013, Fig. 6, whose integrator the
// paper does not name: the classical Runge-Kutta method of fourth order on the equations of index 1, (21)-(24).
#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace tappet {
namespace {

using Four = std::array<double, 4>;  // θ₁, θ₂, ω₁, ω₂

constexpr double l1 = 0.153, l2 = 0.306, m1 = 0.038, m2 = 0.038, m3 = 0.076, J1 = 7.4e-5, J2 = 5.9e-4, g = 9.81;

Four rate(const Four& x) {
  const double s1 = std::sin(x[0]), c1 = std::cos(x[0]), s2 = std::sin(x[1]), c2 = std::cos(x[1]);
  const double sin12 = s1 * c2 - c1 * s2, cos12 = c1 * c2 + s1 * s2, coupled = l1 * l2 * (m2 / 2 + m3);
  const double a = J1 + l1 * l1 * (m1 / 4 + m2 + m3), b = coupled * cos12, d = J2 + l2 * l2 * (m2 / 4 + m3);
  const double h1 = -coupled * sin12 * x[3] * x[3] - g * l1 * c1 * (m1 / 2 + m2 + m3);
  const double h2 = coupled * sin12 * x[2] * x[2] - g * l2 * c2 * (m2 / 2 + m3);
  const double w1 = l1 * c1, w2 = l2 * c2, wanted = l1 * s1 * x[2] * x[2] + l2 * s2 * x[3] * x[3];
  const double det = a * d - b * b;
  const auto solve = [&](double r1, double r2) { return std::array{(d * r1 - b * r2) / det, (a * r2 - b * r1) / det}; };
  const auto free = solve(h1, h2), along = solve(w1, w2);
  const double lambda = (wanted - w1 * free[0] - w2 * free[1]) / (w1 * along[0] + w2 * along[1]);
  return {x[2], x[3], free[0] + lambda * along[0], free[1] + lambda * along[1]};
}

Four moved(const Four& x, const Four& k, double h) {
  return {x[0] + h * k[0], x[1] + h * k[1], x[2] + h * k[2], x[3] + h * k[3]};
}

double largest_drift(double dt, double end) {
  Four x{0, 0, 150, -75};
  double worst = 0;
  for (long n = std::lround(end / dt); n > 0; --n) {
    const Four k1 = rate(x), k2 = rate(moved(x, k1, dt / 2)), k3 = rate(moved(x, k2, dt / 2)),
               k4 = rate(moved(x, k3, dt));
    for (int i = 0; i < 4; ++i) x[i] += dt / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    worst = std::max(worst, std::abs(l1 * std::sin(x[0]) + l2 * std::sin(x[1])));
  }
  return worst;
}

// "In fact the y-position increases with rising gradient"; another code found the exponent 1.64.
TEST(IndexOne, the_drift_of_a_fourth_order_method_rises_with_a_growing_slope) {
  const double exponent = std::log(largest_drift(1e-4, 5) / largest_drift(1e-4, 1.25)) / std::log(4);
  EXPECT_NEAR(exponent, 1.64, 0.1);
}

}  // namespace
}  // namespace tappet
