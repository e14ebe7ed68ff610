// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/event_driven/event_driven.h"

#include "steppers/support.h"

namespace tappet {
namespace {

using test::shipped;
using test::solver;
using Kind = Event::Kind;

constexpr double bar = 1e-8;

TEST(EventDriven, stops_where_impacts_accumulate_and_names_contact_and_time) {
  const Mechanism system(shipped("acary2012/bouncing_ball"));
  EventDriven stepper(system, solver());
  State state = system.initial();
  StepReport report = stepper.step(state, 4);
  EXPECT_NEAR(report.dt, 3, 1e-7);
  report = stepper.step(state, 1);
  EXPECT_EQ(report.dt, 0);
  ASSERT_FALSE(stepper.events().empty());
  EXPECT_EQ(stepper.events().back().kind, Kind::accumulation);
  EXPECT_EQ(stepper.events().back().contact, 0);
  EXPECT_NEAR(stepper.events().back().t, 3, bar);
}

// A box on four corners, twelve rows of contact on six coordinates: forces are not unique, the motion is.
Mechanism box(const std::string& at, const std::string& force, double mu) {
  return Mechanism(parse_model(R"(
title: box
parameters: {m: 2, a: 0.2, b: 0.15, c: 0.1, g: 9.81}
bodies:
  box: {type: rigid, mass: m, inertia: [m*(b^2+c^2)/3, m*(a^2+c^2)/3, m*(a^2+b^2)/3], position: [0, 0, c]}
contacts:
  floor: {type: box-plane, bodies: [box, ground], size: [2*a, 2*b, 2*c], normal: [0, 0, 1], mu: )" +
                                   std::to_string(mu) + R"(}
forces:
  weight: {type: gravity, acceleration: [0, 0, -g]}
  push: {type: force, body: box, at: )" +
                                   at + ", force: " + force + "}\n",
                               "box.yaml"));
}

struct Outcome {
  State state;
  std::vector<Event> events;
};

Outcome moved(const Mechanism& system, double end) {
  EventDriven stepper(system, solver());
  Outcome outcome{system.initial(), {}};
  for (int k = 0; k < 10; ++k) {
    EXPECT_TRUE(stepper.step(outcome.state, end / 10).converged());
    outcome.events.insert(outcome.events.end(), stepper.events().begin(), stepper.events().end());
  }
  return outcome;
}

// The push grows by 3 N/s and passes μ m g at 1.962 s; then v = ¾ (t − 1.962)².
TEST(EventDriven, box_on_four_corners_slips_when_all_of_them_cannot_hold_it) {
  for (const auto& [at, force, x, y] :
       {std::tuple("[0, 0, -0.1]", "[3*t, 0, 0]", 1.0, 0.0), std::tuple("[0, 0, 0]", "[2.4*t, 1.8*t, 0]", 0.8, 0.6)}) {
    const auto [state, events] = moved(box(at, force, 0.3), 3);
    ASSERT_EQ(events.size(), 4u);
    for (const Event& e : events) {
      EXPECT_EQ(e.kind, Kind::slip);
      EXPECT_NEAR(e.t, 1.962, bar);
    }
    const double after = 3 - 1.962;
    EXPECT_NEAR(state.u[0], x * 0.75 * after * after, bar);
    EXPECT_NEAR(state.u[1], y * 0.75 * after * after, bar);
    EXPECT_NEAR(state.q[0], x * 0.25 * after * after * after, bar);
    EXPECT_NEAR(state.u[5], 0, bar);
  }
}

// Pushed at its upper edge it tips at 2 c F = m g a, here 1.635 s, over the front corners, which hold (μ = 3):
// (I + m (a² + c²)) θ'' = F z_push + m g x about them.
TEST(EventDriven, box_tips_over_the_corners_that_hold_it) {
  const double a = 0.2, c = 0.1, m = 2, g = 9.81, t_tip = 1.635, end = 2;
  const auto [state, events] = moved(box("[0, 0, 0.1]", "[12*t, 0, 0]", 3), end);
  ASSERT_EQ(events.size(), 2u);
  for (const Event& e : events) {
    EXPECT_EQ(e.kind, Kind::opening);
    EXPECT_NEAR(e.t, t_tip, bar);
  }
  const double inertia = m * (a * a + c * c) * 4 / 3;
  const auto acceleration = [&](double t, double angle) {
    const double x = -a * std::cos(angle) + c * std::sin(angle), z = a * std::sin(angle) + c * std::cos(angle);
    return (12 * t * (z + c * std::cos(angle)) + m * g * x) / inertia;
  };
  double angle = 0, rate = 0;
  const int steps = 2000;
  const double h = (end - t_tip) / steps;
  for (int k = 0; k < steps; ++k) {  // Runge–Kutta–Nyström, order 4
    const double t = t_tip + k * h;
    const double k1 = acceleration(t, angle), k2 = acceleration(t + h / 2, angle + h / 2 * rate + h * h / 8 * k1);
    const double k3 = acceleration(t + h, angle + h * rate + h * h / 2 * k2);
    angle += h * rate + h * h / 6 * (k1 + 2 * k2);
    rate += h / 6 * (k1 + 4 * k2 + k3);
  }
  EXPECT_NEAR(state.u[4], rate, bar);
  EXPECT_NEAR(2 * std::asin(state.q[5]), angle, bar);
}

// Two blocks on springs, with friction in two directions. The second one turns back 1e-10 s after the first one, when
// it still slides with 1e-9 m/s. Each half of the oscillation is a cosine about a centre that friction has moved by μ
// g/k.
TEST(EventDriven, slip_that_ends_a_moment_after_that_of_another_contact_turns_back_too) {
  const Mechanism system(parse_model(R"(
parameters: {k: 40, g: 9.81, mu: 0.1}
bodies:
  a: {type: point, mass: 1, position: [0.3, 0, 0]}
  b: {type: point, mass: 1, position: [0.3, 1, 0], velocity: [1e-10, 0, 0]}
contacts:
  a: {type: point-plane, bodies: [a, ground], normal: [0, 0, 1], mu: mu}
  b: {type: point-plane, bodies: [b, ground], normal: [0, 0, 1], mu: mu}
forces:
  gravity: {type: gravity, acceleration: [0, 0, -g]}
  on_a: {type: force, body: a, force: [-k*a.x, 0, 0]}
  on_b: {type: force, body: b, force: [-k*b.x, 0, 0]}
)",
                                     "blocks.yaml"));
  const double w = std::sqrt(40.0), moved_by = 0.981 / 40, end = 1.2;
  const double halves = std::floor(end * w / M_PI), amplitude = 0.3 - (2 * halves + 1) * moved_by;
  const double sign = std::fmod(halves, 2.0) == 0.0 ? 1.0 : -1.0;
  const double exact = sign * (moved_by + amplitude * std::cos(w * end - halves * M_PI));
  const State state = moved(system, end).state;
  EXPECT_NEAR(state.q[0], exact, bar);
  EXPECT_NEAR(state.q[3], exact, bar);
}

// A block is pushed by a little more than friction can hold, and soon by half of it. When the push falls, the block
// slides with less than the 1e-8 m/s from which on slip has a direction of its own.
TEST(EventDriven, slip_that_has_hardly_begun_stops) {
  const Mechanism system(parse_model(R"(
parameters: {g: 9.81, mu: 0.1}
bodies: {a: {type: point, mass: 1, position: [0, 0, 0]}}
contacts: {a: {type: point-plane, bodies: [a, ground], normal: [0, 0, 1], mu: mu}}
forces:
  gravity: {type: gravity, acceleration: [0, 0, -g]}
  push: {type: force, body: a, force: ["if(t < 0.005, 1 + 1e-6, 0.5)*mu*g", 0, 0]}
)",
                                     "push.yaml"));
  const State state = moved(system, 0.5).state;
  EXPECT_NEAR(state.q[0], 0.5 * 0.981e-6 * 0.005 * 0.005, 1e-13);
  EXPECT_NEAR(state.u[0], 0.0, 1e-12);
}

}  // namespace
}  // namespace tappet
