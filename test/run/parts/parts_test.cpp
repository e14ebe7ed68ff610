// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// The examples of models/parts, whose contacts are found between profiles, against closed forms.
#include <numbers>

#include "collision/profile/profile.h"
#include "run/make_stepper.h"
#include "run/simulate.h"
#include "steppers/cases.h"
#include "steppers/support.h"
#include "support/allocations.h"

namespace tappet {
namespace {

using std::numbers::pi;

Model part(const std::string& name, const Overrides& set = {}) { return test::shipped("parts/" + name, set); }

int index_of(const System& system, const std::string& name) {
  const auto& names = system.q_names();
  return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
}

// A wheel of twelve teeth is driven over some teeth, then its torque is reversed, and it falls back onto the pawl.
TEST(ratchet, rests_on_two_contacts_without_creep_or_penetration) {
  const System system(part("ratchet"));
  const Result result = simulate(system, {});
  ASSERT_TRUE(result.done()) << result.summary.message;
  const int theta = index_of(system, "wheel.phi"), psi = index_of(system, "pawl.phi");
  double farthest = 0.0;
  for (const Vec& q : result.q) farthest = std::max(farthest, q[theta]);
  EXPECT_GT(farthest, 0.2 + 2.0 * pi / 12.0);  // over at least one tooth
  // at rest from 0.8 s on
  size_t from = 0;
  while (result.t[from] < 0.8) ++from;
  double creep = 0.0;
  for (size_t k = from; k < result.t.size(); ++k)
    for (const int i : {theta, psi}) creep = std::max(creep, std::abs(result.q[k][i] - result.q[from][i]));
  EXPECT_LE(creep, 1e-12);
  ContactList contacts(system);
  State rest = result.state;
  rest.u.set_zero();
  contacts.search(rest, 1e-6);
  ASSERT_EQ(contacts.found(), 2);
  double deepest = 0.0;
  for (const TouchPoint& touch : contacts.touches()) {
    EXPECT_LT(std::abs(touch.gap), 1e-9);
    deepest = std::max(deepest, -touch.gap);
  }
  EXPECT_LE(deepest, 1e-10);
}

TEST(ratchet, never_penetrates_by_more_than_a_tenth_of_a_nanometre) {
  const Result result = simulate(part("ratchet"), {});
  ASSERT_TRUE(result.done()) << result.summary.message;
  EXPECT_LE(result.summary.violation.max, 1e-10);
}

// The pawl slides on a tooth from 0.05 s on and strikes the next root after 0.069 s. The reference is event-driven.
TEST(ratchet, schemes_are_of_second_order_between_impacts) {
  const Model model = part("ratchet");
  const RunOptions events{.scheme = "event-driven", .dt = 1e-3, .options = {{"accumulate", "close"}}};
  RunOptions to_start = events, from_start = events;
  to_start.end = 0.05, from_start.end = 0.064;
  const Result before = simulate(model, to_start);
  ASSERT_TRUE(before.done()) << before.summary.message;
  const auto numbers = [](const Vec& x) { return std::vector<double>(x.begin(), x.end()); };
  from_start.start = StartState{.t = before.state.t, .q = numbers(before.state.q), .u = numbers(before.state.u)};
  const Result exact = simulate(model, from_start);
  EXPECT_EQ(exact.summary.impulsive_steps, 0);
  for (const std::string scheme : {"generalized-alpha", "half-explicit-velocity", "lcp-trapezoidal", "ggl-unified"}) {
    const std::vector<double> steps{5e-4, 2.5e-4, 1.25e-4};
    std::vector<double> errors;
    for (const double dt : steps) {
      RunOptions options = from_start;
      options.scheme = scheme, options.dt = dt, options.options = {};
      const Result result = simulate(model, options);
      ASSERT_TRUE(result.done()) << scheme << result.summary.message;
      EXPECT_EQ(result.summary.unconverged_steps, 0) << scheme;
      const int wheel = 2;
      errors.push_back(std::abs(result.state.q[wheel] - exact.state.q[wheel]));
    }
    EXPECT_GE(test::order(steps, errors), 1.9) << scheme << " " << errors[0] << " " << errors[1] << " " << errors[2];
  }
}

TEST(ratchet, has_the_same_bits_on_one_two_and_three_threads) {
  const Model model = part("ratchet");
  const Result one = simulate(model, {.end = 0.3, .threads = 1});
  for (const int threads : {2, 3}) {
    const Result other = simulate(model, {.end = 0.3, .threads = threads});
    for (size_t k = 0; k < one.q.size(); ++k)
      for (int i = 0; i < one.q[k].size(); ++i) ASSERT_EQ(one.q[k][i], other.q[k][i]);
  }
}

TEST(ratchet, steps_allocate_nothing_once_as_many_contacts_were_seen) {
  const System system(part("ratchet"));
  ContactList contacts(system);
  const auto stepper = make_stepper("combined-projection", contacts, {});
  State state = system.initial();
  const auto run = [&](int steps) {
    for (int i = 0; i < steps; ++i) contacts.find(state, 1e-4), stepper->step(state, 1e-4);
  };
  run(2500);
  const long before = test::allocations();
  run(2500);
  EXPECT_EQ(test::allocations() - before, 0);
}

// While parts slide on each other, contacts change their pieces, and each list says which contact of the list before it
// was. Contacts are lost if a touching one has another id than before and no predecessor.
struct Changes {
  int slid = 0, lost = 0;
};
Changes changes_of(const std::string& name, int steps) {
  const System system(part(name));
  ContactList contacts(system);
  const auto stepper = make_stepper("combined-projection", contacts, {});
  State state = system.initial();
  Changes changes;
  std::vector<TouchPoint> before;
  for (int i = 0; i < steps; ++i) {
    contacts.find(state, 1e-4);
    for (int k = 0; k < contacts.found(); ++k) {
      const TouchPoint& touch = contacts.touches()[k];
      const bool same = std::any_of(before.begin(), before.end(), [&](const auto& t) { return t.id == touch.id; });
      if (same || std::abs(touch.gap) > 1e-8 || before.empty()) continue;
      ++(contacts[contacts.named() + k].before >= 0 ? changes.slid : changes.lost);
    }
    before.assign(contacts.touches().begin(), contacts.touches().end());
    stepper->step(state, 1e-4);
  }
  return changes;
}

TEST(ProfileContacts, keep_their_identity_if_they_slide_to_another_piece) {
  const Changes ratchet = changes_of("ratchet", 5000), latch = changes_of("latch", 5000);
  EXPECT_GE(ratchet.slid, 2);
  EXPECT_EQ(ratchet.lost, 0);
  EXPECT_GE(latch.slid, 2);
  EXPECT_LE(latch.lost, 1);  // where faces come to lie on each other, one contact becomes two
}

// The wheel of n slots turns by 2π/n per turn of the driver and stands still for 1/2 + 1/n of it.
TEST(geneva_drive, has_the_ratio_the_dwell_and_the_motion_of_the_theory) {
  const System system(part("geneva_drive"));
  const Result result = simulate(system, {});
  ASSERT_TRUE(result.done()) << result.summary.message;
  const int wheel = index_of(system, "wheel.phi"), driver = index_of(system, "driver.phi");
  const double play = 0.05e-3, C = 30e-3 * std::sqrt(2.0), a = 30e-3;
  const double locked = 2.5 * play / 15e-3;  // how far the wheel can turn within its play while it is held [rad]
  EXPECT_NEAR(result.q.back()[wheel], -2.0 * pi, locked);
  EXPECT_NEAR(result.q.back()[driver], 8.0 * pi, 1e-9);
  int still = 0, compared = 0;
  for (size_t k = 0; k < result.t.size(); ++k) {
    const double theta = result.q[k][driver], phi = result.q[k][wheel];
    // The pin is on the line of the centres at theta = pi. Counted from there:
    const double turn = std::remainder(theta - pi, 2.0 * pi), turns = std::round((theta - pi) / (2.0 * pi));
    const double middle = -(0.25 + 0.5 * turns) * pi;
    if (std::abs(turn) < pi / 4) {
      const double expected = middle - std::atan2(a * std::sin(turn), C - a * std::cos(turn));
      EXPECT_NEAR(phi, expected, 1.5 * play / (C - a) + 1e-3) << result.t[k];
      ++compared;
    }
    const double nearest = 0.5 * pi * std::round(phi / (0.5 * pi));
    still += std::abs(phi - nearest) < locked;
  }
  EXPECT_GT(compared, 400);
  // The wheel begins to move with the angular acceleration tan(π/4) per squared angle of the driver. So it stays within
  // `locked` for an angle of √(2 locked) longer, on both sides.
  EXPECT_NEAR(still / static_cast<double>(result.t.size()), 0.75 + std::sqrt(2.0 * locked) / pi, 0.01);
}

// Whether the tappet ever leaves the cam, and by how much.
double largest_gap(const std::string& name, double omega, double lift) {
  const System system(part(name, {{"omega", std::to_string(omega)}}));
  const Result result = simulate(system, {.end = 2.2 * pi / omega, .record_every = 1});
  EXPECT_TRUE(result.done()) << result.summary.message;
  const int y = index_of(system, "tappet.y");
  const double R = 0.03, E = 0.02, r = lift;
  double largest = 0.0;
  for (size_t k = 0; k < result.t.size(); ++k) {
    const double angle = omega * result.t[k];
    const double follows = r == 0.0
                               ? R + E * std::cos(angle)
                               : E * std::cos(angle) + std::sqrt(std::pow(R + r, 2) - std::pow(E * std::sin(angle), 2));
    largest = std::max(largest, result.q[k][y] - follows);
  }
  return largest;
}

TEST(cam_flat_tappet, leaves_the_cam_above_the_speed_of_the_theory) {
  EXPECT_LT(largest_gap("cam_flat_tappet", 0.999 * 265.5005, 0.0), 1e-9);
  EXPECT_GT(largest_gap("cam_flat_tappet", 1.001 * 265.5005, 0.0), 1e-8);
}

TEST(cam_roller_tappet, leaves_the_cam_above_the_speed_of_the_theory) {
  EXPECT_LT(largest_gap("cam_roller_tappet", 0.999 * 224.3889, 0.02), 1e-9);
  EXPECT_GT(largest_gap("cam_roller_tappet", 1.001 * 224.3889, 0.02), 1e-8);
}

// One tooth for each swing to and fro. The amplitude follows from the energy of the pushes and of the damping, and the
// period from the amplitude and from where the pushes lie (the head of the model file).
TEST(escapement, lets_one_tooth_pass_per_period_of_the_pendulum) {
  const Model model = part("escapement");
  const System system(model);
  const Result result = simulate(model);
  ASSERT_TRUE(result.done()) << result.summary.message;
  EXPECT_EQ(result.summary.unconverged_steps, 0);
  EXPECT_LE(result.summary.violation.max, 1e-12);
  const int swing = index_of(system, "pendulum.phi"), wheel = index_of(system, "wheel.phi");
  std::vector<double> times, turns;  // when the pendulum passes the middle to the right, and the wheel then
  double amplitude = 0.0;
  for (size_t k = 1; k < result.t.size(); ++k) {
    const double from = result.q[k - 1][swing], to = result.q[k][swing];
    if (result.t[k] > 16.0) amplitude = std::max(amplitude, to);
    if (from >= 0.0 || to < 0.0) continue;
    const double share = -from / (to - from);
    times.push_back(result.t[k - 1] + share * (result.t[k] - result.t[k - 1]));
    turns.push_back(result.q[k - 1][wheel] + share * (result.q[k][wheel] - result.q[k - 1][wheel]));
  }
  ASSERT_EQ(times.size(), 10u);
  const double swings = static_cast<double>(times.size() - 1), pitch = 2.0 * pi / 30.0;
  EXPECT_NEAR((turns.front() - turns.back()) / (swings * pitch), 1.0, 1e-3);
  const double J = 0.25, c = 1e-2, M = 5e-3, w = 0.4 * pitch, lock = 0.6 * pi / 180.0, omega = pi;
  const double A = std::sqrt(2.0 * M * w / (pi * c * omega));
  EXPECT_NEAR(amplitude, A, 0.01 * A);
  const double longer = M * w * lock / (2.0 * pi * J * omega * omega * A * A * A);
  EXPECT_NEAR((times.back() - times.front()) / swings, 2.0 * (1.0 + A * A / 16.0 + longer), 2e-4);
}

// Places of its side and its ends touch in turn, and from one step to the next they change.
TEST(Terrain, a_capsule_tumbles_over_hills_without_penetration) {
  const Model model = parse_model(R"(
geometry:
  hills: {type: terrain, height: 0.05*sin(5*x)*cos(4*y), size: [4, 4], spacing: 0.05}
bodies:
  b: {type: rigid, mass: 1, inertia: [5e-3, 5e-3, 1e-3], position: [0.1, 0.02, 0.25],
      rotation: {axis: [0.2, 1, 0.1], angle: 80*deg}, velocity: [0.6, 0.3, 0]}
colliders:
  b: {type: capsule, body: b, length: 0.4, radius: 0.04, mu: 0.3}
  hills: {type: terrain, geometry: hills, body: ground, mu: 0.3}
forces: {gravity: {type: gravity, acceleration: [0, 0, -9.81]}}
run: {scheme: combined-projection, dt: 1e-3, end: 1.5}
)",
                                  "capsule.yaml");
  for (const std::string scheme : {"combined-projection", "generalized-alpha"}) {
    const Result result = simulate(model, {.scheme = scheme});
    ASSERT_TRUE(result.done()) << result.summary.message;
    EXPECT_EQ(result.summary.unconverged_steps, 0) << scheme;
    EXPECT_LE(result.summary.violation.max, 1e-10) << scheme;
    EXPECT_GE(result.summary.max_closed, 2) << scheme;
  }
}

// A ball comes to rest on the rim of a hole, or in a ring. Its centre is then at the height that the radii give.
TEST(Seats, carry_a_ball_all_around) {
  const double hole = 0.03, rim = 1e-3, radius = 0.05, ring = 0.04, tube = 0.02;
  struct Seat {
    std::string collider;
    double height;
  };
  for (const Seat& seat :
       {Seat{"{type: profile, geometry: washer, body: ground, thickness: [-0.02, 0], rim: 1e-3, mu: 0.2}",
             std::sqrt(std::pow(radius + rim, 2) - std::pow(hole + rim, 2)) - rim},
        Seat{"{type: wheel, body: ground, radius: 0.06, tube: 0.02, axis: [0, 0, 1], mu: 0.2}",
             std::sqrt(std::pow(radius + tube, 2) - ring * ring)}}) {
    const Result result = simulate(parse_model(R"(
geometry:
  washer: {type: profile, outline: {center: [0, 0], radius: 0.1}, holes: [{radius: 0.03}]}
bodies:
  b: {type: rigid, mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [0.003, 0.002, 0.06]}
colliders:
  b: {type: sphere, body: b, radius: 0.05, mu: 0.2}
  seat: )" + seat.collider + R"(
forces: {gravity: {type: gravity, acceleration: [0, 0, -9.81]}}
run: {scheme: combined-projection, dt: 5e-4, end: 1}
)",
                                               "seat.yaml"));
    ASSERT_TRUE(result.done()) << result.summary.message;
    EXPECT_EQ(result.summary.unconverged_steps, 0);
    EXPECT_LE(result.summary.violation.max, 1e-7) << "while it rolls to and fro";
    EXPECT_NEAR(result.state.q[2], seat.height, 1e-9);
    EXPECT_GE(result.summary.max_closed, 3);
  }
}

TEST(latch, resists_on_its_ramp_as_a_wedge_and_holds_the_plate) {
  const System system(part("latch"));
  const Result result = simulate(system, {});
  ASSERT_TRUE(result.done()) << result.summary.message;
  const int x = index_of(system, "plate.x"), y = index_of(system, "bolt.y");
  int compared = 0;
  for (size_t k = 0; k < result.t.size(); ++k) {
    const double lift = result.q[k][y];
    if (result.t[k] > 0.5 || lift < 1.5e-3 || lift > 5.0e-3) continue;
    const double force = 2000.0 * (0.05 - result.u[k][x]);
    EXPECT_NEAR(force, (10.0 + 1000.0 * lift + 0.05 * 9.81) * std::tan(pi / 6.0), 5e-3) << result.t[k];
    ++compared;
  }
  EXPECT_GT(compared, 50);
  // It is pulled back from 0.9 s on, until the nose rests on the bolt.
  size_t from = 0;
  while (result.t[from] < 1.1) ++from;
  EXPECT_NEAR(result.q[from][y], 0.2e-3, 1e-10);
  EXPECT_NEAR(result.q[from][x], 4e-3 - (4e-3 - 6e-3 / std::tan(pi / 6.0)), 1e-9);  // face on face
  for (size_t k = from; k < result.t.size(); ++k) EXPECT_NEAR(result.q[k][x], result.q[from][x], 1e-12);
}

}  // namespace
}  // namespace tappet
