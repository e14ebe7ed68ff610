// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "collision/terrain/terrain.h"

#include <gtest/gtest.h>

#include "collision/scenes.h"

namespace tappet {
namespace {

using namespace test;

Collider terrain_of(double (*height)(double, double), int n = 81, double spacing = 0.1) {
  std::vector<double> heights;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) heights.push_back(height((i - 0.5 * (n - 1)) * spacing, (j - 0.5 * (n - 1)) * spacing));
  const double start = -0.5 * (n - 1) * spacing;
  return {Shape::of(std::make_shared<const Terrain>(HeightField(n, n, {start, start}, {spacing, spacing}, heights))),
          {},
          -1};
}
double slope(double x, double y) { return 0.3 * x - 0.2 * y + 0.1; }
double bowl(double x, double y) { return 0.05 * (x * x + y * y); }
double hills(double x, double y) { return 0.2 * std::sin(1.3 * x) * std::cos(0.9 * y); }

std::vector<TouchPoint> on_terrain(const Collider& body, const Pose<double>& at, const Collider& ground,
                                   double margin) {
  std::vector<TouchPoint> out;
  touch(place(body, at, 0), place(ground, {}, 1), margin, out);
  return out;
}
double lowest(const std::vector<TouchPoint>& touches) {
  double gap = 1e300;
  for (const TouchPoint& touch : touches) gap = std::min(gap, touch.gap);
  return gap;
}
const Vec3d plane_normal = normalized(Vec3d{-0.3, 0.2, 1.0});

TEST(Terrain, a_sloping_plane_gives_what_a_plane_gives) {
  const Collider ground = terrain_of(slope), plane = plane_collider({0, 0, 0.1}, plane_normal);
  Random random(1);
  const Shape shapes[] = {Shape::sphere(0.2), Shape::capsule(0.4, 0.1), Shape::box({0.3, 0.4, 0.5}),
                          Shape::wheel(0.3, 0.05)};
  for (int trial = 0; trial < 2000; ++trial) {
    const Collider body{shapes[trial % 4], random_pose(random, 0.1), 0};
    Pose<double> at = random_pose(random, 1.0);
    at.p.z = slope(at.p.x, at.p.y) + uniform(random, 0.1, 0.5);
    std::vector<TouchPoint> expected;
    touch(place(body, at, 0), place(plane, {}, 1), 0.3, expected);
    const auto found = on_terrain(body, at, ground, 0.3);
    ASSERT_EQ(found.empty(), expected.empty());
    if (!found.empty()) {
      ASSERT_NEAR(lowest(found), lowest(expected), 1e-12) << trial;
    }
  }
}

TEST(Terrain, a_ball_in_a_bowl_of_revolution_has_the_distance_of_a_parabola) {
  const Collider ground = terrain_of(bowl, 161, 0.05), ball{Shape::sphere(0.2), {}, 0};
  const auto touches = on_terrain(ball, {{0.0, 0.0, 0.3}}, ground, 1.0);
  ASSERT_EQ(touches.size(), 1u);
  EXPECT_NEAR(touches[0].gap, 0.1, 1e-12);
}

// A ball that is larger than a valley touches both of its sides.
TEST(Terrain, a_large_ball_in_a_valley_touches_on_both_sides) {
  const Collider ground = terrain_of([](double x, double) { return 0.5 * std::cos(3.0 * x) * -1.0; }, 161, 0.05);
  const Collider ball{Shape::sphere(0.8), {}, 0};
  const auto touches = on_terrain(ball, {{0.0, 0.0, 0.6}}, ground, 0.5);
  ASSERT_EQ(touches.size(), 2u);
  EXPECT_NEAR(touches[0].gap, touches[1].gap, 1e-9);
  EXPECT_NEAR(touches[0].point_B.x, -touches[1].point_B.x, 1e-6);
}

TEST(Terrain, there_is_nothing_beyond_its_boundary) {
  const Collider ground = terrain_of(hills), ball{Shape::sphere(0.2), {}, 0};
  EXPECT_FALSE(on_terrain(ball, {{3.9, 0.0, hills(3.9, 0.0) + 0.2}}, ground, 0.1).empty());
  EXPECT_TRUE(on_terrain(ball, {{4.3, 0.0, 0.0}}, ground, 0.1).empty());
}

// No point of the torus is nearer to the terrain than the contact says, on a fine grid of both.
TEST(Terrain, a_wheel_on_hills_agrees_with_a_fine_search) {
  const Collider ground = terrain_of(hills), wheel{Shape::wheel(0.4, 0.08), {}, 0};
  const HeightField& field = static_cast<const Terrain&>(*ground.shape.solid).field();
  Random random(2);
  for (int trial = 0; trial < 30; ++trial) {
    Pose<double> at{{uniform(random, -2, 2), uniform(random, -2, 2), 0},
                    rotation_matrix(exp_map(Vec3d{uniform(random, 1.2, 1.9), 0, 0.3}))};
    at.p.z = hills(at.p.x, at.p.y) + uniform(random, 0.4, 0.5);
    const auto touches = on_terrain(wheel, at, ground, 0.3);
    ASSERT_FALSE(touches.empty());
    double least = 1e300;
    for (int k = 0; k < 2000; ++k) {
      const double phi = 2.0 * M_PI * k / 2000;
      const Vec3d c = at.point(Vec3d{0.32 * std::cos(phi), 0.32 * std::sin(phi), 0.0});
      if (c.z - field.at<false>(c.x, c.y).z > 0.3) continue;
      for (int i = -20; i <= 20; ++i)
        for (int j = -20; j <= 20; ++j) {
          const double x = c.x + 0.005 * i, y = c.y + 0.005 * j;
          least = std::min(least, norm(c - Vec3d{x, y, field.at<false>(x, y).z}) - 0.08);
        }
    }
    EXPECT_NEAR(lowest(touches), least, 1e-4) << trial;
    EXPECT_LE(lowest(touches), least + 1e-12) << trial;
  }
}

// The smallest distance of the points of a grid on the ground from those of the wheel's circle, less the tube.
double distance_on_grids(const HeightField& field, const Pose<double>& at, double circle, double tube) {
  double least = 1e300;
  for (int k = 0; k < 720; ++k) {
    const double phi = 2.0 * M_PI * k / 720;
    const Vec3d c = at.point(Vec3d{circle * std::cos(phi), circle * std::sin(phi), 0.0});
    if (c.z - field.at<false>(c.x, c.y).z > 0.12) continue;
    for (int i = -16; i <= 16; ++i)
      for (int j = -16; j <= 16; ++j) {
        const double x = c.x + 0.004 * i, y = c.y + 0.004 * j;
        least = std::min(least, norm(c - Vec3d{x, y, field.at<false>(x, y).z}) - tube);
      }
  }
  return least;
}

// Ground with valleys that are nearly as tight as the wheel: minima of the distance are flat there, and two of them
// join.
TEST(Terrain, a_wheel_on_rough_ground_misses_no_contact) {
  const auto rough = [](double x, double y) {
    return 0.16 * std::sin(1.1 * x) * std::cos(0.9 * y) + 0.05 * std::sin(2.9 * x + 1) * std::sin(2.3 * y) +
           0.02 * std::sin(14 * x) * std::cos(2 * y);
  };
  const Collider ground = terrain_of(rough, 121, 0.04), wheel{Shape::wheel(0.2, 0.05), {}, 0};
  const HeightField& field = static_cast<const Terrain&>(*ground.shape.solid).field();
  Random random(7);
  for (int trial = 0; trial < 100; ++trial) {
    Pose<double> at{{uniform(random, -1.8, 1.8), uniform(random, -1.8, 1.8), 0.6},
                    rotation_matrix(exp_map(Vec3d{0, 0, uniform(random, -0.5, 0.5)}))};
    at.R = at.R * rotation_matrix(exp_map(Vec3d{0.5 * M_PI + uniform(random, -0.3, 0.3), 0, 0}));
    at.p.z = rough(at.p.x, at.p.y) + 0.22;
    at.p.z -= distance_on_grids(field, at, 0.15, 0.05) + uniform(random, -1e-3, 2e-3);
    const double least = distance_on_grids(field, at, 0.15, 0.05);
    const auto touches = on_terrain(wheel, at, ground, 0.01);
    ASSERT_FALSE(touches.empty()) << trial;
    EXPECT_LE(lowest(touches), least + 1e-12) << trial;
    EXPECT_GE(lowest(touches), least - 1e-4) << trial;
  }
}

// Where the ground bends nearly as much as the wheel, the search leaves the dip from which it starts. These are places
// of the front wheel of a rover on a hill.
TEST(Terrain, a_wheel_is_found_where_the_search_leaves_its_start) {
  const auto land = [](double x, double y) {
    return std::pow(std::clamp(x - 1.0, 0.0, 1.0), 3) *
           (0.16 * std::sin(1.1 * x) * std::cos(0.9 * y) + 0.05 * std::sin(2.9 * x + 1) * std::sin(2.3 * y) +
            0.02 * std::sin(14 * x) * std::cos(2 * y));
  };
  const int nx = 241, ny = 121;
  std::vector<double> heights;
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) heights.push_back(land(-1.2 + 0.04 * i, -2.4 + 0.04 * j));
  const HeightField field(nx, ny, {-1.2, -2.4}, {0.04, 0.04}, heights);
  const Collider ground{Shape::of(std::make_shared<const Terrain>(field)), {}, -1};
  const Collider wheel{Shape::wheel(0.2, 0.05), {{}, {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}}, 0};
  struct Place {
    Vec3d at, turn;
    double w;  // (w, turn) is a quaternion
  };
  const Place places[] = {{{1.93206, 0.613659, 0.323317}, {0.111037, -0.981234, -0.00924194}, 0.157371},
                          {{1.93264, 0.613754, 0.323491}, {0.111051, -0.980994, -0.00913175}, 0.158858},
                          {{1.93608, 0.614363, 0.324356}, {0.111133, -0.979571, -0.00843067}, 0.167388}};
  for (const Place& place : places) {
    const double sine = norm(place.turn);
    const Pose<double> at{place.at, rotation_matrix(exp_map(2.0 * std::atan2(sine, place.w) / sine * place.turn))};
    const double least = distance_on_grids(field, test::place(wheel, at, 0).world, 0.15, 0.05);
    const auto touches = on_terrain(wheel, at, ground, 0.01);
    ASSERT_FALSE(touches.empty());
    EXPECT_LE(lowest(touches), least + 1e-12);
    EXPECT_GE(lowest(touches), least - 1e-4);
  }
}

// In the valley z = k x²/2 a wheel whose centre is at height c touches at x² = 2 (c − 1/k)/k on both sides, and its
// lowest point is not nearest. The feet are closer to each other than the samples of the search if the valley is barely
// tighter than the wheel.
TEST(Terrain, a_wheel_in_a_valley_that_is_barely_tighter_touches_on_both_sides) {
  const Collider ground = terrain_of([](double x, double) { return 2.5 * x * x; }, 161, 0.02);
  const Collider wheel{Shape::wheel(0.2, 0.05), {{}, {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}}, 0};
  for (double share : {1.002, 1.005, 1.01, 1.02, 1.05, 1.1}) {
    const double k = 5.0, c = share / k, x = std::sqrt(2.0 * (c - 1.0 / k) / k);
    const double gap = std::hypot(x, c - 0.5 * k * x * x) - 0.2;
    const auto touches = on_terrain(wheel, {{0.0, 0.1, c}}, ground, 0.1);
    ASSERT_EQ(touches.size(), 2u) << share;
    for (const TouchPoint& touch : touches) {
      EXPECT_NEAR(touch.gap, gap, 1e-9) << share;
      EXPECT_NEAR(std::abs(touch.point_B.x), x, 1e-5) << share;
    }
  }
}

TEST(Terrain, pairs_that_make_no_sense_cannot_touch) {
  using Kind = Shape::Kind;
  EXPECT_TRUE(can_touch(Kind::terrain, Kind::sphere));
  EXPECT_TRUE(can_touch(Kind::wheel, Kind::half_space));
  EXPECT_FALSE(can_touch(Kind::terrain, Kind::terrain));
  EXPECT_FALSE(can_touch(Kind::terrain, Kind::half_space));
  EXPECT_FALSE(can_touch(Kind::wheel, Kind::profile));
  EXPECT_FALSE(can_touch(Kind::terrain, Kind::plate));
}

TEST(Terrain, a_world_finds_a_ball_on_a_terrain_and_not_one_above_it) {
  CollisionWorld world({terrain_of(hills), {Shape::sphere(0.1), {}, 0}, {Shape::sphere(0.1), {}, 1}});
  std::vector<Pose<double>> bodies(2);
  bodies[0].p = {1.0, 1.0, hills(1.0, 1.0) + 0.1};
  bodies[1].p = {1.0, 1.0, 2.0};
  std::vector<TouchPoint> touches;
  world.find(bodies, 0.05, touches);
  ASSERT_EQ(touches.size(), 1u);
  EXPECT_EQ(touches[0].body_A, 0);
}

}  // namespace
}  // namespace tappet
