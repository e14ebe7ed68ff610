// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Profiles with a thickness, whose bodies move in space.
#include <gtest/gtest.h>

#include <numbers>

#include "run/make_stepper.h"
#include "run/simulate.h"
#include "support/allocations.h"
#include "system/evaluator.h"

namespace tappet {
namespace {

// The wheel and the pawl of the example `ratchet`, with hinges. In space the pawl is thinner than the wheel.
std::string ratchet(bool in_space) {
  std::string text = R"(
parameters: {mm: 1e-3, M: 2e-3, damping: 4e-4}
geometry:
  wheel: {type: profile, repeat: 12, outline: [[0, 16*mm, 0.5*mm], [0, 20*mm, 0.3*mm]], holes: [{radius: 3*mm}]}
  pawl:
    type: profile
    outline: [[-15*mm, -6*mm, 0.4*mm], [-11*mm, -3.2*mm, 1*mm], [2.5*mm, -2.5*mm, 2*mm], [2.5*mm, 2.5*mm, 2*mm],
              [-12*mm, 0, 1*mm], [-15*mm, -2.5*mm, 0.5*mm]]
joints:
  axle:  {type: revolute, bodies: [ground, wheel], at: [0, 0]}
  pivot: {type: revolute, bodies: [ground, pawl], at: [15*mm, 22*mm]}
colliders:
  wheel: {type: profile, geometry: wheel, body: wheel}
  pawl:  {type: profile, geometry: pawl, body: pawl}
run: {scheme: combined-projection, dt: 1e-4, end: 0.3}
)";
  if (!in_space)
    return text + R"(
bodies:
  wheel: {type: planar, geometry: wheel, density: 7850, thickness: 3*mm, angle: 0.2, origin: [0, 0]}
  pawl:  {type: planar, geometry: pawl, density: 7850, thickness: 2*mm, angle: -0.2, origin: [15*mm, 22*mm]}
forces:
  motor:   {type: torque, body: wheel, torque: "if(t < 0.15, M, -M) - damping*wheel.omega"}
  spring:  {type: torque, body: pawl, torque: 2e-3}
)";
  return text + R"(
bodies:
  wheel: {type: rigid, geometry: wheel, density: 7850, thickness: [0, 3*mm], origin: [0, 0, 0],
          rotation: {axis: [0, 0, 1], angle: 0.2}}
  pawl:  {type: rigid, geometry: pawl, density: 7850, thickness: [0.5*mm, 2.5*mm], origin: [15*mm, 22*mm, 0],
          rotation: {axis: [0, 0, 1], angle: -0.2}}
forces:
  motor:   {type: torque, body: wheel, torque: [0, 0, "if(t < 0.15, M, -M) - damping*wheel.wz"]}
  spring:  {type: torque, body: pawl, torque: [0, 0, 2e-3]}
)";
}

std::string link(double mu) {
  return "parameters: {mu: " + std::to_string(mu) + "}" + R"(
geometry:
  ring: {type: profile, outline: {center: [0, 0], radius: 0.03}, holes: [{radius: 0.02}]}
bodies:
  link: {type: rigid, geometry: ring, density: 7850, thickness: 0.01, position: [0, -0.038, 0],
         rotation: {axis: [0, 1, 0], angle: 90*deg}, velocity: [0.1, 0, 0]}
colliders:
  top:  {type: profile, geometry: ring, body: ground, thickness: 0.01, rim: 2e-3, mu: mu}
  link: {type: profile, geometry: ring, body: link, rim: 2e-3, mu: mu}
forces:
  gravity: {type: gravity, acceleration: [0, -9.81, 0]}
run: {scheme: combined-projection, dt: 2e-5, end: 0.1}
)";
}

double about_z(const Vec& q, int body) {
  const double* x = q.data() + RigidBody::nq * body;
  const Quatd r = RigidBody::quaternion(x);
  return 2.0 * std::atan2(r.z, r.w);
}

TEST(Plates, a_ratchet_in_space_moves_as_one_in_the_plane) {
  const Result flat = simulate(parse_model(ratchet(false), "flat.yaml"));
  const Model model = parse_model(ratchet(true), "space.yaml");
  const Result space = simulate(model);
  ASSERT_TRUE(flat.done() && space.done()) << space.summary.message;
  EXPECT_LE(space.summary.violation.max, 1e-10);
  ASSERT_EQ(flat.t.size(), space.t.size());
  double turned = 0.0;
  for (size_t k = 0; k < flat.t.size(); ++k) {
    ASSERT_NEAR(about_z(space.q[k], 0), flat.q[k][2], 1e-6) << flat.t[k];
    ASSERT_NEAR(about_z(space.q[k], 1), flat.q[k][5], 1e-6) << flat.t[k];
    turned = std::max(turned, flat.q[k][2] - 0.2);
  }
  EXPECT_GT(turned, 0.2);
  // Two contacts at rest in the plane, and each of them at both ends of the thickness of the pawl.
  const System system(model);
  ContactList contacts(system);
  State rest = space.state;
  rest.u.set_zero();
  contacts.search(rest, 1e-6);
  EXPECT_EQ(contacts.found(), 4);
}

// A bar rests on two pins that are not level. It tilts about its length as far as its walls allow, so the contacts at
// both ends of its thickness carry a moment.
TEST(Plates, a_bar_on_edge_stands_on_the_two_ends_of_its_thickness) {
  const System system(parse_model(R"(
geometry:
  bar: {type: profile, rounding: 2e-3, outline: [[-0.1, -0.01], [0.1, -0.01], [0.1, 0.01], [-0.1, 0.01]]}
  pin: {type: profile, outline: {center: [0, 0], radius: 5e-3}}
bodies:
  bar: {type: rigid, geometry: bar, density: 7850, thickness: 4e-3, origin: [0, 0.015, 0]}
colliders:
  bar: {type: profile, geometry: bar, body: bar, mu: 0.3}
  left: {type: profile, geometry: pin, body: ground, center: [-0.05, 0, 0], thickness: 0.02, mu: 0.3}
  right: {type: profile, geometry: pin, body: ground, center: [0.05, 0, 0], thickness: 0.02, mu: 0.3}
forces:
  gravity: {type: gravity, acceleration: [0, -9.81, 0]}
  push: {type: torque, body: bar, torque: [1e-4, 0, 0]}
run: {scheme: combined-projection, dt: 1e-3, end: 0.5}
)",
                                  "bar.yaml"));
  const Result result = simulate(system);
  ASSERT_TRUE(result.done()) << result.summary.message;
  EXPECT_EQ(result.summary.unconverged_steps, 0);
  EXPECT_LE(result.summary.violation.max, 1e-10);
  EXPECT_EQ(result.summary.max_closed, 4);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(result.state.q[i], i == 1 ? 0.015 : 0.0, 1e-9);
}

// Two rings whose planes are perpendicular touch where the rims of their holes cross. One scheme looks at steps, the
// other one at events. With friction, two contacts turn back at once.
TEST(Plates, a_link_hangs_in_another_one) {
  for (const double mu : {0.0, 0.2}) {
    const Model model = parse_model(link(mu), "link.yaml");
    const Result steps = simulate(model), events = simulate(model, {.scheme = "event-driven", .dt = 1e-3});
    ASSERT_TRUE(steps.done() && events.done()) << steps.summary.message << events.summary.message;
    EXPECT_EQ(steps.summary.unconverged_steps, 0);
    EXPECT_LE(steps.summary.violation.max, 1e-12);
    EXPECT_GE(steps.summary.max_closed, 2);
    EXPECT_LT(steps.state.q[1], -0.039) << "it hangs";
    for (int i = 0; i < 7; ++i) EXPECT_NEAR(steps.state.q[i], events.state.q[i], 1e-4) << i;
  }
}

// Plates, a convex solid, a box, a capsule and wheels fall onto a plate, with any attitude.
TEST(Plates, parts_of_all_kinds_fall_onto_a_plate_and_stay_on_it) {
  const Result result = simulate(parse_model(R"(
geometry:
  bar:  {type: profile, rounding: 3e-3, outline: [[-0.05, -0.01], [0.05, -0.01], [0.05, 0.01], [-0.05, 0.01]]}
  slab: {type: profile, outline: [[-0.3, -0.3], [0.3, -0.3], [0.3, 0.3], [-0.3, 0.3]], rounding: 0.01}
  rock: {type: convex, rounding: 1e-3,
         vertices: [[0.03, 0, 0], [-0.03, 0.01, 0], [0, 0.03, 0.01], [0, -0.03, 0], [0.01, 0, 0.03], [0, 0.01, -0.03]]}
bodies:
  bar:     {type: rigid, geometry: bar, density: 7850, thickness: 6e-3, position: [0, 0, 0.05],
            rotation: {axis: [1, 0.5, 0.3], angle: 1}}
  rock:    {type: rigid, geometry: rock, density: 3000, position: [0.02, 0.01, 0.15]}
  box:     {type: rigid, mass: 0.2, inertia: [1e-4, 1e-4, 1e-4], position: [0, 0, 0.25],
            rotation: {axis: [0.2, 1, 0.3], angle: 1.3}}
  capsule: {type: rigid, mass: 0.2, inertia: [1e-4, 1e-4, 1e-4], position: [0, 0.01, 0.35],
            rotation: {axis: [0.2, 1, 0.3], angle: 1.3}}
  wheel:   {type: rigid, mass: 0.2, inertia: [1e-4, 1e-4, 1e-4], position: [-0.1, 0.01, 0.15], velocity: [0.3, 0, 0]}
colliders:
  bar:     {type: profile, geometry: bar, body: bar, rim: 1e-3, mu: 0.3}
  slab:    {type: profile, geometry: slab, body: ground, thickness: [-0.02, 0], mu: 0.3}
  rock:    {type: convex, geometry: rock, body: rock, mu: 0.3}
  box:     {type: box, body: box, size: [0.05, 0.04, 0.03], mu: 0.3}
  capsule: {type: capsule, body: capsule, length: 0.06, radius: 0.01, mu: 0.3}
  wheel:   {type: wheel, body: wheel, radius: 0.04, tube: 0.01, mu: 0.3}
forces:
  gravity: {type: gravity, acceleration: [0, 0, -9.81]}
run: {scheme: lcp-euler, stabilisation: 1, linearisations: 20, dt: 5e-4, end: 0.6}
)",
                                             "fall.yaml"));
  ASSERT_TRUE(result.done()) << result.summary.message;
  EXPECT_EQ(result.summary.unconverged_steps, 0);
  EXPECT_LE(result.summary.violation.max, 1e-5);
  for (int body = 0; body < 5; ++body) EXPECT_GT(result.state.q[RigidBody::nq * body + 2], 2e-3) << body;
}

// Contacts push only near the surface, so parts that lie deep in each other have none.
TEST(Plates, parts_that_lie_deep_in_each_other_are_refused) {
  const auto start = [](const std::string& collider, double height) {
    const Model model = parse_model(R"(
geometry:
  bar: {type: profile, rounding: 3e-3, outline: [[-0.05, -0.01], [0.05, -0.01], [0.05, 0.01], [-0.05, 0.01]]}
bodies:
  b: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, )" +
                                        std::to_string(height) +
                                        R"(], rotation: {axis: [1, 0, 0], angle: 90*deg}}
colliders:
  a: {type: profile, geometry: bar, body: ground, thickness: 6e-3}
  b: )" + collider + "\n",
                                    "deep.yaml");
    System system(model);
  };
  for (const std::string collider :
       {"{type: profile, geometry: bar, body: b, thickness: 6e-3}", "{type: box, body: b, size: [0.01, 0.02, 0.02]}",
        "{type: capsule, body: b, length: 0.01, radius: 5e-3}", "{type: wheel, body: b, radius: 0.02, tube: 5e-3}"}) {
    EXPECT_THROW(start(collider, 0.0), ModelError) << collider;
    EXPECT_NO_THROW(start(collider, 0.1)) << collider;
  }
}

TEST(Plates, a_step_allocates_nothing_and_threads_do_not_change_bits) {
  const Model model = parse_model(ratchet(true), "space.yaml");
  const System system(model);
  ContactList contacts(system);
  const auto stepper = make_stepper("combined-projection", contacts, {});
  State state = system.initial();
  const auto go = [&](int steps) {
    for (int k = 0; k < steps; ++k) contacts.find(state, 1e-4), stepper->step(state, 1e-4);
  };
  go(1500);
  const long before = test::allocations();
  go(1000);
  EXPECT_EQ(test::allocations() - before, 0);
  const Result one = simulate(model), three = simulate(model, {.threads = 3});
  EXPECT_EQ(one.state.q, three.state.q);
}

}  // namespace
}  // namespace tappet
