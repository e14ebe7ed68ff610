// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Random convex solids that fall into a box. Other vertices, edges and faces touch at the end of a step than at its
// start, and the shapes must not penetrate there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "run/make_stepper.h"
#include "run/simulate.h"
#include "support/allocations.h"
#include "support/hull_distance.h"
#include "system/evaluator.h"

namespace tappet {
namespace {

std::string rocks(int count, int first_seed) {
  std::mt19937 random(first_seed);
  std::normal_distribution<double> normal;
  std::string geometry, bodies, colliders;
  for (int k = 0; k < count; ++k) {
    const int n = 20 + static_cast<int>(random() % 21);
    std::string vertices;
    for (int i = 0; i < n; ++i) {
      Vec3d x{normal(random), normal(random), normal(random)};
      x = normalized(x);
      vertices += fmt::format("{}[{:.6f}, {:.6f}, {:.6f}]", i ? ", " : "", 0.05 * x.x, 0.04 * x.y, 0.03 * x.z);
    }
    geometry += fmt::format("  g{}: {{type: convex, vertices: [{}]}}\n", k, vertices);
    const int side = 5;
    bodies += fmt::format("  r{}: {{type: rigid, geometry: g{}, density: 2500, position: [{}, {}, {}]}}\n", k, k,
                          0.11 * (k % side - 2), 0.11 * (k / side % side - 2), 0.07 + 0.11 * (k / side / side));
    colliders += fmt::format("  r{}: {{type: convex, geometry: g{}, body: r{}, mu: 0.4}}\n", k, k, k);
  }
  return "geometry:\n" + geometry + "bodies:\n" + bodies + "colliders:\n" + colliders +
         "  box: {type: container, body: ground, size: [0.56, 0.56, 4], center: [0, 0, 2], mu: 0.4}\n"
         "forces: {gravity: {type: gravity, acceleration: [0, 0, -9.81]}}\n"
         "run: {scheme: lcp-euler, stabilisation: 1, linearisations: 20, gap_tolerance: 4e-6, dt: 1e-3, end: 0.5,\n"
         "      solver: coloured-gauss-seidel, tolerance: 1e-4}\n";
}

// How deep the shapes of a system penetrate each other at given positions, by brute force.
class TrueDepth {
 public:
  explicit TrueDepth(const System& system) : system_(system), world_(system.collision_world()) {
    for (const Placed& placed : world_.colliders()) placed_.push_back(placed);
  }
  double at(const Vec& q) {
    for (Placed& c : placed_)
      if (c.body >= 0) {
        const Pose<double> body = system_.pose_of(system_.frames()[system_.bodies()[c.body].frame], q.data());
        c.world = {body.point(c.local.p), body.R * c.local.R};
      }
    double depth = 0.0;
    for (size_t i = 0; i < placed_.size(); ++i)
      for (size_t j = 0; j < i; ++j) depth = std::max(depth, between(placed_[j], placed_[i]));
    return depth;
  }

 private:
  static double between(const Placed& A, const Placed& B) {
    if (A.body == B.body) return 0.0;
    if (A.shape.kind == Shape::Kind::half_space) return below(B, A);
    if (B.shape.kind == Shape::Kind::half_space) return below(A, B);
    if (separated(A, B, A.center() - B.center())) return 0.0;
    return test::cores_overlap(A, B) ? 1.0 : -test::by_brute_force(A, B);
  }
  // Whether a plane across d separates the two.
  static bool separated(const Placed& A, const Placed& B, const Vec3d& d) {
    double low = 1e300, high = -1e300;
    for (const Vec3d& v : A.shape.core->vertices) low = std::min(low, dot(d, A.world.point(v)));
    for (const Vec3d& v : B.shape.core->vertices) high = std::max(high, dot(d, B.world.point(v)));
    return low - high > norm(d) * (A.shape.core->radius + B.shape.core->radius);
  }
  static double below(const Placed& hull, const Placed& plane) {
    double depth = 0.0;
    for (const Vec3d& v : hull.shape.core->vertices)
      depth = std::max(depth, hull.shape.core->radius - dot(plane.world.R.z, hull.world.point(v) - plane.world.p));
    return depth;
  }

  const System& system_;
  CollisionWorld world_;
  std::vector<Placed> placed_;
};

// Rocks of 6 to 10 cm hit each other with up to 4 m/s.
TEST(Rocks, two_hundred_fall_into_a_box_and_penetrate_by_less_than_5_micrometres) {
  const Model model = parse_model(rocks(200, 1), "rocks.yaml");
  const Result result = simulate(model);
  ASSERT_TRUE(result.done()) << result.summary.message;
  EXPECT_EQ(result.summary.unconverged_steps, 0);
  EXPECT_GT(result.summary.max_closed, 1000);
  EXPECT_LE(result.summary.violation.max, 5e-6);
  const System system(model);
  TrueDepth depth(system);
  for (size_t k = 0; k < result.q.size(); k += 25) ASSERT_LE(depth.at(result.q[k]), 5e-6) << result.t[k];
}

// A cube that spins falls onto another one. A single linearisation with the features of the start lets its corners and
// edges in. combined-projection and generalized-alpha look for contacts at the end of each step.
TEST(Rocks, a_spinning_cube_does_not_enter_another_one) {
  const auto deepest = [](const std::string& scheme) {
    const System system(parse_model(fmt::format(R"yaml(
geometry: {{cube: {{type: convex, vertices: [[-0.05, -0.05, -0.05], [0.05, -0.05, -0.05], [-0.05, 0.05, -0.05],
    [0.05, 0.05, -0.05], [-0.05, -0.05, 0.05], [0.05, -0.05, 0.05], [-0.05, 0.05, 0.05], [0.05, 0.05, 0.05]]}}}}
bodies:
  lower: {{type: rigid, geometry: cube, density: 2500, position: [0, 0, 0.05]}}
  upper: {{type: rigid, geometry: cube, density: 2500, position: [0.03, 0.02, 0.2],
           rotation: {{axis: [0.4, 0.9, 0.2], angle: 1}}, velocity: [0, 0, -2], spin: [40, -25, 30]}}
colliders:
  lower: {{type: convex, geometry: cube, body: lower, mu: 0.4}}
  upper: {{type: convex, geometry: cube, body: upper, mu: 0.4}}
  floor: {{type: plane, body: ground, normal: [0, 0, 1], mu: 0.4}}
forces: {{gravity: {{type: gravity, acceleration: [0, 0, -9.81]}}}}
run: {{scheme: {}, dt: 1e-3, end: 0.2}}
)yaml",
                                                scheme),
                                    "cubes.yaml"));
    const Result result = simulate(system);
    EXPECT_EQ(result.summary.unconverged_steps, 0);
    TrueDepth depth(system);
    double worst = 0.0;
    for (const Vec& q : result.q) worst = std::max(worst, depth.at(q));
    return worst;
  };
  const std::string euler = "lcp-euler, stabilisation: 1, gap_tolerance: 1e-9, linearisations: ";
  EXPECT_GT(deepest(euler + "1"), 2e-5);
  EXPECT_LE(deepest(euler + "20"), 1e-9 + 1e-14);
  EXPECT_LE(deepest("combined-projection"), 1e-12 + 1e-14);
  EXPECT_LE(deepest("generalized-alpha"), 1e-12 + 1e-14);
}

TEST(Rocks, have_the_same_bits_on_one_two_and_three_threads) {
  Model model = parse_model(rocks(40, 2), "rocks.yaml");
  model.run.end = 0.25;
  const Result one = simulate(model), two = simulate(model, {.threads = 2}), three = simulate(model, {.threads = 3});
  ASSERT_TRUE(one.done() && two.done() && three.done());
  ASSERT_GT(one.summary.max_closed, 20);
  EXPECT_EQ(one.state.q, two.state.q);
  EXPECT_EQ(one.state.q, three.state.q);
}

TEST(Rocks, a_step_allocates_nothing) {
  const System system(parse_model(rocks(20, 3), "rocks.yaml"));
  ContactList contacts(system);
  const auto stepper = make_stepper(
      "lcp-euler", contacts, {{"stabilisation", "1", {}}, {"linearisations", "20", {}}, {"tolerance", "1e-4", {}}});
  State state = system.initial();
  const auto go = [&](int steps) {
    for (int k = 0; k < steps; ++k) contacts.find(state, 1e-3), stepper->step(state, 1e-3);
  };
  go(800);
  const long before = test::allocations();
  go(200);
  EXPECT_EQ(test::allocations() - before, 0);
}

TEST(Rocks, more_linearisations_need_the_whole_stabilisation) {
  const System system(parse_model(rocks(2, 3), "rocks.yaml"));
  ContactList contacts(system);
  try {
    make_stepper("lcp-euler", contacts, {{"linearisations", "5", {}}});
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("linearisations: 5 with stabilisation 0; expected stabilisation 1"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace tappet
