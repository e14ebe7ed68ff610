// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "collision/scenes.h"
#include "support/allocations.h"

namespace tappet {
namespace {

using namespace test;

// Every pair, without a broad phase.
std::vector<TouchPoint> brute_force(const std::vector<Collider>& colliders, const std::vector<Pose<double>>& bodies,
                                    double margin) {
  std::vector<Placed> placed;
  for (const Collider& c : colliders) {
    placed.push_back(place(c, c.body < 0 ? Pose<double>{} : bodies[c.body], static_cast<int>(placed.size())));
  }
  std::vector<TouchPoint> out;
  for (size_t i = 0; i < placed.size(); ++i)
    for (size_t j = i + 1; j < placed.size(); ++j)
      if (placed[i].body != placed[j].body) touch(placed[i], placed[j], margin, out);
  return out;
}

void expect_same(const std::vector<TouchPoint>& found, const std::vector<TouchPoint>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t k = 0; k < found.size(); ++k) {
    ASSERT_EQ(found[k].id, expected[k].id);
    ASSERT_EQ(found[k].gap, expected[k].gap);
    ASSERT_EQ(found[k].point_A, expected[k].point_A);
  }
}

struct Scene {
  std::vector<Collider> colliders;
  std::vector<Pose<double>> bodies;
};
Scene random_scene(Random& random, int count, double half, double r_low, double r_high) {
  Scene scene{container({}, {2 * half, 2 * half, 2 * half}, true), {}};
  for (int i = 0; i < count; ++i) {
    const double r = r_low * std::pow(r_high / r_low, uniform(random, 0.0, 1.0));
    const int kind = static_cast<int>(uniform(random, 0.0, 3.0));
    const Shape shape = kind == 0   ? Shape::sphere(r)
                        : kind == 1 ? Shape::box({r, 1.5 * r, 2.0 * r})
                                    : Shape::capsule(2.0 * r, 0.5 * r);
    scene.colliders.push_back({shape, {}, i});
    scene.bodies.push_back(random_pose(random, half));
  }
  return scene;
}

TEST(BroadPhase, finds_what_brute_force_finds_over_random_moving_scenes) {
  Random random(7);
  long touches = 0;
  for (int trial = 0; trial < 12; ++trial) {
    const double ratio = trial % 3 == 0 ? 1.0 : trial % 3 == 1 ? 8.0 : 200.0;
    Scene scene = random_scene(random, 300, trial < 6 ? 1.0 : 30.0, 0.05, 0.05 * ratio);
    CollisionWorld world(scene.colliders);
    std::vector<TouchPoint> found;
    for (int step = 0; step < 8; ++step) {
      world.find(scene.bodies, 0.02, found);
      expect_same(found, brute_force(scene.colliders, scene.bodies, 0.02));
      touches += static_cast<long>(found.size());
      for (Pose<double>& body : scene.bodies)
        body = displaced(body, {in_cube(random, step < 5 ? 2e-3 : 0.5), in_cube(random, 0.01)});
    }
  }
  EXPECT_GT(touches, 10000);
}

TEST(BroadPhase, keeps_its_pairs_while_bodies_hardly_move) {
  Random random(3);
  Scene scene = random_scene(random, 500, 1.0, 0.05, 0.1);
  CollisionWorld world(scene.colliders);
  std::vector<TouchPoint> found;
  for (int step = 0; step < 20; ++step) {
    world.find(scene.bodies, 1e-3, found);
    for (Pose<double>& body : scene.bodies) body = displaced(body, {in_cube(random, 1e-5), {}});
  }
  EXPECT_EQ(world.searches(), 1);
}

TEST(BroadPhase, sees_a_body_that_jumps_and_a_plane_that_moves) {
  CollisionWorld world({plane_collider({}, {0, 0, 1}, 0), {Shape::sphere(0.1), {}, 1}});
  std::vector<Pose<double>> bodies(2);
  bodies[1].p = {0, 0, 5};
  std::vector<TouchPoint> found;
  world.find(bodies, 0.01, found);
  EXPECT_TRUE(found.empty());
  bodies[1].p.z = 0.1;
  world.find(bodies, 0.01, found);
  ASSERT_EQ(found.size(), 1u);
  bodies[0].p.z = -1.0;
  world.find(bodies, 0.01, found);
  EXPECT_TRUE(found.empty());
  bodies[0].p.z = 0.005;
  world.find(bodies, 0.01, found);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].gap, -0.005, 1e-15);
}

TEST(BroadPhase, margins_of_a_pair_add_up) {
  CollisionWorld world({{Shape::sphere(0.1), {}, 0}, {Shape::sphere(0.1), {}, 1}});
  std::vector<Pose<double>> bodies(2);
  bodies[1].p.x = 0.25;
  std::vector<TouchPoint> found;
  world.find(bodies, std::vector<double>{0.04, 0.005}, found);
  EXPECT_TRUE(found.empty());
  world.find(bodies, std::vector<double>{0.04, 0.011}, found);
  EXPECT_EQ(found.size(), 1u);
}

TEST(BroadPhase, leaves_out_pairs_of_one_body_of_the_ground_and_those_excluded) {
  const Shape ball = Shape::sphere(1.0);
  const std::vector<Collider> colliders = {{ball, {}, 0}, {ball, {}, 0}, {ball, {}, 1}, {ball, {}, -1}, {ball, {}, -1}};
  std::vector<Pose<double>> bodies(2);
  std::vector<TouchPoint> found;
  CollisionWorld(colliders).find(bodies, 0.0, found);
  EXPECT_EQ(found.size(), 2u + 4u + 2u);  // 0–1, 0–ground, 1–ground
  CollisionWorld(colliders, {{1, 0}, {0, -1}}).find(bodies, 0.0, found);
  EXPECT_EQ(found.size(), 2u);
  for (const TouchPoint& touch : found) EXPECT_EQ(touch.body_A + touch.body_B, 0);
}

TEST(BroadPhase, a_body_that_left_the_numbers_disturbs_no_other) {
  CollisionWorld world({{Shape::sphere(1.0), {}, 0}, {Shape::sphere(1.0), {}, 1}, {Shape::sphere(1.0), {}, 2}});
  std::vector<Pose<double>> bodies(3);
  bodies[1].p.x = 1.5;
  bodies[2].p.x = std::nan("");
  std::vector<TouchPoint> found;
  world.find(bodies, 0.0, found);
  EXPECT_EQ(found.size(), 1u);
}

TEST(BroadPhase, allocates_nothing_once_warm) {
  Random random(5);
  Scene scene = random_scene(random, 400, 1.0, 0.05, 0.4);
  const std::vector<Pose<double>> at_first = scene.bodies;
  CollisionWorld world(scene.colliders);
  std::vector<TouchPoint> found;
  const auto run = [&] {
    Random again(11);
    scene.bodies = at_first;
    for (int step = 0; step < 10; ++step) {
      world.find(scene.bodies, 0.01, found);
      for (Pose<double>& body : scene.bodies) body = displaced(body, {in_cube(again, 0.01), in_cube(again, 0.05)});
    }
  };
  run();
  const long before = allocations();
  run();
  EXPECT_EQ(allocations(), before);
}

}  // namespace
}  // namespace tappet
