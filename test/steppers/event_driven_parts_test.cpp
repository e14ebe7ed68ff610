// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "steppers/event_driven/impacts.h"
#include "steppers/event_driven/switches.h"
#include "steppers/event_driven/time_switches.h"
#include "steppers/support.h"

// The parts of which the event-driven scheme is made, each alone.
namespace tappet::events {
namespace {

constexpr double g = 9.81;

// A ball of 1 kg above the ground that may move sideways, with friction.
Mechanism ball(double y, double vy, double vx = 0.0, const std::string& more = "") {
  return Mechanism(parse_model(fmt::format(R"yaml(
coordinates:
  x: {{position: 0, velocity: {}}}
  y: {{position: {}, velocity: {}}}
lagrangian:
  kinetic: (x'^2 + y'^2)/2
  potential: 9.81*y
contacts:
  ground: {{gap: y, slip: x, mu: 0.5, e_N: 0.5}}
run: {{scheme: event-driven, dt: 0.01, end: 1}}
{})yaml",
                                           vx, y, vy, more),
                               "ball.yaml"));
}

TEST(EventLog, knows_what_was_noted_at_the_present_instant) {
  std::vector<Event> events;
  EventLog log(events);
  log.note(Event::Kind::impact, 3, 1.0);
  EXPECT_TRUE(log.has(3, Event::Kind::impact));
  EXPECT_FALSE(log.has(3, Event::Kind::closing));
  EXPECT_FALSE(log.has(2, Event::Kind::impact));
  log.begin_instant();
  EXPECT_FALSE(log.has(3, Event::Kind::impact));
  log.note(Event::Kind::closing, 3, 1.5);
  log.retime(1, 2.0);
  EXPECT_EQ(events[0].t, 1.0);
  EXPECT_EQ(events[1].t, 2.0);
}

TEST(Kinematics, times_a_flight_by_velocity_and_acceleration) {
  const Mechanism system = ball(0, 3.0);
  Evaluator evaluate(system);
  Kinematics kinematics(system, evaluate);
  const State state = system.initial();
  kinematics.measure(state);
  EXPECT_TRUE(kinematics.separates(0));
  EXPECT_FALSE(kinematics.approaches(0));
  Vec a(2);
  a[0] = 0.0, a[1] = -g;
  EXPECT_NEAR(kinematics.flight(state, a, 0), 2 * 3.0 / g, 1e-14);
  a[1] = 1.0;  // it does not come back
  EXPECT_TRUE(std::isinf(kinematics.flight(state, a, 0)));
}

struct Parts {
  explicit Parts(const Mechanism& system)
      : balance(system),
        kinematics(system, balance.evaluate),
        law(system, test::solver()),
        phases(system, balance, kinematics, law.solver(), worst),
        log(events) {}

  SolveReport worst;
  Balance balance;
  Kinematics kinematics;
  VelocityLaw law;
  Phases phases;
  std::vector<Event> events;
  EventLog log;
};

Mode mode_after(const Mechanism& system) {
  Parts parts(system);
  State state = system.initial();
  parts.kinematics.measure(state);
  parts.phases.begin();
  parts.phases.decide(state, parts.log);
  return parts.phases[0].mode;
}

TEST(Phases, follow_from_the_law_on_acceleration_level) {
  EXPECT_EQ(mode_after(ball(0, 0)), Mode::stick);
  EXPECT_EQ(mode_after(ball(0, 0, 1.0)), Mode::slip);
  EXPECT_EQ(mode_after(ball(0.1, 0)), Mode::open);
  EXPECT_EQ(mode_after(ball(0, 0, 0, "forces: {x: 4.9}")), Mode::stick);  // the limit is μ m g = 4.905 N
  EXPECT_EQ(mode_after(ball(0, 0, 0, "forces: {x: 4.91}")), Mode::slip);
  EXPECT_EQ(mode_after(ball(0, 0, 0, "forces: {y: 9.82}")), Mode::open);
}

TEST(Impacts, restore_the_normal_velocity_with_friction_on_its_limit) {
  const Mechanism system = ball(0, -2.0, 4.0);
  Parts parts(system);
  Impacts impacts(system, parts.balance, parts.kinematics, parts.law, parts.worst);
  Impulses impulses;
  for (Vec* x : {&impulses.P, &impulses.Lambda}) x->assign(2, 0.0);
  State state = system.initial();
  EXPECT_TRUE(impacts.apply(state, false, parts.phases, impulses, parts.log));
  EXPECT_NEAR(state.u[1], 1.0, 1e-9);              // e = 0.5
  EXPECT_NEAR(state.u[0], 4.0 - 0.5 * 3.0, 1e-9);  // μ Λ_N with Λ_N = 3 N s
  EXPECT_NEAR(impulses.Lambda[0], 3.0, 1e-9);
  ASSERT_EQ(parts.events.size(), 1u);
  EXPECT_EQ(parts.events[0].kind, Event::Kind::impact);
  parts.log.begin_instant();
  EXPECT_FALSE(impacts.apply(state, false, parts.phases, impulses, parts.log));  // it separates
}

// Flights of a ball with e = 0.5 are halved from bounce to bounce: they end after twice the length of the first one.
TEST(Accumulations, end_where_the_geometric_series_of_flights_does) {
  const double first = 8e-9;                            // s
  const Mechanism system = ball(0, first / 4 * g / 2);  // at the third impact: the flight that follows lasts a quarter
  Parts parts(system);
  Accumulations accumulations(system, 1e-8);
  State state = system.initial();
  parts.kinematics.measure(state);
  Vec a(2);
  a[0] = 0.0, a[1] = -g;
  const auto hit = [&](double t) {
    state.t = t;
    parts.log.begin_instant();
    parts.log.note(Event::Kind::impact, 0, t);
    return accumulations.look(state, a, parts.kinematics, parts.phases, parts.log);
  };
  EXPECT_TRUE(hit(0.0).contacts.empty());
  EXPECT_TRUE(hit(first).contacts.empty());
  const auto found = hit(1.5 * first);
  ASSERT_EQ(found.contacts, std::vector<int>{0});
  EXPECT_NEAR(found.end, 2 * first, 1e-9 * first);
  EXPECT_TRUE(hit(2 * first).contacts.empty());  // it begins to count anew
}

// The drive of the rotor is switched off at t_D.
TEST(TimeSwitches, are_found_to_the_next_number) {
  const Mechanism system(test::shipped("schindler2014/rotor", {{"t_D", "0.3"}}));
  Evaluator evaluate(system);
  TimeSwitches switches(evaluate);
  std::vector<Event> events;
  EventLog log(events);
  State state = system.initial();
  switches.begin(0.0);
  switches.look_ahead(0.25);
  EXPECT_TRUE(std::isinf(switches.next()));
  switches.look_ahead(1.0);
  EXPECT_NEAR(switches.next(), 0.3, 1e-15);
  switches.pass(state, log);
  EXPECT_NEAR(state.t, 0.3, 1e-15);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, Event::Kind::switching);
  EXPECT_EQ(events[0].place, static_cast<int>(system.switches().size()));
  switches.look_ahead(1.0);
  if (!std::isinf(switches.next())) switches.pass(state, log), switches.look_ahead(1.0);  // zero, and then negative
  EXPECT_TRUE(std::isinf(switches.next()));
  EXPECT_EQ(events.size(), 1u);  // one switch, however often its function changes its sign there
}

}  // namespace
}  // namespace tappet::events
