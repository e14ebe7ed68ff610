// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "run/make_stepper.h"
#include "run/simulate.h"

// Formulas that switch: max, min, abs, sign, step, if, floor, table. Expected values are closed forms unless a test
// says otherwise.
namespace tappet {
namespace {

using testing::HasSubstr;

constexpr double g = 9.81, exact = 1e-9;

Result run(const std::string& text, const RunOptions& options) {
  return simulate(parse_model(text, "kink.yaml"), options);
}
Result event_driven(const std::string& text, double end, double dt = 0.01) {
  return run(text, {.scheme = "event-driven", .dt = dt, .end = end});
}

std::vector<double> times(const Result& result, std::string_view kind) {
  std::vector<double> t;
  for (const RecordedEvent& event : result.summary.events)
    if (event.kind == kind) t.push_back(event.t);
  return t;
}

struct Start {
  double x, y, x_dot, y_dot;
};

// A point of 1 kg in the plane with one contact; F is 2 N.
std::string point(const Start& start, const std::string& potential, const std::string& name, const std::string& gap) {
  std::string text = "parameters: {m: 1, g: 9.81, F: 2}\n";
  text += fmt::format("coordinates: {{x: {{position: {}, velocity: {}}}, y: {{position: {}, velocity: {}}}}}\n",
                      start.x, start.x_dot, start.y, start.y_dot);
  text += fmt::format("lagrangian: {{kinetic: m*(x'^2 + y'^2)/2, potential: '{}'}}\n", potential);
  return text + fmt::format("contacts: {{{}: {{gap: '{}'}}}}\n", name, gap);
}

// A mass of 1 kg on a line, with a force.
std::string mass(double position, double velocity, const std::string& force) {
  return fmt::format(
      "coordinates: {{x: {{position: {}, velocity: {}}}}}\nlagrangian: {{kinetic: x'^2/2}}\nforces: {{x: \"{}\"}}\n",
      position, velocity, force);
}

// x = −1 + 3 t − t² until the edge at t = (3 − √5)/2 and beyond it; from there on y falls.
TEST(Kinks, a_point_leaves_a_ledge_against_the_wind) {
  const Result result = event_driven(point({-1, 0, 3, 0}, "m*g*y + F*x", "ledge", "max(x, y)"), 1);
  const double edge = (3 - std::sqrt(5.0)) / 2;
  ASSERT_TRUE(result.done());
  EXPECT_NEAR(result.state.q[0], 1, exact);
  EXPECT_NEAR(result.state.q[1], -g / 2 * (1 - edge) * (1 - edge), exact);
  EXPECT_NEAR(result.state.u[0], 1, exact);
  EXPECT_NEAR(result.summary.energy.total(), 2.5, exact);
  ASSERT_EQ(times(result, "opening").size(), 1u);
  EXPECT_NEAR(times(result, "opening")[0], edge, exact);
  ASSERT_FALSE(times(result, "switch").empty());
  EXPECT_NEAR(times(result, "switch")[0], edge, exact);
  EXPECT_EQ(result.summary.switch_names.at(result.summary.events[0].place), "max in contacts.ledge.gap");
}

// A point falls onto the right flank, slides into the corner and rests there, because its velocity is normal to the
// left flank.
const std::string valley = point({0.5, 2, 0, 0}, "m*g*y", "valley", "y - abs(x)");

double valley_arrival() {
  const double v = std::sqrt(2 * g * 1.5), along = v / std::sqrt(2), a = g / std::sqrt(2), way = std::sqrt(0.5);
  return v / g + (std::sqrt(along * along + 2 * a * way) - along) / a;
}

TEST(Kinks, a_valley_is_two_contacts_and_a_point_comes_to_rest_in_it) {
  const Result result = event_driven(valley, 2);
  ASSERT_TRUE(result.done());
  EXPECT_THAT(result.summary.contact_names, testing::ElementsAre("valley.1", "valley.2"));
  EXPECT_NEAR(result.state.q[0], 0, exact);
  EXPECT_NEAR(result.state.q[1], 0, exact);
  EXPECT_NEAR(result.summary.energy.total(), 0, exact);
  const std::vector<double> impacts = times(result, "impact");
  ASSERT_EQ(impacts.size(), 2u);
  EXPECT_NEAR(impacts[0], std::sqrt(2 * 1.5 / g), exact);
  EXPECT_NEAR(impacts[1], valley_arrival(), exact);
}

TEST(Kinks, every_scheme_comes_to_rest_in_the_valley_and_gains_no_energy) {
  for (const SchemeInfo& scheme : schemes()) {
    if (scheme.name == "position-trapezoidal") continue;  // a negative example: its velocities oscillate in contact
    const double dt = 1e-3;
    const Result result = run(valley, {.scheme = scheme.name, .dt = dt, .end = 2});
    ASSERT_TRUE(result.done()) << scheme.name << ": " << result.summary.message;
    EXPECT_LT(std::hypot(result.state.q[0], result.state.q[1]), 20 * dt) << scheme.name;
    EXPECT_LT(std::hypot(result.state.u[0], result.state.u[1]), 20 * dt) << scheme.name;
    EXPECT_LT(result.summary.energy.total(), 20 * dt * g) << scheme.name;
  }
}

// A tooth, pushed by 2 N, rests on the locking face x <= 0 of a pallet that moves out at 0.5 m/s. At y = 0 it unlocks:
// the impulse face x <= y recedes, so the tooth starts from rest and catches up with it after 0.5 s.
TEST(Kinks, unlocking_a_pallet_does_not_change_the_velocity_of_the_wheel) {
  const std::string pallet = point({0, -0.1, 0, 0.5}, "-F*x", "pallet", "max(-x, y - x)");
  for (const double dt : {0.07, 0.01}) {
    const Result result = event_driven(pallet, 0.6, dt);
    ASSERT_TRUE(result.done());
    for (size_t k = 0; k < result.t.size(); ++k) {
      const double free = std::max(0.0, result.t[k] - 0.2);
      EXPECT_NEAR(result.u[k][0], 2 * free, exact) << result.t[k];
      EXPECT_NEAR(result.q[k][0], free * free, exact) << result.t[k];
    }
    ASSERT_EQ(times(result, "opening").size(), 1u);
    EXPECT_NEAR(times(result, "opening")[0], 0.2, exact);
    EXPECT_TRUE(times(result, "impact").empty());
  }
  const Result later = event_driven(pallet, 0.75);
  ASSERT_EQ(times(later, "impact").size(), 1u);
  EXPECT_NEAR(times(later, "impact")[0], 0.7, exact);
}

// v = 3 − 3 t + t²/2 until it vanishes at 3 − √3; at rest until the force reaches 3 N at t = 3; then v = (t − 3)²/2.
TEST(Kinks, friction_written_with_sign_brings_a_mass_to_rest_and_holds_it) {
  const double stop = 3 - std::sqrt(3.0), x_stop = 3 * stop - 1.5 * stop * stop + stop * stop * stop / 6;
  for (const char* force :
       {"t - 3*sign(x')", "t - if(x' > 0, 3, -3)", "t - if(x' <= 0, -3, 3)", "t - 6*step(x') + 3"}) {
    const Result result = event_driven(mass(0, 3, force), 5, 0.05);
    ASSERT_TRUE(result.done()) << force;
    EXPECT_NEAR(result.state.q[0], x_stop + 8.0 / 6, exact) << force;
    EXPECT_NEAR(result.state.u[0], 2, exact) << force;
    const std::vector<double> switches = times(result, "switch");
    ASSERT_EQ(switches.size(), 2u) << force;
    EXPECT_NEAR(switches[0], stop, exact) << force;
    EXPECT_NEAR(switches[1], 3, exact) << force;
  }
}

TEST(Kinks, a_force_that_is_switched_on_is_located) {
  for (const double dt : {0.25, 0.01}) {
    const Result result = event_driven(mass(0, 0, "2*step(t - 0.37)"), 1, dt);
    EXPECT_NEAR(result.state.q[0], 0.63 * 0.63, exact);
    EXPECT_NEAR(result.state.u[0], 2 * 0.63, exact);
  }
}

// ω = 2 if x > 0, and 1 if x < 0. So a period is π/2 + π.
TEST(Kinks, an_oscillator_with_two_stiffnesses_has_the_period_of_its_halves) {
  for (const char* force : {"-4*max(x, 0) - min(x, 0)", "if(x > 0, -4*x, -x)", "-2.5*x - 1.5*abs(x)",
                            "table(x, [-3, 3], [0, 0], [3, -12])"}) {
    const Result result = event_driven(mass(1, 0, force), 3 * std::numbers::pi, 0.1);
    ASSERT_TRUE(result.done()) << force;
    EXPECT_NEAR(result.state.q[0], 1, exact) << force;
    EXPECT_NEAR(result.state.u[0], 0, exact) << force;
    EXPECT_EQ(times(result, "switch").size(), 4u) << force;
  }
}

// Accelerations are 0, 2, 4 in the seconds 0, 1 and 2. The same holds downwards from a whole number.
TEST(Kinks, stairs_of_floor_are_located) {
  const Result up = event_driven(mass(0, 0, "2*floor(t)"), 2.5, 0.3);
  EXPECT_NEAR(up.state.q[0], 2.5, exact);
  EXPECT_NEAR(up.state.u[0], 4, exact);
  const Result down = event_driven(mass(0, 0, "2*floor(-t)"), 1.5, 0.3);  // −2, then −4
  EXPECT_NEAR(down.state.u[0], -4, exact);
  const Result saw = event_driven(mass(0, 0, "mod(t, 1)"), 2, 0.3);
  EXPECT_NEAR(saw.state.u[0], 1, exact);
  EXPECT_NEAR(saw.state.q[0], 1.0 / 6 + 0.5 + 1.0 / 6, exact);
}

// A drive that starts to move at 0.503 s: velocities jump with it.
TEST(Kinks, a_drive_with_max_sets_its_body_in_motion_where_it_switches) {
  const std::string rod =
      "bodies: {rod: {type: planar, mass: 2, inertia: 0.5, position: [1, 0]}}\n"
      "joints: {motor: {type: revolute, bodies: [ground, rod], at: [0, 0], angle: 'max(0, 3*(t - 0.503))'}}\n";
  const std::string bead =
      "coordinates: {x: {position: 0, velocity: 0}, y: {position: 0, velocity: 0}}\n"
      "lagrangian: {kinetic: (x'^2 + y'^2)/2}\n"
      "joints: {drive: {constraint: 'x - max(0, 3*(t - 0.503))'}}\n";
  for (const double dt : {0.1, 0.503, 0.01}) {
    const Result turned = event_driven(rod, 1.006, dt);
    ASSERT_TRUE(turned.done());
    EXPECT_NEAR(turned.state.q[2], 3 * 0.503, 1e-8);
    EXPECT_NEAR(turned.state.u[2], 3, 1e-8);
    ASSERT_EQ(times(turned, "switch").size(), 1u);
    EXPECT_NEAR(times(turned, "switch")[0], 0.503, 1e-12);
    const Result moved = event_driven(bead, 1.006, dt);
    ASSERT_TRUE(moved.done());
    EXPECT_NEAR(moved.state.q[0], 3 * 0.503, 1e-8);
    EXPECT_NEAR(moved.state.u[0], 3, 1e-8);
  }
}

TEST(Kinks, functions_of_time_that_switch_often_are_all_located) {
  const std::string text =
      "bodies: {a: {type: point, mass: 1, position: [0, 0, 0]}}\n"
      "forces: {push: {type: force, body: a, force: ['sign(sin(100*t))', 0, 0]}}\n";
  const Result result = event_driven(text, 0.2 * std::numbers::pi, 0.05 * std::numbers::pi);  // ten whole periods
  EXPECT_NEAR(result.state.u[0], 0, exact);
  // Within a period of 2 T the velocity is a triangle of height T, T = π/100.
  EXPECT_NEAR(result.state.q[0], 10 * std::pow(std::numbers::pi / 100, 2), exact);
  EXPECT_GE(times(result, "switch").size(), 19u);  // and, depending on rounding, one at the start and one at the end
  EXPECT_LE(times(result, "switch").size(), 21u);
}

TEST(Kinks, a_gap_that_jumps_is_refused_where_it_does) {
  const Result result = event_driven(point({-1, 0, 3, 0}, "m*g*y", "stairs", "y - 0.1*step(x)"), 1);
  EXPECT_EQ(result.summary.status, RunStatus::failed);
  EXPECT_THAT(result.summary.message, HasSubstr("the gap of contact 'stairs' jumps from 0 to -0.1 m"));
}

TEST(Kinks, drag_with_abs_and_a_mass_at_rest_need_no_events) {
  const Result result = event_driven(
      "coordinates: {x: {position: 0, velocity: 0}, y: {position: 0, velocity: 0}}\n"
      "lagrangian: {kinetic: (x'^2 + y'^2)/2, potential: 9.81*y}\n"
      "forces: {x: \"-x'*abs(x')\", y: \"-y'*abs(y')\"}\n"
      "contacts: {floor: {gap: y, slip: x, mu: 0.3}}\n",
      1);
  ASSERT_TRUE(result.done());
  EXPECT_EQ(result.state.q[0], 0);
  EXPECT_NEAR(result.state.q[1], 0, exact);
  EXPECT_LE(result.summary.event_count, 2);
}

TEST(Kinks, schemes_that_pass_a_switch_within_a_step_say_what_that_costs) {
  const auto warnings = [](const std::string& gap, const std::string& scheme) {
    return run(point({-1, 2, 0, 0}, "m*g*y", "edge", gap), {.scheme = scheme, .dt = 0.01, .end = 0.1}).summary.warnings;
  };
  using testing::Contains, testing::IsEmpty;
  EXPECT_THAT(warnings("max(x, y)", "lcp-trapezoidal"), Contains(HasSubstr("first order")));
  EXPECT_THAT(warnings("max(x, y)", "moreau-midpoint"), IsEmpty());
  EXPECT_THAT(warnings("max(x, y)", "event-driven"), IsEmpty());
  EXPECT_THAT(warnings("y - abs(x)", "moreau-midpoint"), IsEmpty());
  EXPECT_THAT(warnings("y - abs(x)", "lcp-trapezoidal"), IsEmpty());  // two contacts without a switch
  EXPECT_THAT(warnings("(y - abs(x))*(2 + cos(x))", "moreau-midpoint"),
              Contains(HasSubstr("contacts.edge.gap has a kink")));
  EXPECT_THAT(warnings("(y - abs(x))*(2 + cos(x))", "event-driven"), IsEmpty());
}

// x'' = 1 − x from rest at 0 until x = 1, at t = π/2 with the velocity 1; from then on there is no force.
TEST(Kinks, switches_of_forces_on_bodies_are_located_without_a_warning) {
  const Result result = event_driven(
      "bodies: {a: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}}\n"
      "forces: {push: {type: force, body: a, force: ['max(0, 1 - a.x)', 0, 0]}}\n",
      3.0);
  EXPECT_THAT(result.summary.warnings, testing::IsEmpty());
  EXPECT_NEAR(result.state.u[0], 1.0, 1e-9);
  EXPECT_NEAR(result.state.q[0], 1.0 + 3.0 - std::acos(-1.0) / 2, 1e-9);
}

// The valley again, in a form that cannot be split. event-driven finds its way into the corner nevertheless.
TEST(Kinks, an_inner_corner_that_cannot_be_split_is_located) {
  const Result result = event_driven(point({0.5, 2, 0, 0}, "m*g*y", "valley", "(y - abs(x))*(2 + cos(x))/3"), 2);
  ASSERT_TRUE(result.done());
  EXPECT_NEAR(result.state.q[0], 0, exact);
  EXPECT_NEAR(result.state.q[1], 0, exact);
  EXPECT_NEAR(result.summary.energy.total(), 0, exact);
}

// Terrain of straight pieces with edges both ways, against Moreau's scheme at small steps.
TEST(Kinks, random_terrain_agrees_with_a_fine_moreau_scheme) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> slope(-0.4, 0.4), place(-1, 1);
  for (int sample = 0; sample < 6; ++sample) {
    std::string gap = fmt::format("y - {:.3f}*x", slope(random) / 2);
    for (int edge = 0; edge < 3; ++edge) gap += fmt::format(" - {:.3f}*abs(x - {:.3f})", slope(random), place(random));
    const std::string text = point({-1.5, 1, 2, 0}, "m*g*y", "ground", gap);
    const double dt = 2e-5;
    const Result reference = run(text, {.scheme = "moreau-midpoint", .dt = dt, .end = 1.2, .record_every = 1000});
    const Result result = event_driven(text, 1.2);
    ASSERT_TRUE(reference.done() && result.done()) << gap;
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(result.state.q[i], reference.state.q[i], 100 * dt) << gap;
    EXPECT_LE(result.summary.energy.total(), result.summary.initial_energy + exact) << gap;
  }
}

}  // namespace
}  // namespace tappet
