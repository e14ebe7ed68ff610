// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// event-driven with contacts between colliders: what is located, and what is searched for on the way.
#include <gmock/gmock.h>

#include "steppers/found_contacts/mechanisms.h"

namespace tappet::test {
namespace {

constexpr double g = 9.81;

struct EventRun {
  State state;
  std::vector<Event> events;
  std::string diagnosis;
};

EventRun run_events(const Model& model, double dt, double end) {
  const System system(model);
  ContactList contacts(system);
  EventDriven stepper(contacts, solver(), {.accumulate = "close"});
  EventRun result{system.initial(), {}, ""};
  while (result.state.t < end - 1e-9 && result.diagnosis.empty()) {
    contacts.find(result.state, dt);
    const StepReport report = stepper.step(result.state, dt);
    result.diagnosis = stepper.diagnosis();
    for (const Event& event : stepper.events()) result.events.push_back(event);
    if (!(report.dt > 0)) break;
  }
  return result;
}

std::vector<double> times(const EventRun& run, Event::Kind kind) {
  std::vector<double> list;
  for (const Event& event : run.events)
    if (event.kind == kind) list.push_back(event.t);
  return list;
}

std::string falling_ball(const std::string& height, const std::string& velocity, const std::string& more) {
  return "bodies: {a: {type: rigid, mass: 1, inertia: [0.004, 0.004, 0.004], position: [0, 0, " + height +
         "], velocity: [0, 0, " + velocity + "]}}\n" +
         "forces: {gravity: {type: gravity, acceleration: [0, 0, -9.81]}}\n" + more;
}

// Impacts at t₁ = √(2 h/g) and after flights of 2 e^k g t₁/g.
TEST(FoundEvents, of_a_bouncing_ball_are_those_of_the_closed_form_and_of_the_contact) {
  const std::string contact =
      "contacts: {floor: {type: sphere-plane, bodies: [a, ground], radius: 0.1, normal: [0, 0, 1], e_N: 0.8}}\n";
  const std::string colliders =
      "colliders:\n  a: {type: sphere, body: a, radius: 0.1, e_N: 0.8}\n"
      "  floor: {type: plane, body: ground, normal: [0, 0, 1], e_N: 0.8}\n";
  const EventRun one = run_events(parse_model(falling_ball("1.1", "0", contact), "contact"), 0.05, 3.0);
  const EventRun other = run_events(parse_model(falling_ball("1.1", "0", colliders), "colliders"), 0.05, 3.0);
  const std::vector<double> t = times(other, Event::Kind::impact);
  ASSERT_EQ(t.size(), times(one, Event::Kind::impact).size());
  ASSERT_GE(t.size(), 4u);
  double expected = std::sqrt(2 / g), flight = 2 * expected;
  for (size_t k = 0; k < t.size(); ++k) {
    EXPECT_NEAR(t[k], times(one, Event::Kind::impact)[k], 1e-10);
    EXPECT_NEAR(t[k], expected, 1e-9);
    flight *= 0.8, expected += flight;
  }
  EXPECT_NEAR(other.state.q[2], one.state.q[2], 1e-10);
  EXPECT_NEAR(other.state.u[2], one.state.u[2], 1e-10);
}

// One output step is much longer than the time between the walls.
TEST(FoundEvents, a_fast_ball_hits_every_wall_of_a_container_within_one_output_step) {
  const Model model = parse_model(R"yaml(
bodies: {a: {type: rigid, mass: 1, inertia: [0.004, 0.004, 0.004], position: [0, 0, 0.5], velocity: [40, 0, 0]}}
colliders:
  a: {type: sphere, body: a, radius: 0.1, e_N: 1}
  box: {type: container, body: ground, size: [1, 1, 1], center: [0, 0, 0.5], e_N: 1}
)yaml",
                                  "fast");
  const EventRun run = run_events(model, 1.0, 1.0);
  // It flies 40 m: 0.4 m to the first wall, then 0.8 m from wall to wall.
  EXPECT_EQ(times(run, Event::Kind::impact).size(), 50u);
  EXPECT_NEAR(std::abs(run.state.u[0]), 40.0, 1e-9);
}

TEST(FoundEvents, two_balls_hit_each_other_at_the_right_time) {
  const Model model = parse_model(R"yaml(
bodies:
  a: {type: rigid, mass: 1, inertia: [0.004, 0.004, 0.004], velocity: [3, 0, 0]}
  b: {type: rigid, mass: 3, inertia: [0.004, 0.004, 0.004], position: [2, 0, 0], velocity: [-1, 0, 0]}
colliders:
  a: {type: sphere, body: a, radius: 0.1, e_N: 0.5}
  b: {type: sphere, body: b, radius: 0.1, e_N: 0.5}
)yaml",
                                  "two");
  const EventRun run = run_events(model, 0.3, 0.6);
  ASSERT_THAT(times(run, Event::Kind::impact), testing::ElementsAre(testing::DoubleNear(1.8 / 4, 1e-11)));
  EXPECT_NEAR(run.state.u[0], 0.0 - 0.5 * 3, 1e-10);  // the centre of mass rests; relative velocity −e · 4
  EXPECT_NEAR(run.state.u[6], 0.5, 1e-10);
}

// Without friction the ball slides over the edge of a box. It stays on the edge until g cos θ = v²/r, that is
// cos θ = (2 + v₀²/(g r))/3, and leaves with the horizontal velocity √(g r cos θ) cos θ.
TEST(FoundEvents, a_ball_slides_over_the_edge_of_a_box_and_leaves_it) {
  const double r = 0.1, v = 0.5;
  const Model model = parse_model(R"yaml(
bodies: {a: {type: rigid, mass: 1, inertia: [0.004, 0.004, 0.004], position: [0.4, 0, 0.6], velocity: [0.5, 0, 0]}}
forces: {gravity: {type: gravity, acceleration: [0, 0, -9.81]}}
colliders:
  a: {type: sphere, body: a, radius: 0.1}
  table: {type: box, body: ground, size: [1, 1, 1]}
)yaml",
                                  "edge");
  const EventRun run = run_events(model, 0.05, 0.5);
  EXPECT_EQ(run.diagnosis, "");
  const double cos = (2 + v * v / (g * r)) / 3;
  EXPECT_NEAR(run.state.u[0], std::sqrt(g * r * cos) * cos, 1e-8);
  const double energy = 0.5 * (run.state.u[0] * run.state.u[0] + run.state.u[2] * run.state.u[2]) + g * run.state.q[2];
  EXPECT_NEAR(energy, 0.5 * v * v + g * 0.6, 1e-9);
}

TEST(FoundEvents, a_tilted_box_falls_as_the_one_with_contacts_of_the_file) {
  const std::string box = R"yaml(
bodies:
  a: {type: rigid, mass: 1, inertia: [0.005, 0.005, 0.008], position: [0, 0, 0.2], velocity: [0.3, 0, 0],
      rotation: {axis: [1, 2, 0.5], angle: 0.4}, spin: [1, 0, 2]}
forces: {gravity: {type: gravity, acceleration: [0, 0, -9.81]}}
)yaml";
  const Model one = parse_model(
      box +
          "contacts: {f: {type: box-plane, bodies: [a, ground], size: [0.2, 0.2, 0.1], normal: [0, 0, 1], mu: 0.3, "
          "e_N: 0.2}}\n",
      "contacts");
  const Model other =
      parse_model(box +
                      "colliders:\n  a: {type: box, body: a, size: [0.2, 0.2, 0.1], mu: 0.3, e_N: 0.2}\n"
                      "  f: {type: plane, body: ground, normal: [0, 0, 1], mu: 0.3, e_N: 0.2}\n",
                  "colliders");
  const EventRun a = run_events(one, 0.05, 0.25), b = run_events(other, 0.05, 0.25);
  ASSERT_GE(times(a, Event::Kind::impact).size(), 2u);
  ASSERT_EQ(times(a, Event::Kind::impact).size(), times(b, Event::Kind::impact).size());
  for (int i = 0; i < a.state.q.size(); ++i) EXPECT_NEAR(a.state.q[i], b.state.q[i], 1e-9) << i;
}

// Two polygons with hollow and rounded corners fall onto rough ground. In the first model features of them meet that do
// not face each other before they turn: 0.5 mm of penetration were not noticed. In the second one a contact slides from
// an edge onto its rounded corner, where the force would have to pull: it pulled, and the energy rose by 0.2 J.
constexpr const char* turning_polygons = R"yaml(
geometry:
  a: {type: profile, outline: [[-0.06776, 0.02295, 0.00200], [-0.03868, -0.04183, 0.00200], [0.03130,
      -0.04330, 0.00200], [0.05899, 0.01645, 0.00200], [0.01666, 0.05603, 0.00400]], holes: [{center: [0,0],
      radius: 0.01}]}
  b: {type: profile, outline: [[0.04959, 0.00582, 0.00600], [-0.00269, 0.05585, 0.00400], [-0.04086, 0.02769,
      0.00600], [-0.02839, -0.02778, 0.00200], [0.01675, -0.03120, 0.00600]]}
  g: {type: profile, outline: [[-0.5,-0.1],[0.5,-0.1],[0.5,0.1,0.01],[0.4500,0.0364,0.0100],
      [0.3500,0.0229,0.0100],[0.2500,0.0353,0.0100],[0.1500,0.0339,0.0100],[0.0500,0.0203,0.0100],
      [-0.0500,0.0166,0.0100],[-0.1500,0.0240,0.0100],[-0.2500,0.0172,0.0100],[-0.3500,0.0065,0.0100],
      [-0.4500,0.0122,0.0100],[-0.5,0.1,0.01]]}
bodies:
  a: {type: planar, geometry: a, density: 2700, thickness: 0.01, origin: [-0.0907, 0.2], angle: 3.7581,
      spin: -2.196}
  b: {type: planar, geometry: b, density: 2700, thickness: 0.01, origin: [0.0069, 0.4], angle: 2.8274,
      velocity: [-0.157, 0]}
colliders:
  a: {type: profile, geometry: a, body: a, mu: 0, e_N: 0}
  b: {type: profile, geometry: b, body: b, mu: 0, e_N: 0}
  g: {type: profile, geometry: g, body: ground, mu: 0, e_N: 0}
forces: {gravity: {type: gravity, acceleration: [0, -9.81, 0]}}
)yaml";
constexpr const char* sliding_polygons = R"yaml(
geometry:
  a: {type: profile, outline: [[-0.02618, 0.07559, 0.00400], [-0.07859, 0.01497, 0.00400], [-0.06576,
      -0.04556, 0.00200], [-0.00707, -0.07969, 0.00400], [0.05220, -0.06063, 0.00200], [0.07949, 0.00904,
      0.00400], [0.03212, 0.07327, 0.00400]], holes: [{center: [0,0], radius: 0.01}]}
  b: {type: profile, outline: [[0.05858, 0.01299, 0.00200], [0.04770, -0.03639, 0.00600], [-0.00833,
      -0.05942, 0.00600], [-0.05333, -0.02749, 0.00400], [-0.05616, 0.02113, 0.00600], [-0.01451, 0.05822,
      0.00600], [0.03337, 0.04987, 0.00600]]}
  g: {type: profile, outline: [[-0.5,-0.1],[0.5,-0.1],[0.5,0.1,0.01],[0.4500,0.0209,0.0100],
      [0.3500,0.0025,0.0100],[0.2500,0.0367,0.0100],[0.1500,0.0366,0.0100],[0.0500,0.0037,0.0100],
      [-0.0500,0.0336,0.0100],[-0.1500,0.0284,0.0100],[-0.2500,0.0314,0.0100],[-0.3500,0.0250,0.0100],
      [-0.4500,0.0245,0.0100],[-0.5,0.1,0.01]]}
bodies:
  a: {type: planar, geometry: a, density: 2700, thickness: 0.01, origin: [0.0461, 0.2], angle: 4.2219,
      spin: -4.370}
  b: {type: planar, geometry: b, density: 2700, thickness: 0.01, origin: [0.0834, 0.4], angle: 1.3302,
      velocity: [0.303, 0]}
colliders:
  a: {type: profile, geometry: a, body: a, mu: 0.2, e_N: 0}
  b: {type: profile, geometry: b, body: b, mu: 0.2, e_N: 0}
  g: {type: profile, geometry: g, body: ground, mu: 0.2, e_N: 0}
forces: {gravity: {type: gravity, acceleration: [0, -9.81, 0]}}
)yaml";

TEST(FoundEvents, polygons_on_rough_ground_neither_penetrate_nor_gain_energy) {
  for (const auto& [text, end] : {std::pair{turning_polygons, 0.23}, std::pair{sliding_polygons, 0.26}}) {
    const System system(parse_model(text, "polygons.yaml"));
    ContactList contacts(system), found(system);
    const auto stepper = scheme_named("event-driven").make(contacts);
    Evaluator evaluate(contacts);
    State state = system.initial();
    double before = evaluate.energy(state.t, state.q, state.u).total();
    while (state.t < end) {
      contacts.find(state, 1e-3);
      const StepReport report = stepper->step(state, 1e-3);
      ASSERT_TRUE(report.converged()) << state.t << " " << stepper->diagnosis();
      const double energy = evaluate.energy(state.t, state.q, state.u).total();
      EXPECT_LE(energy, before + 1e-9) << state.t;
      before = energy;
      found.search_within(state, 1e-3);
      for (const TouchPoint& touch : found.touches()) ASSERT_GE(touch.gap, -1e-10) << state.t;
    }
  }
}

// The point of the capsule that touches moves along its axis, which the search describes only from time to time.
TEST(FoundEvents, a_contact_that_moves_along_an_axis_is_refused_with_its_name) {
  const Model model = parse_model(R"yaml(
bodies: {a: {type: rigid, mass: 1, inertia: [0.02, 0.02, 0.005], position: [0, 0, 0.5], velocity: [0.3, 0, 0]}}
forces: {gravity: {type: gravity, acceleration: [0, 0, -9.81]}}
colliders:
  a: {type: capsule, body: a, radius: 0.1, length: 0.6, rotation: {axis: [0, 1, 0], angle: pi/2}}
  top: {type: sphere, body: ground, radius: 0.4}
)yaml",
                                  "axis");
  const EventRun run = run_events(model, 0.05, 0.5);
  EXPECT_THAT(run.diagnosis, testing::HasSubstr("a-ground slides along an edge or an axis"));
}

}  // namespace
}  // namespace tappet::test
