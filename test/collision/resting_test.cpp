// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>

#include "collision/scenes.h"

namespace tappet {
namespace {

using namespace test;

std::vector<TouchId> ids(const std::vector<TouchPoint>& touches) {
  std::vector<TouchId> all;
  for (const TouchPoint& touch : touches) all.push_back(touch.id);
  return all;
}
Vec3d world_normal(const TouchPoint& touch, const std::vector<Pose<double>>& bodies) {
  return touch.body_B < 0 ? touch.normal : bodies[touch.body_B].direction(touch.normal);
}
// Noise of the size that a solver leaves.
void shake(Random& random, Pose<double>& body, double by) {
  body = displaced(body, {in_cube(random, by), in_cube(random, by)});
}

// Body 1 of size `upper` on body 0, a cube of edge 1.
struct Stack {
  CollisionWorld world;
  std::vector<Pose<double>> bodies = std::vector<Pose<double>>(2);
  std::vector<TouchPoint> touches;

  Stack(const Shape& upper, const Vec3d& at, double turn = 0.0)
      : world({{Shape::box({1, 1, 1}), {}, 0}, {upper, {}, 1}}) {
    bodies[1] = {at, rotation_about_z(turn)};
  }
  void expect_the_same_points(size_t count, double margin = 1e-3) {
    Random random(1);
    const std::vector<Pose<double>> exact = bodies;
    world.find(bodies, margin, touches);
    ASSERT_EQ(touches.size(), count);
    const auto first = ids(touches);
    for (int step = 0; step < 500; ++step) {
      bodies = exact;
      for (Pose<double>& body : bodies) shake(random, body, 1e-8);
      world.find(bodies, margin, touches);
      ASSERT_EQ(ids(touches), first) << step;
      for (const TouchPoint& touch : touches) {
        ASSERT_NEAR(std::abs(world_normal(touch, bodies).z), 1.0, 1e-12);
        ASSERT_NEAR(touch.gap, 0.0, 1e-7);
      }
    }
  }
};

TEST(Resting, a_smaller_box_on_a_box_keeps_its_four_corners) {
  Stack(Shape::box({0.5, 0.5, 0.5}), {0.1, 0.05, 0.75}, 0.3).expect_the_same_points(4);
}
TEST(Resting, equal_cubes_stacked_exactly_keep_four_points) {
  Stack(Shape::box({1, 1, 1}), {0, 0, 1}).expect_the_same_points(4);
}
TEST(Resting, cubes_of_a_pyramid_half_over_each_other_keep_four_points) {
  Stack(Shape::box({1, 1, 1}), {0.51, 0, 1}).expect_the_same_points(4);
}
TEST(Resting, a_cube_turned_by_45_degrees_keeps_eight_points) {
  Stack(Shape::box({1, 1, 1}), {0, 0, 1}, 0.25 * M_PI).expect_the_same_points(8);
}
TEST(Resting, a_lying_capsule_keeps_two_points_of_a_box) {
  Stack stack(Shape::capsule(0.6, 0.1), {0, 0, 0.6});
  stack.bodies[1].R = rotation_matrix(axis_angle({0, 1, 0}, 0.5 * M_PI));
  stack.expect_the_same_points(2);
}
TEST(Resting, an_overhanging_capsule_keeps_two_points_of_a_box) {
  Stack stack(Shape::capsule(0.6, 0.1), {0.4, 0, 0.6});
  stack.bodies[1].R = rotation_matrix(axis_angle({0, 1, 0}, 0.5 * M_PI));
  stack.expect_the_same_points(2);
}

TEST(Resting, a_capsule_along_another_keeps_two_points) {
  CollisionWorld world({{Shape::capsule(1.0, 0.1), {}, 0}, {Shape::capsule(1.0, 0.1), {}, 1}});
  Random random(2);
  for (double shift : {0.0, 0.3}) {
    std::vector<TouchId> first;
    for (int step = 0; step < 200; ++step) {
      std::vector<Pose<double>> bodies(2);
      bodies[1].p = {0.2, 0.0, shift};
      for (Pose<double>& body : bodies) shake(random, body, 1e-9);
      std::vector<TouchPoint> touches;
      world.find(bodies, 1e-3, touches);
      ASSERT_EQ(touches.size(), 2u);
      if (step == 0) first = ids(touches);
      ASSERT_EQ(ids(touches), first);
    }
  }
}

TEST(Resting, a_box_on_a_plane_has_its_four_lower_corners) {
  CollisionWorld world({plane_collider({}, {0, 0, 1}), {Shape::box({1, 2, 3}), {}, 0}});
  std::vector<Pose<double>> bodies(1);
  bodies[0].p.z = 1.5 + 1e-5;
  std::vector<TouchPoint> touches;
  world.find(bodies, 1e-3, touches);
  ASSERT_EQ(touches.size(), 4u);
  for (int corner = 0; corner < 4; ++corner) {
    EXPECT_EQ(touches[corner].id, touch_id(0, 1, corner));
    EXPECT_NEAR(touches[corner].gap, 1e-5, 1e-15);
    EXPECT_EQ(touches[corner].body_A, 0);
    EXPECT_EQ(touches[corner].point_A, (Vec3d{corner & 1 ? 0.5 : -0.5, corner & 2 ? 1.0 : -1.0, -1.5}));
  }
}

// A cube is pushed over the edge of another, very close above it. While they overlap, the normal is that of the face.
// Then the corner beside the edge turns the normal sideways, by less than a third of a turn in all.
TEST(Resting, a_box_sliding_off_an_edge_is_never_kicked) {
  CollisionWorld world({{Shape::box({1, 1, 1}), {}, 0}, {Shape::box({0.4, 0.4, 0.4}), {}, 1}});
  std::vector<TouchPoint> touches;
  for (double height : {1e-9, 1e-6, -1e-7})
    for (double tilt : {0.0, 1e-7, -1e-7})
      for (double x = 0.2; x < 0.75; x += 3.7e-4) {
        std::vector<Pose<double>> bodies(2);
        bodies[1] = {{x, 0.01, 0.7 + height}, rotation_matrix(exp_map({0.0, tilt, 0.0}))};
        world.find(bodies, 1e-3, touches);
        if (x < 0.699) {
          ASSERT_GE(touches.size(), 2u) << x;
          ASSERT_LE(touches.size(), 4u);
          for (const TouchPoint& touch : touches) {
            ASSERT_GT(std::abs(world_normal(touch, bodies).z), 1.0 - 1e-6) << x;
            ASSERT_NEAR(touch.gap, height, 1e-6);
          }
        } else if (x > 0.7005) {
          for (const TouchPoint& touch : touches) {
            ASSERT_LT(world_normal(touch, bodies).x * (touch.body_B == 0 ? 1.0 : -1.0), 1.0 + 1e-12);
            ASSERT_GT(touch.gap, 0.0);
          }
        }
      }
}

// Degenerate places: the numbers are finite and the normal is a unit vector.
void expect_sensible(const std::vector<TouchPoint>& touches, double deepest) {
  ASSERT_FALSE(touches.empty());
  double lowest = 1e300;
  for (const TouchPoint& touch : touches) {
    if (touch.form == TouchPoint::Form::ball_plane) {
      ASSERT_NEAR(norm(touch.normal), 1.0, 1e-12);
    }
    ASSERT_TRUE(std::isfinite(norm(touch.point_A) + norm(touch.point_B) + touch.gap));
    lowest = std::min(lowest, touch.gap);
  }
  EXPECT_NEAR(lowest, deepest, 1e-12);
}
std::vector<TouchPoint> touches_of(const Shape& a, const Pose<double>& A, const Shape& b) {
  std::vector<TouchPoint> out;
  touch({a, A, {}, 0, 0}, {b, {}, {}, 1, 1}, 0.01, out);
  return out;
}

TEST(Degenerate, centres_at_one_point) {
  expect_sensible(touches_of(Shape::sphere(0.5), {}, Shape::sphere(0.25)), -0.75);
  expect_sensible(touches_of(Shape::sphere(0.5), {}, Shape::box({1, 2, 3})), -1.0);
  expect_sensible(touches_of(Shape::box({1, 1, 1}), {}, Shape::box({1, 1, 1})), -1.0);
  expect_sensible(touches_of(Shape::capsule(1.0, 0.1), {}, Shape::capsule(1.0, 0.1)), -0.2);
  expect_sensible(touches_of(Shape::capsule(1.0, 0.1), {}, Shape::sphere(0.1)), -0.2);
  expect_sensible(touches_of(Shape::capsule(1.0, 0.1), {}, Shape::box({1, 1, 3})), -0.6);
}
TEST(Degenerate, a_sphere_whose_centre_is_in_a_box_leaves_through_the_nearest_face) {
  const auto touches = touches_of(Shape::sphere(0.5), {{0.1, -0.45, 0.2}}, Shape::box({1, 1, 1}));
  expect_sensible(touches, -0.55);
  EXPECT_EQ(touches[0].normal, (Vec3d{0, -1, 0}));
}
TEST(Degenerate, a_sphere_whose_centre_is_on_a_face_an_edge_a_corner) {
  for (const Vec3d& at : {Vec3d{0.5, 0, 0}, Vec3d{0.5, 0.5, 0}, Vec3d{0.5, 0.5, 0.5}})
    expect_sensible(touches_of(Shape::sphere(0.3), {at}, Shape::box({1, 1, 1})), -0.3);
}
TEST(Degenerate, parallel_edges_of_boxes_side_by_side) {
  // A corner line of A, turned by 45 degrees, above a face of B; and edge beside parallel edge.
  const Pose<double> turned{{0, 0, 0.5 + std::sqrt(0.5)}, rotation_matrix(axis_angle({0, 1, 0}, 0.25 * M_PI))};
  const auto on_face = touches_of(Shape::box({1, 1, 1}), turned, Shape::box({2, 2, 1}));
  EXPECT_EQ(on_face.size(), 2u);
  expect_sensible(on_face, 0.0);
  const auto beside = touches_of(Shape::box({1, 1, 1}), {{1.003, 0.2, 1.004}}, Shape::box({1, 1, 1}));
  expect_sensible(beside, 0.005);
}
TEST(Degenerate, a_capsule_through_a_box) {
  expect_sensible(touches_of(Shape::capsule(4.0, 0.1), {{0.1, 0.2, 0.0}}, Shape::box({1, 1, 1})), -0.4);
}

TEST(Shapes, bad_lengths_throw) {
  EXPECT_THROW(Shape::sphere(0.0), std::invalid_argument);
  EXPECT_THROW(Shape::box({1, -1, 1}), std::invalid_argument);
  EXPECT_THROW(Shape::capsule(1.0, std::nan("")), std::invalid_argument);
  EXPECT_THROW(plane_collider({}, {}), std::invalid_argument);
}
TEST(Shapes, a_container_holds_what_is_inside) {
  auto colliders = container({1, 2, 3}, {2, 4, 6}, true);
  ASSERT_EQ(colliders.size(), 6u);
  EXPECT_EQ(container({}, {1, 1, 1}, false).size(), 5u);
  colliders.push_back({Shape::sphere(0.5), {}, 0});
  CollisionWorld world(colliders);
  std::vector<TouchPoint> touches;
  std::vector<Pose<double>> bodies(1);
  bodies[0].p = {1, 2, 3};
  world.find(bodies, 10.0, touches);
  std::map<double, int> gaps;
  for (const TouchPoint& touch : touches) ++gaps[std::round(1e9 * touch.gap) * 1e-9];
  EXPECT_EQ(gaps, (std::map<double, int>{{0.5, 2}, {1.5, 2}, {2.5, 2}}));
}

}  // namespace
}  // namespace tappet
