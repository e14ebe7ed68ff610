// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "steppers/cases.h"
#include "tangent/orbits/branch.h"

// The examples of docs/orbits.md against their closed forms.
namespace tappet::test {
namespace {

using std::numbers::pi;

ModelSource mechanism(const std::string& name, const Overrides& set = {}) {
  return ModelSource::of(load(shipped_models() + "/mechanisms/" + name + ".yaml", set), set);
}
ReturnRule forced() { return {.period = "2*pi/omega", .section = "", .mirrored = {}, .options = {}}; }

// A mass falls with the acceleration g onto a table a sin ωt, and strikes it once per period.
struct Bouncing {
  double g, omega, a, e;
  double T = 2 * pi / omega;
  double table = g * T / 2 * (1 - e) / (1 + e);  // its velocity at the impact
  double phase = std::acos(table / (a * omega));
  double acceleration = -g + a * omega * omega * std::sin(phase), before = -g * T / 2 - table;  // relative to the table
  double trace = -2 * e + T * (1 + e) * acceleration / before;
};

void expect_bouncing(const Orbit& orbit, const Bouncing& right, double length) {
  ASSERT_EQ(orbit.back.sequence.size(), 1u);
  const double phase = std::fmod(right.omega * orbit.back.sequence[0].t, 2 * pi);
  EXPECT_NEAR(phase, right.phase, 1e-9);
  EXPECT_NEAR(orbit.back.closeness.slowest_impact.value, -length * right.before, 1e-9);
  std::complex<double> sum = 0, product = 1;
  for (const auto& one : orbit.multipliers) sum += one, product *= one;
  EXPECT_NEAR(sum.real(), right.trace, 1e-8);
  EXPECT_NEAR(product.real(), right.e * right.e, 1e-9);
}

TEST(OrbitExample, ball_on_a_table_strikes_at_the_phase_of_the_closed_form) {
  const Orbit orbit = find_orbit(mechanism("ball_on_table"), forced(), 200);
  expect_bouncing(orbit, {9.81, 60 * pi, 3.5e-4, 0.5}, 1);
  EXPECT_TRUE(orbit.stable());
}

// The flip lies where the trace is −1 − e².
TEST(OrbitExample, ball_on_a_table_doubles_its_period_at_the_amplitude_of_the_closed_form) {
  const Branch branch = follow_branch(mechanism("ball_on_table"), forced(), {"A", 3.5e-4, 6e-4}, 200);
  const auto flip = std::find_if(branch.points.begin(), branch.points.end(),
                                 [](const BranchPoint& p) { return p.kind == BranchPoint::Kind::flip; });
  ASSERT_NE(flip, branch.points.end());
  const Bouncing right{9.81, 60 * pi, flip->parameter, 0.5};
  EXPECT_NEAR(right.trace, -1 - 0.25, 1e-8);
}

// The drag plays the part of gravity, and the driving flank that of the table.
TEST(OrbitExample, gears_rattle_like_a_ball_on_a_table) {
  const Orbit orbit = find_orbit(mechanism("gear_rattle"), forced(), 300);
  expect_bouncing(orbit, {0.02 / 2e-4, 40 * pi, 0.0075, 0.6}, 0.04);
}

// Gears stay together as long as the drag accelerates the driven one as strongly as the driving flank recedes: the
// orbit without events ends at A ω² = M/J.
TEST(OrbitExample, gears_begin_to_rattle_where_the_drag_is_too_weak) {
  const Branch branch = follow_branch(mechanism("gear_rattle"), forced(), {"A", 0.005, 0.0075}, 300);
  EXPECT_TRUE(branch.points.front().orbit.back.sequence.empty());
  EXPECT_EQ(branch.points.back().kind, BranchPoint::Kind::end);
  const double limit = 0.02 / 2e-4 / std::pow(40 * pi, 2);
  EXPECT_NEAR(branch.points.back().parameter / limit, 1, 1e-7);
  EXPECT_TRUE(branch.points.back().orbit.stable());  // stability does not announce it
}

// m x″ − c x′ + k x = μ m g − c v while the block slips, from x = μ m g/k and x′ = v until x′ = v again. Then it is
// carried back.
TEST(OrbitExample, block_on_a_belt_has_the_period_of_the_closed_form) {
  const double m = 1, k = 25, g = 9.81, mu = 0.3, c = 0.8, v = 0.2;
  const double a = c / (2 * m), w = std::sqrt(k / m - a * a), middle = (mu * m * g - c * v) / k;
  // x = middle + e^{a s} (P cos ws + Q sin ws)
  const double P = mu * m * g / k - middle, Q = (v - a * P) / w;
  const auto x = [&](double s) { return middle + std::exp(a * s) * (P * std::cos(w * s) + Q * std::sin(w * s)); };
  const auto rate = [&](double s) {
    return std::exp(a * s) * ((a * P + w * Q) * std::cos(w * s) + (a * Q - w * P) * std::sin(w * s));
  };
  double low = 0.75 * 2 * pi / w, high = 2 * pi / w;  // x′ is below v at the first, above it at the second
  ASSERT_LT(rate(low), v);
  ASSERT_GT(rate(high), v);
  for (int i = 0; i < 100; ++i) (rate((low + high) / 2) < v ? low : high) = (low + high) / 2;
  const double slip = low, stick = (mu * m * g / k - x(slip)) / v;
  const Orbit orbit = find_orbit(
      mechanism("belt"), {.period = "", .section = "x' + v/2", .mirrored = {}, .longest = 10, .options = {}}, 3);
  EXPECT_NEAR(orbit.period() / (slip + stick), 1, 1e-9);
  EXPECT_TRUE(orbit.stable());
  EXPECT_EQ(orbit.largest, 0);  // once it has stuck, the block has forgotten its start
}

}  // namespace
}  // namespace tappet::test
