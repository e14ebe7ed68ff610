// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "run/make_stepper.h"
#include "run/simulate.h"
#include "support/allocations.h"
#include "system/evaluator.h"

namespace tappet {
namespace {

constexpr const char* bodies_and_weight = R"(
bodies:
  a: {type: rigid, mass: 1, inertia: [0.004, 0.004, 0.004], position: [0, 0, 0.101], velocity: [0.5, 0.2, 0]}
  b: {type: rigid, mass: 2, inertia: [0.008, 0.008, 0.008], position: [0.03, 0.01, 0.31], spin: [3, 0, 1]}
forces: {gravity: {type: gravity, acceleration: [0, 0, -9.81]}}
)";
constexpr const char* named = R"(
contacts:
  a_floor: {type: sphere-plane, bodies: [a, ground], radius: 0.1, normal: [0, 0, 1], mu: 0.3, e_N: 0.2}
  b_floor: {type: sphere-plane, bodies: [b, ground], radius: 0.1, normal: [0, 0, 1], mu: 0.3, e_N: 0.2}
  ab: {type: sphere-sphere, bodies: [a, b], radii: 0.1, mu: 0.4, e_N: 0.2}
run: {scheme: moreau-midpoint, dt: 1e-3, end: 0.5}
)";
constexpr const char* found = R"(
colliders:
  a: {type: sphere, body: a, radius: 0.1, mu: 0.4, e_N: 0.2}
  b: {type: sphere, body: b, radius: 0.1, mu: 0.5, e_N: 0.5}
  floor: {type: plane, body: ground, normal: [0, 0, 1], mu: 0.3, e_N: 0.3}
run: {scheme: moreau-midpoint, dt: 1e-3, end: 0.5}
)";

Model model_of(const std::string& text) { return parse_model(bodies_and_weight + text, "test"); }

std::string pile(const std::string& count, const std::string& scheme = "lcp-euler, stabilisation: 1") {
  return fmt::format(R"(
parameters: {{R: 0.05}}
bodies:
  ball: {{type: rigid, mass: 0.5, inertia: [5e-4, 5e-4, 5e-4], position: [-0.2, -0.2, 0.06],
         grid: {{count: {}, spacing: 2.2*R, jitter: 0.09*R, seed: 3}}}}
colliders:
  ball: {{type: sphere, body: ball, radius: R, mu: 0.3}}
  box: {{type: container, body: ground, size: [0.6, 0.6, 4], center: [0, 0, 2], mu: 0.3}}
forces: {{gravity: {{type: gravity, acceleration: [0, 0, -9.81]}}}}
run: {{scheme: {}, dt: 1e-3, end: 0.2, tolerance: 1e-6}}
)",
                     count, scheme);
}

class Colliders : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(schemes, Colliders,
                         testing::Values("moreau-explicit", "moreau-midpoint", "moreau-jean", "direct-projection",
                                         "combined-projection", "lcp-euler", "lcp-trapezoidal", "schatzman-paoli",
                                         "ggl-decoupled", "ggl-unified", "half-explicit-velocity", "generalized-alpha"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(Colliders, move_bodies_as_the_same_contacts_listed_in_the_file) {
  const std::string scheme = GetParam();
  RunOptions options{.scheme = scheme, .options = {{"tolerance", "1e-12", {}}}};
  if (scheme == "lcp-euler") options.options.push_back({"directions", "0", {}});
  // From 0.46 s on the contact between the balls opens and closes by round-off in this scheme. The steps in which it
  // does differ between the two models, and positions then differ by up to 3e-7 m. The cause is not known.
  if (scheme == "lcp-trapezoidal") options.end = 0.45;
  const Result one = simulate(model_of(named), options), other = simulate(model_of(found), options);
  ASSERT_TRUE(one.done() && other.done());
  ASSERT_GT(one.summary.impulsive_steps, 2);  // to make sure that something happened
  for (size_t k = 0; k < one.t.size(); ++k)
    for (int i = 0; i < one.q[k].size(); ++i) ASSERT_NEAR(one.q[k][i], other.q[k][i], 1e-12) << one.t[k];
}

TEST(Collider, pairs_have_the_smaller_coefficients) {
  const System system(model_of(found));
  ContactList contacts(system);
  State state = system.initial();
  contacts.find(state, 0.02);
  std::set<std::string> names;
  for (int k = contacts.named(); k < contacts.size(); ++k) {
    const Contact& contact = contacts[k];
    names.insert(contacts.name(k));
    const bool floor = contacts.name(k).find("ground") != std::string::npos;
    EXPECT_EQ(contact.law->mu_law(), floor ? 0.3 : 0.4);
    EXPECT_EQ(contact.law->e_N, 0.2);
  }
  EXPECT_EQ(names, (std::set<std::string>{"a-ground", "a-b"}));
}

TEST(Collider, a_contact_that_is_found_again_says_where_it_was) {
  const System system(model_of(found));
  ContactList contacts(system);
  State state = system.initial();
  contacts.find(state, 0.02);  // a-b, a-ground
  ASSERT_EQ(contacts.found(), 2);
  for (const Contact& contact : contacts) EXPECT_EQ(contact.before, -1);
  state.q[2] = 0.1, state.q[7] = 2.0, state.q[9] = 0.1;  // side by side on the floor: a-ground, b-ground
  state.u.set_zero();
  contacts.find(state, 1e-3);
  ASSERT_EQ(contacts.found(), 2);
  for (int k = 0; k < 2; ++k) EXPECT_EQ(contacts[k].before >= 0, contacts.name(k) == "a-ground") << contacts.name(k);
  contacts.find(state, 1e-3);
  for (int k = 0; k < 2; ++k) {
    EXPECT_EQ(contacts[k].before, k);
    EXPECT_EQ(contacts[k].row_before, contacts[k].row);
  }
  state.q[2] = 1.0, state.q[9] = 2.0;  // both in the air
  contacts.find(state, 1e-3);
  EXPECT_EQ(contacts.found(), 0);
  EXPECT_EQ(contacts.size(), 0);
}

TEST(Collider, a_new_contact_does_not_start_from_the_impulses_of_another) {
  // The second ball reaches the floor when the first has left it. Its contact has the index that the contact of the
  // first had.
  const System system(model_of(found));
  ContactList contacts(system);
  const auto stepper = make_stepper("moreau-midpoint", contacts);
  State state = system.initial();
  for (int k = 0; k < 100; ++k) contacts.find(state, 1e-3), stepper->step(state, 1e-3);
  State fresh = state;
  fresh.q[2] = 1.0, fresh.q[9] = 0.0999, fresh.u.set_zero();
  contacts.find(fresh, 1e-3);
  State other = fresh;
  ContactList clean(system);
  const auto clean_stepper = make_stepper("moreau-midpoint", clean);
  clean.find(other, 1e-3);
  stepper->step(fresh, 1e-3), clean_stepper->step(other, 1e-3);
  for (int i = 0; i < fresh.u.size(); ++i) EXPECT_EQ(fresh.u[i], other.u[i]);
}

TEST(Collider, a_pile_has_the_same_bits_on_one_and_two_threads) {
  const Model model = parse_model(pile("[5, 5, 8]"), "pile");
  const Result one = simulate(model, {.threads = 1}), two = simulate(model, {.threads = 2});
  ASSERT_TRUE(one.done() && two.done());
  ASSERT_GT(one.summary.max_closed, 100);
  EXPECT_EQ(one.state.q, two.state.q);
  EXPECT_EQ(one.state.u, two.state.u);
}

TEST(Collider, lcp_euler_keeps_a_falling_pile_from_penetrating) {
  const Result result = simulate(parse_model(pile("[5, 5, 8]"), "pile"));
  ASSERT_TRUE(result.done());
  EXPECT_EQ(result.summary.unconverged_steps, 0);
  EXPECT_LT(result.summary.violation.max, 1e-6);
  EXPECT_LT(result.summary.energy.total(), result.summary.initial_energy);
}

TEST(Collider, a_step_allocates_nothing_once_as_many_contacts_were_seen) {
  const System system(parse_model(pile("[5, 5, 1]"), "layer"));  // 25 balls on the floor: 75 rows, a large problem
  ContactList contacts(system);
  const auto stepper = make_stepper("lcp-euler", contacts, {{"stabilisation", "1", {}}, {"tolerance", "1e-4", {}}});
  State state = system.initial();
  const auto go = [&](int steps) {
    for (int k = 0; k < steps; ++k) contacts.find(state, 1e-3), stepper->step(state, 1e-3);
  };
  go(200);
  ASSERT_EQ(stepper->step(state, 1e-3).closed, 25);
  const long before = test::allocations();
  go(200);
  EXPECT_EQ(test::allocations() - before, 0);
}

TEST(Collider, schemes_without_friction_refuse_pairs_with_friction) {
  const auto refusal = [](const RunOptions& options) -> std::string {
    try {
      simulate(model_of(found), options);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "nothing was refused";
  };
  const std::string pair = "colliders 'a' and 'b' touch with mu = 0.4";
  EXPECT_THAT(refusal({.scheme = "half-explicit-acceleration"}), testing::HasSubstr(pair));
  EXPECT_THAT(refusal({.scheme = "ggl-unified", .options = {{"newton", "prox", {}}}}), testing::HasSubstr(pair));
}

TEST(Collider, poissons_law_refuses_pairs_that_restore_slip) {
  std::string text = found;
  for (size_t at = 0; (at = text.find("mu: ", at)) != std::string::npos; at += 12) text.insert(at, "e_F: 0.1, ");
  try {
    simulate(model_of(text), {.scheme = "lcp-euler"});
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("colliders.a"));
    EXPECT_THAT(error.what(), testing::HasSubstr("e_F = 0.1 between 'a' and 'b'"));
  }
}

TEST(Collider, bodies_do_not_sleep_between_located_events) {
  try {
    simulate(model_of(found), {.scheme = "event-driven", .options = {{"sleeping", "1e-3", {}}}});
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("sleeping"));
    EXPECT_THAT(error.what(), testing::HasSubstr("event-driven"));
  }
}

// Inserts each text into its model and expects that it is refused with the place `at` and the words beside it.
void expect_refused(const std::function<std::string(const std::string&)>& with, const std::string& at,
                    const std::vector<std::pair<const char*, const char*>>& cases) {
  for (const auto& [text, expected] : cases) {
    std::string message = "nothing was refused";
    try {
      System system(parse_model(with(text), "m.yaml"));
    } catch (const ModelError& error) {
      message = error.what();
    }
    EXPECT_NE(message.find(at), std::string::npos) << message;
    EXPECT_NE(message.find(expected), std::string::npos) << message;
  }
}

TEST(Collider, wrong_input_is_refused_with_its_place) {
  const auto with = [](const std::string& colliders) {
    return "bodies:\n  a: {type: rigid, mass: 1, inertia: [1, 1, 1]}\n  g: {type: rigid, mass: 1, inertia: [1, 1, 1], "
           "position: [5, 0, 0], grid: {count: [2, 1, 1], spacing: 3}}\ncolliders:\n  c: " +
           colliders + "\n";
  };
  expect_refused(with, "m.yaml:5",
                 {
                     {"{type: ball, body: a, radius: 1}", "unknown type 'ball'"},
                     {"{type: sphere, body: a}", "radius"},
                     {"{type: sphere, body: nobody, radius: 1}", "unknown body 'nobody'"},
                     {"{type: sphere, body: a, radius: -1}", "a positive number"},
                     {"{type: sphere, body: a, radius: 1, mu: [0.1, 0.2]}", "one coefficient"},
                     {"{type: sphere, body: a, radius: 1, friction: contensou, patch_radius: 1}", "drilling"},
                     {"{type: sphere, body: a, radius: 1, size: [1, 1, 1]}", "size"},
                     {"{type: sphere, body: g, radius: 2}", "overlap by 1 m"},
                 });
}

TEST(Generator, wrong_input_is_refused_with_its_place) {
  const auto with = [](const std::string& generator) {
    return "bodies:\n  a: {type: rigid, mass: 1, inertia: [1, 1, 1], " + generator + "}\n";
  };
  expect_refused(
      with, "m.yaml:2",
      {
          {"grid: {count: [2, 2], spacing: 1}", "three whole numbers"},
          {"grid: {count: [2, 2, 0], spacing: 1}", "at least 1"},
          {"grid: {count: [2, 2, 2]}", "spacing"},
          {"grid: {count: [2, 2, 2], spacing: 1, gap: 3}", "grid.gap: unknown key"},
          {"grid: {count: [1, 1, 1], spacing: 1}, random: {count: 1, box: [[0, 0, 0], [1, 1, 1]]}", "one of them"},
          {"random: {count: 100, distance: 1, box: [[0, 0, 0], [1, 1, 1]]}", "no place was left"},
          {"random: {count: 1, box: [[0, 0, 2], [1, 1, 1]]}", "lower, then upper"},
          {"coordinates: [x, y, z, a, b, c, d], pyramid: {count: 2, spacing: 1}", "many"},
      });
}

TEST(Generator, places_bodies_as_the_manual_says) {
  const auto positions = [](const std::string& generator) {
    const Model model =
        parse_model("bodies:\n  a: {type: point, mass: 1, position: [1, 2, 3], " + generator + "}\n", "m");
    std::vector<Vec3d> all;
    for (const BodyEntry& body : model.bodies) all.push_back(std::get<PointBody>(body.element).position);
    return all;
  };
  const auto grid = positions("grid: {count: [2, 1, 3], spacing: [1, 10, 100]}");
  ASSERT_EQ(grid.size(), 6u);
  EXPECT_EQ(grid[0], (Vec3d{1, 2, 3}));
  EXPECT_EQ(grid[5], (Vec3d{2, 2, 203}));
  const auto pyramid = positions("pyramid: {count: 3, spacing: [2, 0, 1]}");
  ASSERT_EQ(pyramid.size(), 6u);
  EXPECT_EQ(pyramid[3], (Vec3d{2, 2, 4}));
  EXPECT_EQ(pyramid[5], (Vec3d{3, 2, 5}));
  const auto random = positions("random: {count: 50, box: [[0, 0, 0], [5, 5, 5]], distance: 0.5, seed: 7}");
  ASSERT_EQ(random.size(), 50u);
  for (size_t i = 0; i < random.size(); ++i)
    for (size_t j = 0; j < i; ++j) EXPECT_GE(norm(random[i] - random[j]), 0.5);
  EXPECT_EQ(random, positions("random: {count: 50, box: [[0, 0, 0], [5, 5, 5]], distance: 0.5, seed: 7}"));
  EXPECT_NE(random, positions("random: {count: 50, box: [[0, 0, 0], [5, 5, 5]], distance: 0.5, seed: 8}"));
}

}  // namespace
}  // namespace tappet
