// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Wheels with shapes that are no terrain. The reference looks at many balls on the circle of the wheel.
#include <gtest/gtest.h>

#include "collision/hull/convex.h"
#include "collision/plate/plate.h"
#include "outlines.h"
#include "scenes.h"

namespace tappet::test {
namespace {

constexpr double R = 0.3, tube = 0.05;

double gap(const Collider& a, const Pose<double>& A, const Collider& b, const Pose<double>& B, double margin) {
  std::vector<TouchPoint> out;
  touch(place(a, A, 0), place(b, B, 1), margin, out);
  double least = 1e300;
  for (const TouchPoint& touch : out) least = std::min(least, touch.gap);
  return least;
}

// The distance of a wheel from another solid, of which the function tells the distance of a point.
template <class Distance>
double distance_of_wheel(const Pose<double>& wheel, Distance&& distance) {
  constexpr int samples = 90;
  const double circle = R - tube;
  const auto at = [&](double angle) {
    return distance(wheel.point(circle * Vec3d{std::cos(angle), std::sin(angle), 0.0})) - tube;
  };
  double least = 1e300, place = 0.0;
  for (int k = 0; k < samples; ++k)
    if (const double d = at(2.0 * M_PI * k / samples); d < least) least = d, place = 2.0 * M_PI * k / samples;
  double low = place - 2.0 * M_PI / samples, high = place + 2.0 * M_PI / samples;
  for (int round = 0; round < 40; ++round) {
    const double left = low + (high - low) / 3.0, right = high - (high - low) / 3.0;
    (at(left) < at(right) ? high : low) = at(left) < at(right) ? right : left;
  }
  return std::min(least, at(0.5 * (low + high)));
}

TEST(Wheel, has_the_distance_of_a_torus_from_solids_at_any_attitude) {
  Random random(3);
  std::vector<Vec3d> points(20);
  for (Vec3d& p : points) p = in_cube(random, 0.2);
  const Hull sharp = convex_hull(points, 1e-9);
  const auto profile_of = [](const Outline& outline) {
    return std::make_shared<const PlanarProfile>(profile(outline));
  };
  const Collider wheel{Shape::wheel(R, tube), {}, 0};
  for (const Shape& shape :
       {with_core(Shape::sphere(0.1)), with_core(Shape::capsule(0.4, 0.05)), with_core(Shape::box({0.3, 0.2, 0.1})),
        Shape::of(std::make_shared<const Convex>(sharp, rounded(sharp, 0.01, 1e-9))),
        Shape::of(std::make_shared<const Plate>(profile_of(rectangle(0.3, 0.2, 0.05)), -0.05, 0.07, 0.02)),
        Shape::of(std::make_shared<const Plate>(profile_of(rectangle(0.2, 0.15, 0.02)), -0.1, 0.1, 0.02))}) {
    const Collider solid{shape, {}, 1};
    const Collider point{with_core(Shape::sphere(1e-12)), {}, 0};
    int checked = 0;
    for (int k = 0; k < 300; ++k) {
      const Pose<double> A = random_pose(random, 0.5), B = random_pose(random, 0.1);
      const double expected = distance_of_wheel(
          A, [&](const Vec3d& x) { return distance_by_support(place(point, {x}, 0), place(solid, B, 1)); });
      if (expected < 1e-3 || expected > 0.05) continue;
      ASSERT_NEAR(gap(wheel, A, solid, B, 0.06), expected, 1e-8) << k << ", " << name_of(shape.kind);
      ++checked;
    }
    EXPECT_GT(checked, 20) << name_of(shape.kind);
  }
}

TEST(Wheel, has_the_distance_of_two_tori_at_any_attitude) {
  Random random(4);
  const Collider wheel{Shape::wheel(R, tube), {}, 0}, other{Shape::wheel(0.2, 0.03), {}, 1};
  int checked = 0;
  for (int k = 0; k < 3000; ++k) {
    const Pose<double> A = random_pose(random, 0.4), B = random_pose(random, 0.1);
    const double expected = distance_of_wheel(A, [&](const Vec3d& x) {
      const Vec3d y = transposed_times(B.R, x - B.p);
      return std::hypot(std::hypot(y.x, y.y) - 0.17, y.z) - 0.03;
    });
    if (expected < 0.0 || expected > 0.05) continue;
    ASSERT_NEAR(gap(wheel, A, other, B, 0.06), expected, 1e-12) << k;
    ++checked;
  }
  EXPECT_GT(checked, 300);
}

TEST(Wheel, lies_on_another_wheel_of_the_same_size_and_stands_beside_it) {
  const Collider wheel{Shape::wheel(R, tube), {}, 0}, other{Shape::wheel(R, tube), {}, 1};
  EXPECT_NEAR(gap(wheel, {{0.601, 0.0, 0.0}}, other, {}, 0.01), 0.001, 1e-15);
  std::vector<TouchPoint> out;
  touch(place(wheel, {{0.0, 0.0, 0.101}}, 0), place(other, {}, 1), 0.01, out);
  EXPECT_GE(out.size(), 3u) << "so that it does not tip";
  for (const TouchPoint& touch : out) EXPECT_NEAR(touch.gap, 0.001, 1e-15);
  // linked like two rings of a chain, without touching
  EXPECT_EQ(gap(wheel, {{0.25, 0.0, 0.0}, {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}}, other, {}, 0.01), 1e300);
}

// A ball in the hole of a wheel or of a plate, beside the axis by much less than the margin.
TEST(Wheel, and_washer_carry_a_ball_in_their_hole_all_around) {
  const double hole = 0.25, r = 0.3, offset = 1e-7;
  const auto washer =
      std::make_shared<const PlanarProfile>(profile(circle_outline({}, 0.5), {circle_outline({}, hole - 0.005)}));
  struct Seat {
    Collider collider;
    double rounding, level;
  };
  for (const Seat& seat :
       {Seat{{Shape::wheel(R, tube), {}, 0}, tube, 0.0},
        Seat{{Shape::of(std::make_shared<const Plate>(washer, -0.1, 0.005, 0.005)), {}, 0}, 0.005, 0.0}}) {
    const double height = std::sqrt((r + seat.rounding) * (r + seat.rounding) - hole * hole);
    const Collider ball{with_core(Shape::sphere(r)), {}, 1};
    std::vector<TouchPoint> out;
    touch(place(seat.collider, {}, 0), place(ball, {{offset, 0.0, height}}, 1), 1e-5, out);
    ASSERT_EQ(out.size(), 8u);
    double least = 1e300;
    for (const TouchPoint& touch : out) {
      EXPECT_NEAR(touch.gap, 0.0, offset);
      least = std::min(least, touch.gap);
    }
    EXPECT_NEAR(least, std::hypot(hole - offset, height) - r - seat.rounding, 1e-15) << "the nearest point is one";
    out.clear();  // in the hole, but on one side
    touch(place(seat.collider, {}, 0), place(ball, {{1e-2, 0.0, height}}, 1), 1e-5, out);
    EXPECT_EQ(out.size(), 1u);
  }
}

TEST(Wheel, lies_on_a_box_and_runs_over_its_edge) {
  const Collider wheel{Shape::wheel(R, tube), {}, 0}, box{with_core(Shape::box({2, 2, 2})), {}, 1};
  const Mat3d upright{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}};
  EXPECT_NEAR(gap(wheel, {{0.1, 0.0, 1.302}, upright}, box, {}, 0.01), 0.002, 1e-15);
  // Its middle is beyond the edge x = 1 at the height of the face.
  const double x = 1.0 + 0.2, z = 1.0 + std::sqrt(0.31 * 0.31 - 0.2 * 0.2);
  EXPECT_NEAR(gap(wheel, {{x, 0.0, z}, upright}, box, {}, 0.05), 0.01, 1e-15);
  std::vector<TouchPoint> out;
  touch(place(wheel, {{0.1, 0.0, 1.05}}, 0), place(box, {}, 1), 0.01, out);
  EXPECT_GE(out.size(), 3u);
}

}  // namespace
}  // namespace tappet::test
