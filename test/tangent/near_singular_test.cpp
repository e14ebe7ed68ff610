// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tangent/gradient/gradient.h"

// Motions that come near a place where they have no derivative, or reach it. Each derivative is right to 1e-6 of its
// closed form, or it is named with its time and contact.
namespace tappet::test {
namespace {

using testing::HasSubstr;

Gradient ask(const std::string& text, const std::vector<std::string>& of, const std::vector<std::string>& wrt,
             const Overrides& set = {}) {
  GradientQuestion question;
  for (const std::string& one : of) question.of.push_back(parse_quantity(one, 0));
  question.wrt = wrt;
  return gradient({text, "model.yaml", set}, question);
}

void expect_slopes(const Gradient& found, int row, const std::vector<double>& right, double relative = 1e-6) {
  ASSERT_EQ(found.wrt.size(), right.size());
  for (size_t d = 0; d < right.size(); ++d) {
    EXPECT_EQ(found.rows[row].trouble[d], "") << found.wrt[d];
    EXPECT_NEAR(found.rows[row].slopes[d], right[d], relative * std::max(1.0, std::abs(right[d]))) << found.wrt[d];
  }
}

void expect_named(const Gradient& found, size_t d, const std::string& time, const std::string& contact) {
  EXPECT_TRUE(std::isnan(found.rows[0].slopes[d])) << found.wrt[d];
  EXPECT_THAT(found.rows[0].trouble[d], HasSubstr(time)) << found.wrt[d];
  EXPECT_THAT(found.rows[0].trouble[d], HasSubstr(contact)) << found.wrt[d];
}

// x = A cos t strikes a wall at −1 if A > 1.
constexpr const char* swing = R"(
parameters: {A: 1.1, e: 0.6}
coordinates: {x: {position: A, velocity: 0}}
lagrangian: {kinetic: x'^2/2, potential: x^2/2}
contacts: {wall: {gap: x + 1, e_N: e}}
)";

class NearGrazing : public testing::TestWithParam<double> {};

// The speed V of the impact is √(A² − 1), and the derivative contains 1/V.
TEST_P(NearGrazing, derivative_is_the_closed_form_or_is_named) {
  const double A = 1 + GetParam(), e = 0.6, V = std::sqrt(A * A - 1), struck = std::acos(-1 / A), s = 5 - struck;
  const Gradient found = ask(swing, {"x at 5"}, {"A"}, {{"A", fmt::format("{:.17g}", A)}});
  EXPECT_NEAR(found.closeness.slowest_impact.value / V, 1, 1e-3);
  const double right = (std::sin(s) + e * V * std::cos(s)) / (A * V) + e * A / V * std::sin(s);
  if (found.rows[0].trouble[0].empty()) {
    EXPECT_NEAR(found.rows[0].slopes[0] / right, 1, 1e-6);
  } else {
    expect_named(found, 0, "at t = 3.1", "wall");
  }
  EXPECT_TRUE(GetParam() < 1e-5 || found.rows[0].trouble[0].empty());
}

INSTANTIATE_TEST_SUITE_P(Depth, NearGrazing, testing::Values(1e-2, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12));

// Motions that swing less far miss the wall. Those that swing farther have no derivative at all: it is infinite.
TEST(NearSingular, grazing_has_a_derivative_on_the_side_that_misses) {
  const Gradient found = ask(swing, {"x at 5"}, {"A", "e"}, {{"A", "1"}});
  expect_named(found, 0, "at t = 3.1415", "wall");
  EXPECT_FALSE(found.rows[0].increase[0].exists());
  ASSERT_TRUE(found.rows[0].decrease[0].exists()) << found.rows[0].decrease[0].trouble;
  EXPECT_NEAR(found.rows[0].decrease[0].slope, std::cos(5.0), 1e-6);
  EXPECT_EQ(found.rows[0].trouble[1], "");  // whatever the wall does with the mass, its velocity is zero
  EXPECT_NEAR(found.rows[0].slopes[1], 0, 1e-9);
}

TEST(NearSingular, near_miss_has_the_derivative_of_the_free_motion) {
  const Gradient found = ask(swing, {"x at 5"}, {"A"}, {{"A", "0.999999"}});
  expect_slopes(found, 0, {std::cos(5.0)});
  EXPECT_NEAR(found.closeness.nearest_miss.value, 1e-6, 1e-10);
}

constexpr const char* two_balls = R"(
parameters: {a: 1, b: 1, g: 9.81, e: 0.8}
coordinates: {x: {position: a, velocity: 0}, y: {position: b, velocity: 0}}
lagrangian: {kinetic: (x'^2 + y'^2)/2, potential: g*(x + y)}
contacts: {left: {gap: x, e_N: e}, right: {gap: y, e_N: e}}
)";

// q = e v s − g s²/2 with s = t − v/g, v = √(2 g h), after one impact.
double by_height(double h, double t) {
  const double g = 9.81, e = 0.8, v = std::sqrt(2 * g * h), s = t - v / g;
  return e * s * g / v - (e * v - g * s) / v;
}

TEST(NearSingular, impacts_at_once_that_do_not_act_on_each_other_have_a_derivative) {
  const Gradient found = ask(two_balls, {"x at 0.8", "y at 0.8"}, {"a", "b"});
  expect_slopes(found, 0, {by_height(1, 0.8), 0});
  expect_slopes(found, 1, {0, by_height(1, 0.8)});
}

TEST(NearSingular, impacts_a_nanosecond_apart_have_a_derivative) {
  const Gradient found = ask(two_balls, {"x at 0.8", "y at 0.8"}, {"a", "b"}, {{"b", "1.000000004"}});
  expect_slopes(found, 0, {by_height(1, 0.8), 0});
  expect_slopes(found, 1, {0, by_height(1.000000004, 0.8)});
  EXPECT_LT(found.closeness.smallest_spacing.value, 1e-8);
}

// A mass flies into a right-angled corner: both walls at once, at t = 1.
TEST(NearSingular, corner_that_is_met_exactly_has_a_derivative) {
  const Gradient found = ask(R"(
parameters: {u: 1, v: 1, e: 0.5}
coordinates: {x: {position: 1, velocity: -u}, y: {position: 1, velocity: -v}}
lagrangian: {kinetic: (x'^2 + y'^2)/2, potential: 0}
contacts: {floor: {gap: y, e_N: e}, wall: {gap: x, e_N: e}}
)",
                             {"x at 3", "y at 3"}, {"u", "v", "e"});
  // x = e u (t − 1/u) = e (u t − 1)
  expect_slopes(found, 0, {0.5 * 3, 0, 2});
  expect_slopes(found, 1, {0, 0.5 * 3, 2});
}

// Both ends of a flat rod strike at once. Lifting keeps them together, turning separates them, and they act on each
// other.
TEST(NearSingular, flat_rod_is_named_along_the_turn_and_right_along_the_height) {
  const Gradient found = ask(R"(
parameters: {h: 1, phi: 0, g: 9.81, e: 0.5, J: 0.2}
coordinates: {y: {position: h, velocity: 0}, a: {position: phi, velocity: 0}}
lagrangian: {kinetic: (y'^2 + J*a'^2)/2, potential: g*y}
contacts: {low: {gap: y - sin(a), e_N: e}, high: {gap: y + sin(a), e_N: e}}
)",
                             {"y at 0.7"}, {"h", "phi"});
  const double v = std::sqrt(2 * 9.81), s = 0.7 - v / 9.81;
  EXPECT_NEAR(found.rows[0].slopes[0], 0.5 * s * 9.81 / v - (0.5 * v - 9.81 * s) / v, 1e-6);
  expect_named(found, 1, "at t = 0.4515", "high");
}

// A thrown mass that slips on the floor. The vertical momentum is zero at the start and at the end.
constexpr const char* thrown = R"(
parameters: {h: 1, v: 20, g: 9.81, e: 0.5, mu: 0.1}
coordinates: {x: {position: 0, velocity: v}, y: {position: h, velocity: 0}}
lagrangian: {kinetic: (x'^2 + y'^2)/2, potential: g*y}
contacts: {floor: {gap: y, slip: x, e_N: e, mu: mu}}
)";

TEST(NearSingular, slip_after_an_accumulation_of_impacts_is_the_closed_form) {
  const Gradient found = ask(thrown, {"x' at 3", "y at 3"}, {"h", "v", "g", "e", "mu"});
  expect_slopes(found, 0, {0, 1, -0.1 * 3, 0, -9.81 * 3});  // x' = v − μ g t
  expect_slopes(found, 1, {0, 0, 0, 0, 0});
}

TEST(NearSingular, slip_after_a_plastic_impact_is_the_closed_form) {
  const Gradient found = ask(thrown, {"x at 2"}, {"h", "v", "g", "mu"}, {{"e", "0"}});
  // x = v t − μ g t²/2 + μ h
  expect_slopes(found, 0, {0.1, 2, -0.1 * 2, -9.81 * 2 + 1});
}

TEST(NearSingular, sticking_impact_leaves_the_time_of_the_fall) {
  const double t_1 = std::sqrt(2 / 9.81);
  const Gradient found = ask(thrown, {"x at 2"}, {"h", "v", "mu"}, {{"e", "0"}, {"mu", "20"}});
  expect_slopes(found, 0, {20 / (9.81 * t_1), t_1, 0});  // x = v t_1
  EXPECT_EQ(found.rank, 1);
}

// The friction that would be needed to stop the slip in the impact is exactly the largest one: μ (1 + e) V = v.
TEST(NearSingular, impact_between_stick_and_slip_is_named) {
  const double V = std::sqrt(2 * 9.81);
  const Gradient found = ask(thrown, {"x at 0.7"}, {"mu", "h"}, {{"v", fmt::format("{:.17g}", 0.1 * 1.5 * V)}});
  expect_named(found, 0, "at t = 0.4515", "floor");
  expect_named(found, 1, "at t = 0.4515", "floor");
}

TEST(NearSingular, fall_from_a_tiny_height_is_the_closed_form) {
  const double h = 1e-8, t = 6e-5, v = std::sqrt(2 * 9.81 * h), s = t - v / 9.81;
  const Gradient found = ask(two_balls, {"x at 6e-5"}, {"a"}, {{"a", "1e-8"}});
  expect_slopes(found, 0, {0.8 * s * 9.81 / v - (0.8 * v - 9.81 * s) / v});
}

// Two contacts that say the same: their impulses are not unique, the motion is.
TEST(NearSingular, dependent_contacts_have_the_derivative_of_one) {
  const Gradient found = ask(R"(
parameters: {a: 1, g: 9.81, e: 0.8}
coordinates: {x: {position: a, velocity: 0}}
lagrangian: {kinetic: x'^2/2, potential: g*x}
contacts: {one: {gap: x, e_N: e}, two: {gap: 2*x, e_N: e}}
)",
                             {"x at 0.8"}, {"a"});
  expect_slopes(found, 0, {by_height(1, 0.8)});
}

// A block with two corners slides: the share of each corner in the friction is not unique, their sum is.
TEST(NearSingular, block_that_slides_on_two_corners_is_right_or_named) {
  const Gradient found = ask(R"(
parameters: {v: 3, mu: 0.2, g: 9.81, a: 0.2, b: 0.1}
bodies: {block: {type: planar, mass: 1, inertia: 0.02, position: [0, b], velocity: [v, 0], coordinates: [x, y, phi]}}
contacts:
  low: {type: point-plane, bodies: [block, ground], at: [-a, -b], normal: [0, 1], mu: mu}
  high: {type: point-plane, bodies: [block, ground], at: [a, -b], normal: [0, 1], mu: mu}
forces: {gravity: {type: gravity, acceleration: [0, -g]}}
)",
                             {"x at 1"}, {"v", "mu", "g"});
  expect_slopes(found, 0, {1, -9.81 / 2, -0.2 / 2});  // x = v t − μ g t²/2
}

constexpr const char* block = R"(
parameters: {mu: 0.5, g: 10, v: 2, r: 0}
coordinates: {x: {position: 0, velocity: v}, y: {position: 0, velocity: 0}}
lagrangian: {kinetic: (x'^2 + y'^2)/2, potential: g*y}
forces: {x: r*t}
contacts: {ground: {gap: y, slip: x, mu: mu}}
)";

TEST(NearSingular, end_of_slip_exactly_at_the_end_is_named_with_its_sides) {
  const Gradient found = ask(block, {"x' at 0.4"}, {"v"});  // it stops at v/(μ g) = 0.4
  expect_named(found, 0, "at t = 0.4 s", "");
  ASSERT_TRUE(found.rows[0].increase[0].exists() && found.rows[0].decrease[0].exists());
  EXPECT_NEAR(found.rows[0].increase[0].slope, 1, 1e-6);  // it still slips
  EXPECT_NEAR(found.rows[0].decrease[0].slope, 0, 1e-6);  // it has stopped
}

TEST(NearSingular, beginning_of_slip_exactly_at_the_end_is_named) {
  const Gradient found = ask(block, {"x' at 2.5"}, {"mu"}, {{"v", "0"}, {"r", "2"}});  // r t = μ g
  expect_named(found, 0, "at t = 2.5 s", "");
}

TEST(NearSingular, block_at_rest_moves_with_its_start_only) {
  const Gradient found = ask(block, {"x at 1", "x' at 1"}, {"x", "mu", "g", "y"}, {{"v", "0"}});
  for (int d = 0; d < 3; ++d) EXPECT_NEAR(found.rows[0].slopes[d], d == 0 ? 1 : 0, 1e-9);
  EXPECT_THAT(found.rows[0].trouble[3], HasSubstr("contact ground is closed"));
}

// At t = 1 the ball strikes the floor: if it starts lower, it has already rebounded.
TEST(NearSingular, impact_exactly_at_the_end_is_named_with_its_sides) {
  const Gradient found = ask(R"(
parameters: {h: 1, e: 0.5}
coordinates: {q: {position: h, velocity: 0}}
lagrangian: {kinetic: q'^2/2, potential: 2*q}
contacts: {ground: {gap: q, e_N: e}}
)",
                             {"q at 1", "q' at 1"}, {"h"});
  expect_named(found, 0, "at t = 1 s", "");
  const Gradient::Row &q = found.rows[0], &u = found.rows[1];
  ASSERT_TRUE(q.increase[0].exists() && q.decrease[0].exists());
  EXPECT_NEAR(q.increase[0].slope, 1, 1e-6);     // q = h − t²
  EXPECT_NEAR(q.decrease[0].slope, -0.5, 1e-6);  // q = e v s, v = 2 √h, s = t − √h
  EXPECT_NEAR(u.increase[0].value, -2, 1e-9);
  EXPECT_NEAR(u.decrease[0].value, 1, 1e-9);
}

TEST(NearSingular, opening_exactly_at_the_end_is_named) {
  const Gradient found = ask(R"(
parameters: {g: 10, c: 4}
coordinates: {y: {position: 0, velocity: 0}}
lagrangian: {kinetic: y'^2/2, potential: g*y}
contacts: {table: {gap: y + c*t^3/6}}
)",
                             {"y at 2.5"}, {"g"});  // c t = g
  expect_named(found, 0, "at t = 2.5 s", "");
}

TEST(NearSingular, every_answer_says_how_close_it_came) {
  const Gradient found = ask(two_balls, {"x at 1.5"}, {"a"}, {{"b", "0.7"}});
  EXPECT_NEAR(found.closeness.slowest_impact.value, 0.64 * std::sqrt(2 * 9.81 * 0.7), 1e-9);
  EXPECT_GT(found.closeness.smallest_spacing.value, 0);
  EXPECT_TRUE(std::isfinite(found.closeness.smallest_spacing.value));
  EXPECT_EQ(found.rank, 1);
}

}  // namespace
}  // namespace tappet::test
