// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/watch/penetration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/stored_energy.h"
#include "run/models.h"
#include "run/simulate.h"
#include "system/evaluator.h"

namespace tappet {
namespace {

using testing::HasSubstr;

std::vector<std::string> warnings(const Model& model, const RunOptions& options) {
  return simulate(model, options).summary.warnings;
}

TEST(Penetration, of_many_metres_at_a_step_of_ten_seconds_is_remarked_on) {
  const Model model = load(find_model("first_model"));
  const auto said = warnings(model, {.dt = 10, .end = 100});
  ASSERT_EQ(said.size(), 1u);
  EXPECT_THAT(said[0], HasSubstr("the largest penetration"));
  EXPECT_THAT(said[0], HasSubstr("large compared with the model"));
  EXPECT_TRUE(warnings(model, {}).empty());
}

TEST(Penetration, between_colliders_is_held_against_the_smallest_of_them) {
  const Model model = parse_model(R"(
bodies: {ball: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 1], velocity: [0, 0, -5]}}
colliders:
  ball: {type: sphere, body: ball, radius: 0.1}
  floor: {type: plane, body: ground, normal: [0, 0, 1]}
run: {scheme: moreau-midpoint, dt: 1e-3, end: 0.5}
)",
                                  "ball.yaml");
  EXPECT_TRUE(warnings(model, {}).empty());  // 5 m/s · 1 ms is 5 mm at most
  const auto said = warnings(model, {.dt = 0.25});
  ASSERT_EQ(said.size(), 1u);
  EXPECT_THAT(said[0], HasSubstr("0.2 m thick"));
}

// A point on the inside of a circle. moreau-midpoint moves it along the tangent, so it leaves the circle by (v dt)²/2R
// per step and never comes back.
TEST(Penetration, that_grows_over_many_steps_is_told_apart) {
  const Model model = parse_model(R"(
coordinates: {x: {position: 0, velocity: 1}, y: {position: -1, velocity: 0}}
lagrangian: {kinetic: (x'^2 + y'^2)/2, potential: 0}
contacts: {ring: {gap: 1 - sqrt(x^2 + y^2)}}
run: {scheme: moreau-midpoint, dt: 1e-2, end: 5}
)",
                                  "ring.yaml");
  const auto said = warnings(model, {});
  ASSERT_EQ(said.size(), 1u);
  EXPECT_THAT(said[0], HasSubstr("it grew over many steps"));
}

TEST(StoredEnergy, is_told_by_part) {
  const System system(parse_model(R"yaml(
parameters: {m: 2, g: 10, k: 1e3}
coordinates: {y: {position: 3, velocity: 4}}
lagrangian: {kinetic: m*y'^2/2, potential: "m*g*y + k*(y - 1e-1)^2/2 - 7*cos(0*y)"}
bodies:
  bob: {type: point, mass: 3, position: [0, 2, 0], velocity: [1, 0, 0]}
forces:
  weight: {type: gravity, acceleration: [0, -10, 0]}
  cord: {type: spring, bodies: [ground, bob], stiffness: 200, length: 0.5}
)yaml",
                                  "parts.yaml"));
  const auto parts = energy_parts(system);
  const auto value = [&](const std::string& name) {
    for (const EnergyPart& part : parts)
      if (part.name == name) return part.value;
    ADD_FAILURE() << "no part " << name;
    return 0.0;
  };
  EXPECT_NEAR(value("coordinates"), 16, 1e-12);
  EXPECT_NEAR(value("bob"), 1.5, 1e-12);
  EXPECT_NEAR(value("m*g*y"), 60, 1e-12);
  EXPECT_NEAR(value("k*(y - 1e-1)^2/2"), 500 * 2.9 * 2.9, 1e-9);
  EXPECT_NEAR(value("- 7*cos(0*y)"), -7, 1e-12);
  EXPECT_NEAR(value("weight"), 60, 1e-12);
  EXPECT_NEAR(value("cord"), 100 * 1.5 * 1.5, 1e-9);
  const Energy energy = Evaluator(ContactList(system)).energy(0, system.initial().q, system.initial().u);
  double sum = 0;
  for (const EnergyPart& part : parts) sum += part.value;
  EXPECT_NEAR(sum, energy.total(), 1e-9);
}

// Two bodies of 1 kg are 0.5 m apart. Lifting them by this distance takes 10 J. The spring holds k·0.985²/2 = 485 J.
TEST(StoredEnergy, out_of_scale_is_hinted_at) {
  const auto text = [](double stiffness) {
    return "bodies:\n  a: {type: point, mass: 1, position: [0, 0, 1]}\n  b: {type: point, mass: 1, position: [0, 0, "
           "1.5]}\n"
           "forces:\n  weight: {type: gravity, acceleration: [0, 0, -10]}\n"
           "  leg: {type: spring, bodies: [a, b], length: 1.485, stiffness: " +
           std::to_string(stiffness) + "}\nrun: {scheme: moreau-midpoint, dt: 1e-4, end: 1e-3}\n";
  };
  const auto said = warnings(parse_model(text(999.77), "legs.yaml"), {});
  ASSERT_EQ(said.size(), 1u);
  EXPECT_THAT(said[0], HasSubstr("springs hold 485 J"));
  EXPECT_THAT(said[0], HasSubstr("leg"));
  EXPECT_TRUE(warnings(parse_model(text(10), "legs.yaml"), {}).empty());
}

}  // namespace
}  // namespace tappet
