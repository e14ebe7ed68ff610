// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// The evaluator keeps what it computed last. Whatever changes between two calls, it must give the results of an
// evaluator that has computed nothing before.
#include <gtest/gtest.h>

#include <random>

#include "kernels/numbers.h"
#include "support/mechanism.h"
#include "support/paths.h"
#include "system/evaluator.h"
#include "system/visit_touch.h"

namespace tappet {
namespace {

struct Rows {
  BlockRows W, by_q;
  Vec chi, gaps, zeta, joints;

  void evaluate(Evaluator& evaluate, const State& state, const ContactSet& set) {
    const auto& [t, q, u] = state;
    evaluate.directions(t, q, set, W, chi);
    evaluate.velocity_derivatives(t, q, u, set, by_q);
    evaluate.gaps(t, q, gaps);
    evaluate.accelerations(t, q, u, set, zeta);
    evaluate.joint_residuals(t, q, joints);
  }
  friend void expect_equal(const Rows& a, const Rows& b) {
    const auto values = [](const BlockRows& rows) {
      return std::vector(rows.all_values().begin(), rows.all_values().end());
    };
    EXPECT_EQ(values(a.W), values(b.W));
    EXPECT_EQ(values(a.by_q), values(b.by_q));
    EXPECT_EQ(a.chi, b.chi);
    EXPECT_EQ(a.gaps, b.gaps);
    EXPECT_EQ(a.zeta, b.zeta);
    EXPECT_EQ(a.joints, b.joints);
  }
};

// A crank with a driven joint and contacts of the file.
const char* const driven = R"yaml(
bodies:
  crank: {type: planar, mass: 1, inertia: 0.1, position: [0.5, 0]}
  block: {type: planar, mass: 1, inertia: 0.1, position: [2, 0.1], velocity: [0.3, -0.1]}
joints:
  motor: {type: revolute, bodies: [ground, crank], at: [0, 0], angle: 0.3*t^2}
contacts:
  corner: {type: point-plane, bodies: [block, ground], at: [0.1, -0.1], point: [0, 0], normal: [0, 1], mu: 0.2}
  other: {type: point-plane, bodies: [block, ground], at: [-0.1, -0.1], point: [0, 0], normal: [0, 1], mu: 0.2}
run: {scheme: moreau-jean, dt: 1e-3, end: 1}
)yaml";

struct Kept : testing::Test {
  Mechanism system{parse_model(driven, "driven.yaml")};
  Evaluator evaluate{system};
  State state = system.initial();
  ContactSet set{0, 1};
  Rows rows;

  Kept() { rows.evaluate(evaluate, state, set); }
  void expect_as_new() {
    rows.evaluate(evaluate, state, set);
    Evaluator other(system);
    Rows expected;
    expected.evaluate(other, state, set);
    expect_equal(rows, expected);
  }
};

TEST_F(Kept, positions_may_change_in_place) {
  const double W = rows.W.values(0)[2];
  for (int i : {2, 5}) state.q[i] += 0.1;
  expect_as_new();
  EXPECT_NE(rows.W.values(0)[2], W);
  state.q[3] = std::nextafter(state.q[3], 9.0);
  expect_as_new();
}

TEST_F(Kept, velocities_may_change_in_place) {
  state.u[2] += 0.1, state.u[5] = 2.0;
  const Vec before = rows.zeta;
  expect_as_new();
  EXPECT_NE(rows.zeta, before);
}

TEST_F(Kept, time_may_change_and_functions_of_time_may_be_held) {
  state.t = 0.7;
  expect_as_new();
  const double rate = rows.chi[2];
  state.t = 0.8;
  evaluate.hold_time_until(0.7);
  rows.evaluate(evaluate, state, set);
  EXPECT_EQ(rows.chi[2], rate);
  evaluate.hold_time_until(1.0);
  expect_as_new();
}

TEST_F(Kept, the_set_of_contacts_may_change) {
  for (const ContactSet& other : {ContactSet{1}, {}, {0}, {0, 1}, {1}}) {
    set = other;
    expect_as_new();
  }
}

TEST_F(Kept, results_may_be_overwritten_by_the_caller) {
  rows.W.values(0)[0] = 1e9, rows.chi[0] = 1e9, rows.by_q.values(1)[0] = 1e9;
  expect_as_new();
}

// Points of boxes that touch each other move over their faces, so another search changes the rows at the same position.
TEST(KeptRows, are_evaluated_anew_if_the_found_contacts_have_changed) {
  const System system(parse_model(R"yaml(
bodies:
  low: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0]}
  top: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.3, 0.1, 1], velocity: [0.5, 0.2, 0]}
colliders:
  low: {type: box, body: low, size: [1, 1, 1], mu: 0.3}
  top: {type: box, body: top, size: [1, 1, 1], mu: 0.3}
run: {scheme: moreau-jean, dt: 1e-3, end: 1}
)yaml",
                                  "boxes.yaml"));
  ContactList contacts(system);
  State state = system.initial(), moved = state;
  contacts.find(state, 1e-3);
  ASSERT_EQ(contacts.size(), 4);
  Evaluator evaluate(contacts);
  Rows rows, expected;
  rows.evaluate(evaluate, state, contacts.all());
  const std::vector<double> W(rows.W.all_values().begin(), rows.W.all_values().end());
  moved.q[7] += 0.1;
  contacts.find(moved, 1e-3);
  ASSERT_EQ(contacts.size(), 4);
  rows.evaluate(evaluate, state, contacts.all());
  Evaluator other(contacts);
  expected.evaluate(other, state, contacts.all());
  expect_equal(rows, expected);
  EXPECT_FALSE(std::ranges::equal(rows.W.all_values(), W));
}

// The corners of a box and the plane below it do not move in their bodies. So a search that finds the same corners
// again changes nothing but gaps.
TEST(KeptRows, remain_if_only_the_gaps_of_found_contacts_have_changed) {
  const System system(parse_model(R"yaml(
bodies:
  box: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.3, 0.1, 0.501], velocity: [0.5, 0.2, 0]}
colliders:
  box: {type: box, body: box, size: [1, 1, 1], mu: 0.3}
  floor: {type: plane, body: ground, normal: [0, 0, 1], mu: 0.3}
run: {scheme: moreau-jean, dt: 1e-2, end: 1}
)yaml",
                                  "box.yaml"));
  ContactList contacts(system);
  State state = system.initial();
  contacts.find(state, 1e-2);
  ASSERT_EQ(contacts.size(), 4);
  Evaluator evaluate(contacts);
  Rows rows, expected;
  rows.evaluate(evaluate, state, contacts.all());
  const long version = contacts.version(), layout = contacts.layout();
  EXPECT_NEAR(contacts.nearest().gap, 1e-3, 1e-15);
  state.q[0] += 0.2, state.q[2] -= 4e-4;
  contacts.find(state, 1e-2);
  EXPECT_EQ(contacts.version(), version);
  EXPECT_EQ(contacts.layout(), layout);
  EXPECT_NEAR(contacts.nearest().gap, 6e-4, 1e-15);
  for (int k = 0; k < 4; ++k) EXPECT_EQ(contacts[k].before, k);
  rows.evaluate(evaluate, state, contacts.all());
  Evaluator other(contacts);
  expected.evaluate(other, state, contacts.all());
  expect_equal(rows, expected);
  state.q[2] += 1.0;  // out of reach
  contacts.find(state, 1e-2);
  EXPECT_EQ(contacts.size(), 0);
  EXPECT_GT(contacts.version(), version);
}

// The rows of every found contact by its kernel and by dual numbers.
class KernelsOfFoundContacts : public testing::TestWithParam<std::string> {};

TEST_P(KernelsOfFoundContacts, have_kernels_that_agree_with_dual_numbers) {
  const System system(parse_model(GetParam(), "found.yaml"));
  ContactList contacts(system);
  State state = system.initial();
  contacts.find(state, 1e-3);
  ASSERT_GT(contacts.found(), 0);
  Evaluator evaluate(contacts);
  std::mt19937 random(4);
  std::uniform_real_distribution<double> number(-0.3, 0.3);
  for (int trial = 0; trial < 20; ++trial) {
    Vec w(system.u_size());
    for (double& x : w) x = number(random);
    Vec q = state.q;
    system.displace(state.q, w, q);
    BlockRows W;
    Vec chi, gaps;
    evaluate.directions(0.0, q, contacts.all(), W, chi);
    evaluate.gaps(0.0, q, gaps);
    for (int k = 0; k < contacts.size(); ++k) {
      const Contact& c = contacts[k];
      const auto pose = [&](int side) { return system.pose_of(system.frames()[c.frames[side]], q.data()); };
      const Pair at{pose(0), pose(1), 0.0, c.frames[0] != 0, c.frames[1] != 0};
      double twelve[3 * pair_size], rates[3];
      visit_form(contacts.touches()[c.index], [&](const auto& element) {
        directions(element, *c.law, at, twelve, rates);
        EXPECT_NEAR(gaps[k], gap(element, at), 1e-14);
      });
      for (int r = 0; r < c.rows; ++r)
        for (size_t i = 0; i < c.columns.size(); ++i)
          EXPECT_NEAR(W.values(k)[r * c.columns.size() + i], twelve[r * pair_size + c.component[i]], 1e-14);
    }
  }
}

std::string two_bodies(const std::string& a, const std::string& b, const std::string& kind = "rigid") {
  const bool planar = kind == "planar";
  const auto body = [&](const std::string& name, double height) {
    return "  " + name + ": {type: " + kind + ", mass: 1, inertia: " + (planar ? "0.1" : "[0.1, 0.2, 0.25]") +
           ", position: " + (planar ? "[0.1, " : "[0.1, 0.2, ") + std::to_string(height) + "]}\n";
  };
  return "bodies:\n" + body("low", 0.5) + body("top", 1.5) + "colliders:\n  a: " + a + "\n  b: " + b +
         "\n  floor: {type: plane, body: ground, normal: " + (planar ? "[0, 1]" : "[0, 0, 1]") +
         ", mu: 0.2}\nrun: {scheme: moreau-jean, dt: 1e-3, end: 1}\n";
}

INSTANTIATE_TEST_SUITE_P(, KernelsOfFoundContacts,
                         testing::Values(two_bodies("{type: sphere, body: low, radius: 0.5, mu: 0.3}",
                                                    "{type: sphere, body: top, radius: 0.5, mu: 0.4}"),
                                         two_bodies("{type: box, body: low, size: [1, 1, 1]}",
                                                    "{type: sphere, body: top, radius: 0.5}"),
                                         two_bodies("{type: box, body: low, size: [1, 1, 1], mu: 0.3}",
                                                    "{type: box, body: top, size: [1, 1, 1], mu: 0.3}"),
                                         two_bodies("{type: sphere, body: low, radius: 0.5, mu: 0.3}",
                                                    "{type: sphere, body: top, radius: 0.5, mu: 0.4}", "planar")));

TEST(TouchNumbers, stand_in_the_order_of_the_element) {
  for (const auto form : {TouchPoint::Form::ball_ball, TouchPoint::Form::ball_plane}) {
    TouchPoint touch;
    touch.form = form;
    touch.point_A = {1, 2, 3}, touch.point_B = {4, 5, 6}, touch.normal = {7, 8, 9};
    touch.radius_A = 10, touch.radius_B = 11;
    kernels::ListNumbers list(false);
    visit_form(touch, [&](auto element) {
      if constexpr (requires { element.numbers(list); }) element.numbers(list);
    });
    std::vector<double> numbers(list.numbers.size());
    EXPECT_EQ(touch_numbers(touch, numbers.data()), static_cast<int>(numbers.size()));
    EXPECT_EQ(numbers, list.numbers);
  }
}

}  // namespace
}  // namespace tappet
