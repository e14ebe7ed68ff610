// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The order of the schemes, and the energy, on bodies that roll and slide with contacts between colliders.
#include "steppers/found_contacts/mechanisms.h"

namespace tappet::test {
namespace {

using Error = std::function<double(const State&)>;

std::vector<double> errors(const Model& model, const std::string& scheme, const std::vector<double>& steps, double end,
                           const Error& error) {
  std::vector<double> list;
  for (double dt : steps) {
    const FoundRun run = run_found(model, scheme_named(scheme), dt, end);
    EXPECT_EQ(run.unconverged, 0) << scheme << " " << dt;
    list.push_back(error(run.state));
  }
  return list;
}

std::string word_of(const testing::TestParamInfo<const char*>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class SecondOrderWithColliders : public testing::TestWithParam<const char*> {
 protected:
  void expect_second_order(const Model& model, double end, const Error& error, double round_off = 1e-11) {
    const std::vector<double> steps{4e-3, 2e-3, 1e-3};
    const std::vector<double> e = errors(model, GetParam(), steps, end, error);
    if (e.front() < round_off) return;  // exact
    EXPECT_GE(order(steps, e), 1.9) << e[0] << " " << e[1] << " " << e[2];
  }
};
INSTANTIATE_TEST_SUITE_P(schemes, SecondOrderWithColliders,
                         testing::Values("half-explicit-velocity", "half-explicit-adaptive", "generalized-alpha",
                                         "ggl-unified", "lcp-trapezoidal", "event-driven"),
                         word_of);

TEST_P(SecondOrderWithColliders, of_a_ball_that_rolls_on_a_ball) {
  const double exact = angle_on_ball(5.0 / 7.0, 0.24);
  expect_second_order(ball_on_ball(2.0).with_colliders(), 0.24,
                      [&](const State& state) { return std::abs(angle_of(state) - exact); });
}

TEST_P(SecondOrderWithColliders, of_a_ball_that_slides_on_a_ball) {
  const double exact = angle_on_ball(1.0, 0.24);
  expect_second_order(ball_on_ball(0.0).with_colliders(), 0.24,
                      [&](const State& state) { return std::abs(angle_of(state) - exact); });
}

// y = −½ + ½ cos ω t with ω² = k/(m + I/R²).
TEST_P(SecondOrderWithColliders, of_a_capsule_that_rolls_on_a_plane) {
  const double exact = -0.5 + 0.5 * std::cos(std::sqrt(40 / 1.5) * 0.24);
  expect_second_order(rolling_capsule().with_colliders(), 0.24,
                      [&](const State& state) { return std::abs(state.q[1] - exact); });
}

// x'' = g sin α − μ g cos α − ω² x.
TEST_P(SecondOrderWithColliders, of_a_box_that_slides_down_a_slope) {
  const double c = 9.81 * (std::sin(0.3) - 0.2 * std::cos(0.3)) / 9, t = 0.24;
  const double exact = c - c * std::cos(3 * t) + std::sin(3 * t) / 3;
  expect_second_order(box_on_slope(0.2).with_colliders(), t,
                      [&](const State& state) { return std::abs(state.q[0] - exact); });
}

// The contact passes from arc to arc of the outline, hundreds of times.
class SecondOrderOnArcs : public SecondOrderWithColliders {};
INSTANTIATE_TEST_SUITE_P(schemes, SecondOrderOnArcs,
                         testing::Values("half-explicit-velocity", "half-explicit-adaptive", "generalized-alpha",
                                         "ggl-unified", "lcp-trapezoidal"),
                         word_of);

TEST_P(SecondOrderOnArcs, of_an_ellipse_that_rolls_on_a_plane) {
  const double exact = angle_of_rolling_ellipse(1.0);
  expect_second_order(rolling_ellipse(1e-11), 1.0, [&](const State& state) { return std::abs(state.q[2] - exact); });
}

// Arcs that deviate by up to 1e-8 m from the ellipse change the angle by 2e-6.
TEST(FoundEvents, an_ellipse_rolls_from_arc_to_arc) {
  const FoundRun run = run_found(rolling_ellipse(1e-8), scheme_named("event-driven"), 0.05, 1.0);
  EXPECT_NEAR(run.state.q[2], angle_of_rolling_ellipse(1.0), 1e-5);
  EXPECT_LE(run.energy_change, 1e-10);
  EXPECT_EQ(run.impulsive, 0);
}

TEST(ContactsOfColliders, of_a_box_without_friction_are_of_second_order_on_acceleration_level) {
  const double c = 9.81 * std::sin(0.3) / 9, t = 0.24;
  const double exact = c - c * std::cos(3 * t) + std::sin(3 * t) / 3;
  const std::vector<double> steps{4e-3, 2e-3, 1e-3};
  const auto e = errors(box_on_slope(0.0).with_colliders(), "half-explicit-acceleration", steps, t,
                        [&](const State& state) { return std::abs(state.q[0] - exact); });
  EXPECT_GE(order(steps, e), 1.9) << e[0] << " " << e[1] << " " << e[2];
}

class FirstOrder : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(schemes, FirstOrder,
                         testing::Values("schatzman-paoli", "position-trapezoidal", "ggl-decoupled",
                                         "explicit-velocity", "moreau-midpoint", "combined-projection"),
                         word_of);

TEST_P(FirstOrder, of_a_ball_that_rolls_on_a_ball) {
  const double exact = angle_on_ball(5.0 / 7.0, 0.24);
  const std::vector<double> steps{4e-3, 2e-3, 1e-3};
  const auto e = errors(ball_on_ball(2.0).with_colliders(), GetParam(), steps, 0.24,
                        [&](const State& state) { return std::abs(angle_of(state) - exact); });
  EXPECT_GE(order(steps, e), 0.9) << e[0] << " " << e[1] << " " << e[2];
}

// The ellipse has 0.87 J.
TEST(ContactsOfColliders, of_a_rolling_ellipse_keep_its_energy) {
  const FoundRun run = run_found(rolling_ellipse(1e-11), scheme_named("generalized-alpha"), 1e-4, 1.0);
  EXPECT_EQ(run.unconverged, 0);
  EXPECT_LE(run.energy_change, 1e-8);
}

// Two schemes gain energy at impacts with contacts of the file as well. They may not gain more with colliders.
TEST(ContactsOfColliders, do_not_add_energy) {
  for (const FollowingScheme& scheme : every_scheme()) {
    const Written mechanism = bouncing_beside_resting(scheme.friction ? 0.3 : 0.0);
    double allowed = 1e-9;
    if (scheme.name == "moreau-explicit" || scheme.name == "direct-projection")
      allowed += run_found(mechanism.with_contacts(), scheme, 1e-3, 0.5).energy_rise;
    EXPECT_LE(run_found(mechanism.with_colliders(), scheme, 1e-3, 0.5).energy_rise, allowed) << scheme.name;
  }
}

}  // namespace
}  // namespace tappet::test
