// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "run/make_stepper.h"
#include "run/simulate.h"
#include "support/allocations.h"
#include "system/evaluator.h"
#include "system/sleepers.h"

namespace tappet {
namespace {

constexpr double g = 9.81;

// Three cubes of 0.1 m on top of each other on the floor, and additional bodies and colliders.
std::string stack(const std::string& bodies, const std::string& colliders, const std::string& run, double mu = 0.5) {
  return fmt::format(R"(
bodies:
  low: {{type: rigid, mass: 1, inertia: [1e-3/0.6, 1e-3/0.6, 1e-3/0.6], position: [0, 0, 0.05]}}
  mid: {{type: rigid, mass: 1, inertia: [1e-3/0.6, 1e-3/0.6, 1e-3/0.6], position: [0, 0, 0.15]}}
  top: {{type: rigid, mass: 1, inertia: [1e-3/0.6, 1e-3/0.6, 1e-3/0.6], position: [0, 0, 0.25]}}
{0}
colliders:
  low: {{type: box, body: low, size: [0.1, 0.1, 0.1], mu: {3}}}
  mid: {{type: box, body: mid, size: [0.1, 0.1, 0.1], mu: {3}}}
  top: {{type: box, body: top, size: [0.1, 0.1, 0.1], mu: {3}}}
  floor: {{type: plane, body: ground, normal: [0, 0, 1], mu: {3}}}
{1}
forces: {{gravity: {{type: gravity, acceleration: [0, 0, -9.81]}}}}
run: {{scheme: lcp-euler, stabilisation: 1, dt: 1e-3, end: 0.5{2}}}
)",
                     bodies, colliders, run, mu);
}

const std::string sleeping = ", sleeping: {speed: 1e-3, after: 0.1}";
// A ball that flies at the middle of the stack and arrives at t ≈ 0.24 s, long after the stack fell asleep.
const std::string thrown =
    "  ball: {type: rigid, mass: 2, inertia: [2e-3, 2e-3, 2e-3], position: [-0.8, 0.02, 0.4], "
    "velocity: [3, 0, 0.2]}";
const std::string ball = "  ball: {type: sphere, body: ball, radius: 0.05, mu: 0.3}";

Result run(const std::string& text, const RunOptions& options = {}) {
  return simulate(parse_model(text, "test"), options);
}

double energy(const Model& model, const Vec& q, const Vec& u) {
  const System system{Model(model)};
  const ContactList contacts(system);
  return Evaluator(contacts).energy(0.0, q, u).total();
}

// For bodies with six velocities.
Vec3d momentum(const Vec& u, const std::vector<double>& masses) {
  Vec3d p{};
  for (size_t b = 0; b < masses.size(); ++b)
    for (int i = 0; i < 3; ++i) p[i] += masses[b] * u[static_cast<int>(6 * b) + i];
  return p;
}

}  // namespace

TEST(sleeping, is_off_unless_asked_for) {
  const Result none = run(stack(thrown, ball, "")), off = run(stack(thrown, ball, ", sleeping: false"));
  EXPECT_EQ(none.q, off.q);
  EXPECT_EQ(none.u, off.u);
  EXPECT_FALSE(none.summary.sleeping);
  // If nothing is slow for long enough, watching the bodies changes nothing.
  const Result late = run(stack(thrown, ball, ", sleeping: {speed: 1e-3, after: 10}"));
  EXPECT_TRUE(late.summary.sleeping);
  EXPECT_EQ(late.summary.max_asleep, 0);
  EXPECT_EQ(none.q, late.q);
  EXPECT_EQ(none.u, late.u);
}

TEST(sleeping, a_stack_at_rest_does_not_move_by_a_bit_and_costs_no_contacts) {
  const Model model = parse_model(stack("", "", sleeping), "test");
  const Result result = simulate(Model(model));
  EXPECT_EQ(result.summary.asleep, 3);
  EXPECT_EQ(result.summary.max_asleep, 3);
  const size_t asleep = 150;  // from 0.1 s on, with a margin
  for (size_t k = asleep; k < result.t.size(); ++k) {
    ASSERT_EQ(result.q[k], result.q[asleep]) << result.t[k];
    for (double u : result.u[k]) ASSERT_EQ(u, 0.0);
  }
  const double scale = g * (0.05 + 0.15 + 0.25);  // J
  for (size_t k = 1; k < result.t.size(); ++k)
    ASSERT_LE(energy(model, result.q[k], result.u[k]), energy(model, result.q[k - 1], result.u[k - 1]) + 1e-14 * scale);
  EXPECT_LT(result.summary.mean_closed, 0.3 * result.summary.max_closed);  // 12 contacts for a fifth of the time
}

TEST(sleeping, a_blow_wakes_the_whole_island_in_the_step_it_falls_in_and_keeps_the_momentum) {
  // The first step in which the stack moves.
  const auto struck = [](const Result& r) {
    size_t k = 200;
    for (; k < r.t.size(); ++k)
      if (std::abs(r.u[k][0]) + std::abs(r.u[k][6]) + std::abs(r.u[k][12]) > 1e-3) break;
    return k;
  };
  for (const double mu : {0.5, 0.0}) {
    const Result slept = run(stack(thrown, ball, sleeping, mu)), awake = run(stack(thrown, ball, "", mu));
    EXPECT_EQ(slept.summary.max_asleep, 3);
    EXPECT_EQ(slept.summary.asleep, 0);
    EXPECT_EQ(slept.summary.unconverged_steps, 0);
    const size_t k = struck(awake);
    ASSERT_EQ(struck(slept), k);
    ASSERT_LT(k, 400u);
    for (int i = 0; i < 18; ++i) EXPECT_EQ(slept.u[k - 2][i], 0.0);
    // Friction with the floor depends on impulses that are not unique, and therefore on those from which the solver
    // starts. Without friction nothing acts along the floor: 2 kg at 3 m/s, before and after.
    if (mu > 0.0) continue;
    for (size_t step = k - 2; step < k + 50; ++step) {
      const Vec3d p = momentum(slept.u[step], {1, 1, 1, 2});
      EXPECT_NEAR(p.x, 6.0, 1e-7) << step;
      EXPECT_NEAR(p.y, 0.0, 1e-7) << step;
    }
  }
}

TEST(sleeping, the_motion_after_a_blow_is_that_of_a_run_without_sleep) {
  // Without friction the velocities after a step are unique, no matter from which impulses the solver starts. The
  // motion that the stack missed while it slept is of the size of the tolerance, 1e-8 of velocities, over a tenth of a
  // second.
  const Result slept = run(stack(thrown, ball, sleeping, 0.0)), awake = run(stack(thrown, ball, "", 0.0));
  EXPECT_EQ(slept.summary.max_asleep, 3);
  EXPECT_GT(std::abs(awake.state.u[6]), 0.1);  // the middle cube was hit
  for (size_t step = 0; step < 300; ++step)
    for (int i = 0; i < slept.q[step].size(); ++i) ASSERT_NEAR(slept.q[step][i], awake.q[step][i], 1e-7) << step;
}

TEST(sleeping, what_slides_faster_than_the_speed_stays_awake) {
  // Gravity leans by atan 0.5 = the angle of friction: a block that slides keeps its speed.
  const std::string text = R"(
bodies: {block: {type: rigid, mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [0, 0, 0.05], velocity: [V, 0, 0]}}
parameters: {V: 2e-3}
colliders:
  block: {type: box, body: block, size: [0.4, 0.4, 0.1], mu: 0.5}
  floor: {type: plane, body: ground, normal: [0, 0, 1], mu: 0.5}
forces: {gravity: {type: gravity, acceleration: [4.905, 0, -9.81]}}
run: {scheme: moreau-midpoint, dt: 1e-3, end: 1, sleeping: {speed: 1e-3, after: 0.1}}
)";
  const Result fast = run(text);
  EXPECT_EQ(fast.summary.max_asleep, 0);
  EXPECT_NEAR(fast.state.q[0], 2e-3, 1e-9);
  const Result slow = simulate(parse_model(text, "test", {{"V", "0.5e-3"}}));
  EXPECT_EQ(slow.summary.asleep, 1);
  EXPECT_NEAR(slow.state.q[0], 0.5e-3 * 0.1, 1e-6);  // stopped after 0.1 s
}

TEST(sleeping, what_rests_on_a_body_wakes_with_it) {
  // The ball is aimed at the lowest cube. The uppermost, which nothing hits, falls with the others.
  const std::string low =
      "  ball: {type: rigid, mass: 20, inertia: [0.02, 0.02, 0.02], position: [-0.8, 0, 0.051], "
      "velocity: [3, 0, 0]}";
  const Result slept = run(stack(low, ball, sleeping)), awake = run(stack(low, ball, ""));
  EXPECT_EQ(slept.summary.max_asleep, 3);
  for (const Result* result : {&slept, &awake}) EXPECT_LT(result->state.q[16], 0.2);  // it stood at 0.25
}

TEST(sleeping, what_stands_on_something_driven_stays_awake) {
  const std::string text = R"(
bodies:
  table: {type: rigid, mass: 1, inertia: [1e-2, 1e-2, 1e-2], position: [0, 0, -0.05]}
  cube: {type: rigid, mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [0, 0, 0.05]}
joints:
  lift: {type: prismatic, bodies: [ground, table], at: [0, 0, 0], axis: [0, 0, 1],
         displacement: '-0.05*(1 - cos(max(0, t - 0.3)))'}
colliders:
  table: {type: box, body: table, size: [0.4, 0.4, 0.1], mu: 0.5}
  cube: {type: box, body: cube, size: [0.1, 0.1, 0.1], mu: 0.5}
forces: {gravity: {type: gravity, acceleration: [0, 0, -9.81]}}
run: {scheme: moreau-midpoint, dt: 1e-3, end: 0.6, sleeping: {speed: 1e-3, after: 0.1}}
)";
  const Result result = run(text);
  EXPECT_EQ(result.summary.max_asleep, 0);
  EXPECT_NEAR(result.state.q[9], 0.05 - 0.05 * (1.0 - std::cos(0.3)), 1e-5);  // the cube goes down with the table
}

TEST(sleeping, has_the_same_bits_on_one_and_two_threads) {
  // Nine towers of three cubes that drop a little; a ball falls on the one in the middle.
  const std::string text = R"(
bodies:
  cube: {type: rigid, mass: 1, inertia: [1e-3/0.6, 1e-3/0.6, 1e-3/0.6], position: [-0.12, -0.12, 0.06],
         grid: {count: [3, 3, 3], spacing: 0.12}}
  ball: {type: rigid, mass: 0.5, inertia: [5e-4, 5e-4, 5e-4], position: [0, 0, 3]}
colliders:
  cube: {type: box, body: cube, size: [0.1, 0.1, 0.1], mu: 0.5}
  ball: {type: sphere, body: ball, radius: 0.05, mu: 0.5}
  floor: {type: plane, body: ground, normal: [0, 0, 1], mu: 0.5}
forces: {gravity: {type: gravity, acceleration: [0, 0, -9.81]}}
run: {scheme: lcp-euler, stabilisation: 1, dt: 1e-3, end: 0.8, tolerance: 1e-6, record: 10,
      sleeping: {speed: 1e-2, after: 0.1}}
)";
  const Result one = run(text), two = run(text, {.threads = 2});
  EXPECT_EQ(one.summary.max_asleep, 27);
  EXPECT_EQ(one.summary.asleep, 24);  // all but one tower
  EXPECT_EQ(one.q, two.q);
  EXPECT_EQ(one.u, two.u);
  EXPECT_EQ(one.summary.asleep, two.summary.asleep);
}

TEST(sleeping, bodies_that_joints_hold_together_sleep_together) {
  // A cube on the floor carries a pendulum. If the pendulum hangs at rest, both sleep. If it swings, it keeps the cube
  // awake.
  const auto text = [](double speed) {
    return fmt::format(R"(
bodies:
  cube: {{type: rigid, mass: 5, inertia: [1e-2, 1e-2, 1e-2], position: [0, 0, 0.1]}}
  bob: {{type: rigid, mass: 0.1, inertia: [1e-5, 1e-5, 1e-5], position: [0.15, 0, 0.08],
         velocity: [0, {0}, 0], spin: [{0}/0.12, 0, 0]}}
joints: {{pin: {{type: revolute, bodies: [cube, bob], at: [0.15, 0, 0.2], axis: [1, 0, 0]}}}}
colliders:
  cube: {{type: box, body: cube, size: [0.2, 0.2, 0.2], mu: 0.5}}
  bob: {{type: sphere, body: bob, radius: 0.02, mu: 0.5}}
  floor: {{type: plane, body: ground, normal: [0, 0, 1], mu: 0.5}}
forces: {{gravity: {{type: gravity, acceleration: [0, 0, -9.81]}}}}
run: {{scheme: moreau-midpoint, dt: 1e-3, end: 0.5, sleeping: {{speed: 1e-2, after: 0.1}}}}
)",
                       speed);
  };
  const Result still = run(text(0.0)), swings = run(text(0.3));
  EXPECT_EQ(still.summary.asleep, 2);
  EXPECT_EQ(swings.summary.max_asleep, 0);
  for (size_t k = 150; k < still.t.size(); ++k) ASSERT_EQ(still.q[k], still.q[150]);
}

TEST(sleeping, asks_for_no_memory_once_warm) {
  const System system(parse_model(stack(thrown, ball, ""), "test"));
  ContactList contacts(system);
  contacts.let_sleep({.speed = 1e-3, .after = 0.1});
  const auto stepper = make_stepper("lcp-euler", contacts, {{"stabilisation", "1", {}}});
  State state = system.initial();
  const auto go = [&](int steps) {
    for (int k = 0; k < steps; ++k) contacts.find(state, 1e-3), stepper->step(state, 1e-3), contacts.settle(state);
  };
  go(150);
  ASSERT_EQ(contacts.asleep(), 3);
  const long before = test::allocations();
  go(50);
  EXPECT_EQ(test::allocations() - before, 0);
}

TEST(sleeping, can_be_set_and_taken_back_on_the_command_line) {
  const auto with = [](const std::string& value) { return RunOptions{.options = {{"sleeping", value, {}}}}; };
  EXPECT_EQ(run(stack("", "", ""), with("1e-3")).summary.max_asleep, 0);  // 0.5 s unless the file says otherwise
  EXPECT_EQ(run(stack("", "", sleeping), with("off")).summary.max_asleep, 0);
  EXPECT_EQ(run(stack("", "", ", sleeping: {speed: 0, after: 0.1}"), with("1e-3")).summary.max_asleep, 3);
  EXPECT_THROW(run(stack("", "", ""), with("-1")), UsageError);
  EXPECT_THROW(run(stack("", "", ""), with("often")), UsageError);
}

}  // namespace tappet
