// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// One convention for all elements between two bodies [A, B]: from A to B, right-handed, counted from the start pose.
#include <gtest/gtest.h>

#include <cmath>

#include "run/simulate.h"
#include "support/mechanism.h"
#include "system/evaluator.h"

namespace tappet {
namespace {

const std::string planar = "bodies: {a: {type: planar, mass: 1, inertia: 1, angle: 0.7, position: [1, 2]}}\n";
const std::string rigid =
    "bodies: {a: {type: rigid, mass: 1, inertia: [1, 1, 1], rotation: {axis: [0, 0, 1], angle: 0.7}, position: [1, 2, "
    "0]}}\n";

Vec force_at_start(const std::string& text) {
  const Mechanism system(parse_model(text, "test.yaml"));
  Evaluator evaluate(system);
  Vec h;
  evaluate.forces(0.0, system.initial().q, system.initial().u, h);
  return h;
}

State end_of(const std::string& text) {
  return simulate(parse_model(text, "test.yaml"), {.scheme = "moreau-jean", .dt = 1e-3, .end = 1.0}).state;
}

struct Order {
  const char* bodies;
  double sign;  // sign of the motion of a
};
const Order orders[] = {{"[ground, a]", 1.0}, {"[a, ground]", -1.0}};

TEST(Signs, a_torsional_spring_pulls_b_to_its_angle) {
  for (const auto& [bodies, sign] : orders)
    for (const double axis : {1.0, -1.0}) {
      const std::string spring = "forces: {s: {type: torsional-spring-damper, bodies: " + std::string(bodies) +
                                 ", stiffness: 10, angle: 0.2, axis: [0, 0, " + std::to_string(axis) + "]}}\n";
      EXPECT_NEAR(force_at_start(planar + spring)[2], sign * axis * 2.0, 1e-14) << bodies;
      EXPECT_NEAR(force_at_start(rigid + spring)[5], sign * axis * 2.0, 1e-14) << bodies;
    }
}

TEST(Signs, a_driven_hinge_turns_b_by_its_angle) {
  for (const auto& [bodies, sign] : orders) {
    const std::string hinge =
        "joints: {j: {type: revolute, bodies: " + std::string(bodies) + ", at: [1, 2, 0], angle: 0.2*t^2}}\n";
    EXPECT_NEAR(end_of(planar + hinge).q[2], 0.7 + sign * 0.2, 1e-9) << bodies;
    const State state = end_of(rigid + hinge);
    EXPECT_NEAR(2 * std::atan2(state.q[6], state.q[3]), 0.7 + sign * 0.2, 1e-9) << bodies;
  }
}

TEST(Signs, a_driven_slider_moves_b_along_its_axis) {
  for (const auto& [bodies, sign] : orders) {
    const std::string slider = "joints: {j: {type: prismatic, bodies: " + std::string(bodies) +
                               ", at: [0, 0, 0], axis: [1, 0, 0], displacement: 0.2*t^2}}\n";
    EXPECT_NEAR(end_of(planar + slider).q[0], 1 + sign * 0.2, 1e-9) << bodies;
    EXPECT_NEAR(end_of(rigid + slider).q[0], 1 + sign * 0.2, 1e-9) << bodies;
  }
}

// The driven hinge of the first test and the spring of the second agree: if the spring is held at its rest angle, it is
// at rest.
TEST(Signs, a_spring_rests_where_a_hinge_with_the_same_angle_stands) {
  for (const auto& [bodies, sign] : orders) {
    const std::string both =
        "joints: {j: {type: revolute, bodies: " + std::string(bodies) +
        ", at: [1, 2, 0], angle: 0.2*t^2}}\nforces: {s: {type: torsional-spring-damper, bodies: " + bodies +
        ", stiffness: 10, angle: 0.2}}\n";
    for (const std::string& body : {planar, rigid}) {
      const Mechanism system(parse_model(body + both, "test.yaml"));
      const State state = end_of(body + both);
      Evaluator evaluate(system);
      Vec h;
      evaluate.forces(1.0, state.q, state.u, h);
      EXPECT_NEAR(h[h.size() - 1], 0.0, 1e-7) << bodies;
    }
  }
}

TEST(Signs, springs_pull_together_and_dampers_resist) {
  const std::string moving =
      "bodies: {a: {type: point, mass: 1, position: [1, 0, 0], velocity: [2, 0, 0]}}\nforces: {s: {type: ";
  for (const auto& [bodies, sign] : orders) {
    const std::string end = std::string(bodies) + "}}\n";
    EXPECT_NEAR(force_at_start(moving + "spring, stiffness: 10, length: 0.6, bodies: " + end)[0], -4.0, 1e-14);
    EXPECT_NEAR(force_at_start(moving + "damper, damping: 3, bodies: " + end)[0], -6.0, 1e-14);
  }
}

TEST(Signs, forces_and_torques_act_along_the_positive_axes) {
  const Vec force = force_at_start(planar + "forces: {f: {type: force, body: a, force: [2, 3]}}\n");
  EXPECT_EQ(force[0], 2.0);
  EXPECT_EQ(force[1], 3.0);
  EXPECT_EQ(force_at_start(planar + "forces: {f: {type: torque, body: a, torque: 4}}\n")[2], 4.0);
  EXPECT_EQ(force_at_start(planar + "forces: {f: {type: torque, body: a, torque: 4*a.x}}\n")[2], 4.0);
  const Vec turned = force_at_start(planar + "forces: {f: {type: force, body: a, force: [a.x, 0], frame: body}}\n");
  EXPECT_NEAR(turned[0], std::cos(0.7), 1e-15);
  EXPECT_NEAR(turned[1], std::sin(0.7), 1e-15);
}

TEST(Signs, a_drive_that_does_not_start_at_zero_is_explained_with_its_place) {
  const Model model = parse_model(
      planar + "joints: {j: {type: revolute, bodies: [ground, a], at: [1, 2], angle: 0.5*cos(t)}}\n", "test.yaml");
  ASSERT_EQ(model.warnings.size(), 1u);
  EXPECT_EQ(model.warnings[0],
            "test.yaml:2:70: joints.j.angle: the drive is 0.5 at t = 0, but it counts from the start pose, so only its "
            "change since then moves the joint");
}

}  // namespace
}  // namespace tappet
