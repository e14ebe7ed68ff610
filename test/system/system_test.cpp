// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "system/system.h"

#include <gtest/gtest.h>

#include "support/mechanism.h"
#include "system/evaluator.h"

namespace tappet {
namespace {

Mechanism compiled(const std::string& yaml) { return Mechanism(parse_model(yaml, "test.yaml")); }

std::string refusal(const std::string& yaml) {
  try {
    compiled(yaml);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

void expect_in(const std::string& part, const std::string& text) {
  EXPECT_NE(text.find(part), std::string::npos) << "\"" << part << "\" is not in \"" << text << "\"";
}

const std::string pendulum = R"(
bodies:
  arm: {type: planar, mass: 1, inertia: 0.1, position: [1, 0], velocity: [0, 2], spin: 2}
joints:
  pin: {type: revolute, bodies: [ground, arm], at: [[0, 0], [-1, 0]]}
run: {dt: 1e-3, end: 1}
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos);
  return text.replace(at, from.size(), to);
}

TEST(System, a_hinge_between_planar_bodies_keeps_two_rows) {
  const Mechanism system = compiled(pendulum);
  EXPECT_EQ(system.joint_rows(), 2);
  EXPECT_TRUE(system.warnings().empty());
}

// Which bodies the laws call balls: moments of inertia and place of the contact.
TEST(System, tells_the_solver_which_bodies_are_balls) {
  const std::string text = R"(
bodies:
  ball: {type: rigid, mass: 1, inertia: [0.004, 0.004, 0.004], position: [0, 0, 0.1]}
  other: {type: rigid, mass: 1, inertia: [0.004, 0.004, 0.004], position: [0, 0, 0.3]}
  top: {type: rigid, mass: 1, inertia: [0.004, 0.004, 0.005], position: [1, 0, 0.1]}
contacts:
  central: {type: sphere-plane, bodies: [ball, ground], radius: 0.1, normal: [0, 0, 1], mu: 0.3}
  between: {type: sphere-sphere, bodies: [other, ball], radii: 0.1, mu: 0.3}
  beside: {type: sphere-sphere, bodies: [other, ball], radii: 0.1, centers: [[0, 0, 0.01], [0, 0, 0]], mu: 0.3}
  long: {type: sphere-plane, bodies: [top, ground], radius: 0.1, normal: [0, 0, 1], mu: 0.3}
  smooth: {type: sphere-plane, bodies: [other, ground], radius: 0.1, normal: [0, 0, 1]}
  oval: {type: sphere-plane, bodies: [other, ground], radius: 0.1, normal: [0, 0, 1], mu: [0.3, 0.2]}
run: {dt: 1e-3, end: 1}
)";
  const System system(parse_model(text, "test.yaml"));
  const ContactList contacts(system);
  Laws laws;
  contacts.laws({0, 1, 2, 3, 4, 5}, laws);
  const Law::Balls expected[] = {{true, false}, {true, true}, {false, true}, {}, {}, {}};
  for (int k = 0; k < 6; ++k) EXPECT_EQ(laws[k].balls, expected[k]) << contacts.name(k);
}

TEST(System, refuses_initial_positions_that_break_a_joint) {
  const std::string text = refusal(replaced(pendulum, "position: [1, 0]", "position: [1.001, 0]"));
  expect_in("test.yaml:5:", text);
  expect_in("joints.pin", text);
  expect_in("initial positions violate it by 0.001", text);
}

TEST(System, refuses_initial_velocities_that_break_a_joint) {
  const std::string text = refusal(replaced(pendulum, "spin: 2", "spin: 1"));
  expect_in("joints.pin", text);
  expect_in("initial velocities violate it by 1", text);
}

TEST(System, refuses_an_initial_penetration) {
  const std::string text = refusal(R"(
bodies: {ball: {type: point, mass: 1, position: [0, 0, 0.5]}}
contacts: {floor: {type: sphere-plane, bodies: [ball, ground], radius: 1, normal: [0, 0, 1]}}
run: {dt: 1e-3, end: 1}
)");
  expect_in("contacts.floor", text);
  expect_in("the initial gap is -0.5", text);
}

TEST(System, names_redundant_joints) {
  const Mechanism system = compiled(
      replaced(pendulum, "run:", "  again: {type: revolute, bodies: [ground, arm], at: [[0, 0], [-1, 0]]}\nrun:"));
  ASSERT_EQ(system.warnings().size(), 1u);
  expect_in("'again' is redundant: 2 of its 2 rows", system.warnings()[0]);
}

TEST(System, formulas_and_bodies_stand_in_one_file) {
  // A cart as a coordinate, a bob as a body, a spring between them as a formula.
  const Mechanism system = compiled(R"(
parameters: {k: 100}
coordinates: {s: {position: 0, velocity: 1}}
lagrangian: {kinetic: 2*s'^2/2, potential: k*(s - bob.x)^2/2}
bodies: {bob: {type: point, mass: 3, position: [0.5, 0, 0]}}
contacts: {stop: {gap: 1 - bob.x + 0*s}}
run: {dt: 1e-3, end: 1}
)");
  ASSERT_EQ(system.u_size(), 4);
  Evaluator evaluate(system);
  const auto& [t, q, u] = system.initial();
  Vec h, g;
  evaluate.forces(t, q, u, h);
  EXPECT_NEAR(h[0], 50.0, 1e-12);   // on the cart
  EXPECT_NEAR(h[1], -50.0, 1e-12);  // on the bob
  evaluate.gaps(t, q, g);
  EXPECT_NEAR(g[0], 0.5, 1e-15);
  const Energy energy = evaluate.energy(t, q, u);
  EXPECT_NEAR(energy.kinetic, 1.0, 1e-15);
  EXPECT_NEAR(energy.potential, 12.5, 1e-12);
}

TEST(System, an_elastic_bar_costs_a_band_and_weighs_what_it_weighs) {
  const Mechanism system = compiled(R"(
bodies: {bar: {type: elastic_bar, length: 2, area: 0.5, density: 3, modulus: 10, elements: 200, velocity: -1,
               axis: [0, 0, 1]}}
forces: {gravity: {type: gravity, acceleration: [0, 0, -9.81]}}
contacts: {floor: {type: point-plane, bodies: [bar, ground], node: 0, normal: [0, 0, 1]}}
run: {dt: 1e-3, end: 1}
)");
  Evaluator evaluate(system);
  const auto& [t, q, u] = system.initial();
  EXPECT_NEAR(evaluate.energy(t, q, u).kinetic, 0.5 * 3.0 * 1.0, 1e-12);  // ρ S L = 3 kg
  Vec h;
  evaluate.forces(t, q, u, h);
  double total = 0;
  for (double f : h) total += f;
  EXPECT_NEAR(total, -3.0 * 9.81, 1e-10);
  EXPECT_NEAR(evaluate.energy(t, q, u).potential, 3.0 * 9.81 * 1.0, 1e-10);  // centre of mass at height 1
}

}  // namespace
}  // namespace tappet
