// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "collision/plate/plate.h"

#include <gtest/gtest.h>

#include <numbers>

#include "collision/collision_world.h"
#include "collision/hull/convex.h"
#include "collision/plate/rim_on_wall.h"
#include "collision/profile/walk.h"
#include "outlines.h"
#include "scenes.h"

namespace tappet::test {
namespace {

constexpr double pi = std::numbers::pi;

Shape plate(const Outline& outline, double low, double high, double rim, const std::vector<Outline>& holes = {}) {
  return Shape::of(
      std::make_shared<const Plate>(std::make_shared<const PlanarProfile>(profile(outline, holes)), low, high, rim));
}
Pose<double> at(const Vec3d& p, const Vec3d& tilt, double angle) {
  return {p, rotation_matrix(exp_map(tilt)) * rotation_about_z(angle)};
}

struct Two {
  Collider a, b;
  Two(const Shape& first, const Shape& second) : a{first, {}, 0}, b{second, {}, 1} {}

  std::vector<TouchPoint> touches(const Pose<double>& A, const Pose<double>& B, double margin) const {
    std::vector<TouchPoint> out;
    tappet::touch(place(a, A, 0), place(b, B, 1), margin, out);
    return out;
  }
  double gap(const Pose<double>& A, const Pose<double>& B, double margin) const {
    double least = 1e300;
    for (const TouchPoint& touch : touches(A, B, margin)) least = std::min(least, touch.gap);
    return least;
  }
};

// The distance of a point from a plate with a rectangular outline.
double from_plate(double a, double b, double corner, double half, double rim, const Vec3d& p) {
  const double r = corner - rim, x = std::abs(p.x) - (a - corner), y = std::abs(p.y) - (b - corner);
  const double in_plane = std::hypot(std::max(x, 0.0), std::max(y, 0.0)) + std::min(std::max(x, y), 0.0) - r;
  const double along = std::abs(p.z) - (half - rim);
  return std::hypot(std::max(in_plane, 0.0), std::max(along, 0.0)) + std::min(std::max(in_plane, along), 0.0) - rim;
}

TEST(Plate, has_the_mass_of_an_extruded_rectangle) {
  const Shape shape = plate(rectangle(0.3, 0.2, 0.0), 0.1, 0.5, 0.0);
  const MassProperties mass = shape.solid->mass_properties(0.0);
  EXPECT_NEAR(mass.mass, 0.6 * 0.4 * 0.4, 1e-15);
  EXPECT_NEAR(mass.center.z, 0.3, 1e-15);
  EXPECT_NEAR(mass.inertia.x.x, mass.mass * (0.16 + 0.16) / 12.0, 1e-15);
  EXPECT_NEAR(mass.inertia.z.z, mass.mass * (0.36 + 0.16) / 12.0, 1e-15);
}

TEST(Plate, a_ball_has_the_distance_of_a_rounded_plate) {
  Random random(1);
  const double a = 0.3, b = 0.2, corner = 0.05, half = 0.1, rim = 0.02, R = 0.04;
  const Two two(Shape::sphere(R), plate(rectangle(a, b, corner), -half, half, rim));
  int checked = 0;
  for (int k = 0; k < 20000; ++k) {
    const Pose<double> A{in_cube(random, 0.5)}, B = random_pose(random, 0.1);
    const double expected = from_plate(a, b, corner, half, rim, transposed_times(B.R, A.p - B.p)) - R;
    if (expected < -0.03 || expected > 0.3) continue;
    ASSERT_NEAR(two.gap(A, B, 0.4), expected, 1e-15) << k;
    ++checked;
  }
  EXPECT_GT(checked, 5000);
}

TEST(Plate, a_ball_in_a_bore_touches_its_wall_and_a_larger_one_its_rim) {
  const Shape holed = plate(rectangle(0.3, 0.2, 0.01), -0.05, 0.05, 0.005, {circle_outline({0.05, 0.02}, 0.1)});
  const Pose<double> B = at({0.3, 0.1, -0.2}, {0.4, -0.3, 0.2}, 0.7);
  const Two small(Shape::sphere(0.095), holed);
  EXPECT_NEAR(small.gap({B.point(Vec3d{0.053, 0.02, 0.01})}, B, 0.01), 0.002, 1e-15);
  // The ball rests on the rim, a circle with the radius 0.105 at the height 0.045, where it is nearest.
  const Two large(Shape::sphere(0.15), holed);
  EXPECT_NEAR(large.gap({B.point(Vec3d{0.06, 0.02, 0.2})}, B, 0.1), std::hypot(0.105 - 0.01, 0.155) - 0.155, 1e-15);
}

// The ends of the line of contact of two walls, of which at least one is round. The distance is also computed from
// support points of the two solids.
TEST(Plate, walls_have_the_distance_of_the_solids_if_their_axes_are_almost_parallel) {
  Random random(2);
  const Shape disc = plate(circle_outline({0.02, 0.01}, 0.1), -0.25, 0.22, 0.01);
  const Shape thin_disc = plate(circle_outline({0.0, 0.0}, 0.07), -0.04, 0.06, 0.005);
  const Shape bar = plate(rectangle(0.3, 0.2, 0.05), -0.05, 0.07, 0.02);
  for (const Two& two : {Two(disc, bar), Two(bar, disc), Two(disc, thin_disc)}) {
    int checked = 0;
    for (int k = 0; k < 2000; ++k) {
      const double angle = uniform(random, -pi, pi), away = uniform(random, 0.2, 0.45);
      const Vec3d tilt_A{uniform(random, -0.05, 0.05), uniform(random, -0.05, 0.05), 0.0};
      const bool turned_over = k % 2 == 1;
      const Pose<double> A = at({away * std::cos(angle), away * std::sin(angle), uniform(random, -0.03, 0.03)}, tilt_A,
                                uniform(random, -pi, pi));
      Pose<double> B = at({}, {uniform(random, -0.05, 0.05), uniform(random, -0.05, 0.05), 0.0}, 0.3);
      if (turned_over) B.R = B.R * rotation_matrix(exp_map(Vec3d{pi, 0.0, 0.0}));
      const double expected = distance_by_support(place(two.a, A, 0), place(two.b, B, 1));
      if (expected < 1e-3 || expected > 0.1) continue;
      ASSERT_NEAR(two.gap(A, B, 0.2), expected, 2e-9) << k;
      ++checked;
    }
    EXPECT_GT(checked, 300);
  }
}

// A disc slides around a plate, tilted. Its gap and the slope of its gap have no jumps, although pieces and rims
// change.
TEST(Plate, the_gap_is_smooth_where_pieces_meet) {
  const double corner = 0.05, step = 1e-5;
  const Two two(plate(circle_outline({}, 0.1), -0.06, 0.05, 0.01),
                plate(rectangle(0.3, 0.2, corner), -0.05, 0.07, 0.02));
  const Pose<double> B = at({}, {0.03, 0.05, 0.0}, 0.0);
  double before = 0.0, slope = 0.0, sharpest = 0.0;
  for (int k = 0; k < 20000; ++k) {
    const double x = 0.2 + step * k;  // from beside the upper edge to beyond the corner
    const double gap = two.gap(at({x, 0.31, 0.0}, {-0.02, 0.04, 0.0}, 0.2), B, 1.0);
    ASSERT_LT(gap, 1.0);
    if (k > 1) {
      const double now = (gap - before) / step;
      ASSERT_LE(std::abs(now), 1.0 + 1e-9);
      if (k > 2) sharpest = std::max(sharpest, std::abs(now - slope) / step);
      slope = now;
    }
    before = gap;
  }
  EXPECT_LE(sharpest, 1.1 / (corner + 0.1));  // that of two circles of these radii that touch
}

TEST(Plate, a_contact_walks_from_piece_to_piece_to_where_the_search_finds_it) {
  Two two(plate(circle_outline({}, 0.1), -0.02, 0.01, 0.01), plate(rectangle(0.3, 0.2, 0.05), -0.05, 0.07, 0.02));
  const Pose<double> B = at({}, {0.03, 0.05, 0.0}, 0.0), from = at({0.2, 0.31, 0.0}, {-0.02, 0.04, 0.0}, 0.2),
                     to = at({0.32, 0.30, 0.0}, {-0.02, 0.04, 0.0}, 0.4);
  const auto first = two.touches(from, B, 0.05), then = two.touches(to, B, 0.05);
  ASSERT_EQ(first.size(), 2u);
  ASSERT_EQ(then.size(), 2u);
  const Placed a = place(two.a, from, 0), b = place(two.b, B, 1);
  for (int k = 0; k < 2; ++k) {
    EXPECT_NE(first[k].id, then[k].id);
    EXPECT_EQ(walked(first[k], a, b, to, B).id, then[k].id);
  }
}

// While parts that are apart move a little, the places that are nearest go on from piece to piece of their rims. The
// contact then has the distance of the two solids, which support points tell.
TEST(Plate, a_contact_of_rims_walks_from_piece_to_piece) {
  Random random(9);
  const Shape disc = plate(circle_outline({0.02, 0.01}, 0.2), -0.05, 0.06, 0.01);
  const Shape bar = plate(rectangle(0.3, 0.2, 0.05), -0.05, 0.07, 0.02);
  const Shape box = with_core(Shape::box({0.3, 0.2, 0.1})), wheel = Shape::wheel(0.2, 0.05);
  int changed = 0, checked = 0, others = 0;
  for (const Two& two : {Two(disc, bar), Two(bar, bar), Two(box, disc), Two(box, bar), Two(wheel, bar)})
    for (int k = 0; k < 6000; ++k) {
      const Pose<double> A = random_pose(random, 0.45), B = random_pose(random, 0.1);
      const Pose<double> later{A.p + in_cube(random, 0.01), A.R * rotation_matrix(exp_map(in_cube(random, 0.05)))};
      const auto nearest = [&](const Pose<double>& pose) {
        const auto touches = two.touches(pose, B, 0.06);
        const auto least = std::min_element(touches.begin(), touches.end(),
                                            [](const auto& a, const auto& b) { return a.gap < b.gap; });
        return least == touches.end() || least->form != TouchPoint::Form::curve_curve ? TouchPoint{} : *least;
      };
      const TouchPoint first = nearest(A), then = nearest(later);
      if (first.collider_A < 0 || then.collider_A < 0 || then.gap < 1e-3) continue;
      if ((first.id.feature ^ then.id.feature) >> 59 != 0) continue;  // another contact of the same edges, or swapped
      const bool same_rims = first.piece_A % 3 == then.piece_A % 3 && first.piece_B % 3 == then.piece_B % 3;
      if (!same_rims || (first.piece_A < 0 && first.id.feature >> 30 != then.id.feature >> 30)) continue;
      // Between corners of edges that are almost parallel, the nearest place jumps.
      const auto jumps = [](const Shape& shape, int a, int b) {
        const int count = a < 0 ? 1 : static_cast<int>(plate_of(shape).profile().pieces().size());
        const int apart = std::abs(a / 3 - b / 3);
        return std::min(apart, count - apart) > 1;
      };
      if (jumps(two.a.shape, first.piece_A, then.piece_A) || jumps(two.b.shape, first.piece_B, then.piece_B)) continue;
      const double sine = norm(cross(later.direction(then.along), B.direction(then.normal)));
      if (then.ring == 0.0 && then.ring_B == 0.0 && sine < 0.1) continue;
      const TouchPoint walked_on = walked(first, place(two.a, A, 0), place(two.b, B, 1), later, B);
      // A straight edge may cross a rim at two places, of which the other one is nearer now.
      others += walked_on.id != then.id;
      changed += first.id != then.id;
      ++checked;
    }
  EXPECT_GT(checked, 1000);
  EXPECT_GT(changed, 50);
  EXPECT_LT(10 * others, changed) << "each of them would be another one if contacts did not walk";
}

TEST(Plate, two_plates_side_by_side_touch_at_the_ends_of_what_they_have_in_common) {
  const Two two(plate(rectangle(0.1, 0.1, 0.02), 0.0, 0.05, 0.001),
                plate(rectangle(0.1, 0.1, 0.02), 0.02, 0.09, 0.001));
  const auto touches = two.touches({{0.2, 0.03, 0.0}}, {}, 1e-3);
  ASSERT_EQ(touches.size(), 4u) << "two corners, at two ends";
  for (const TouchPoint& touch : touches) EXPECT_NEAR(touch.gap, 0.0, 1e-15);
}

TEST(Plate, on_each_other_plates_touch_at_the_corners_of_the_patch) {
  const Shape long_plate = plate(rectangle(0.3, 0.05, 0.01), 0.0, 0.02, 0.001);
  const Two two(long_plate, long_plate);
  const Pose<double> across = at({0.0, 0.0, 0.02}, {}, pi / 2.0);
  const auto touches = two.touches(across, {}, 1e-4);
  ASSERT_EQ(touches.size(), 4u) << "where the rims cross";
  for (const TouchPoint& touch : touches) {
    EXPECT_NEAR(touch.gap, 0.0, 1e-15);
    EXPECT_NEAR(std::abs(touch.point_A.x), 0.049, 1e-15);
    EXPECT_NEAR(std::abs(touch.point_A.y), 0.049, 1e-15);
  }
  const Two small(plate(rectangle(0.02, 0.02, 0.005), 0.0, 0.02, 0.001), long_plate);
  EXPECT_GE(small.touches({{0.1, 0.0, 0.02}}, {}, 1e-4).size(), 4u);
  EXPECT_TRUE(small.touches({{0.1, 0.0, 0.021}}, {}, 1e-4).empty());
}

TEST(Plate, stands_and_lies_on_a_plane) {
  Two two(plate(rectangle(0.1, 0.05, 0.02), 0.0, 0.03, 0.002), Shape::half_space());
  two.b = plane_collider({}, {0, 1, 0}, 1);
  auto standing = two.touches({{0.0, 0.05, 0.0}}, {}, 1e-4);
  ASSERT_EQ(standing.size(), 4u);
  for (const TouchPoint& touch : standing) EXPECT_NEAR(touch.gap, 0.0, 1e-15);
  two.b = plane_collider({}, {0, 0, 1}, 1);
  EXPECT_NEAR(two.gap({{0.0, 0.0, 1e-5}}, {}, 1e-4), 1e-5, 1e-15);
  EXPECT_GE(two.touches({}, {}, 1e-4).size(), 8u);
  for (const double tilt : {0.01, 0.1, 0.3, 1.0}) {  // about y: the lowest points are on the rim of an end
    const double lowest = -std::sin(tilt) * (0.1 - 0.002) + std::cos(tilt) * 0.002 - 0.002;
    EXPECT_NEAR(two.gap(at({}, {0.0, tilt, 0.0}, 0.0), {}, 1.0), lowest, 1e-15) << tilt;
  }
}

TEST(Plate, a_world_finds_plates_that_touch_and_no_others) {
  const Shape square = plate(rectangle(0.1, 0.1, 0.02), 0.0, 0.05, 0.001);
  CollisionWorld world({{square, {}, 0}, {square, {}, 1}, {square, {{5, 5, 0}}, -1}});
  std::vector<TouchPoint> touches;
  const std::vector<Pose<double>> side_by_side{{}, {{0.2, 0.03, 0.01}}}, apart{{}, {{0.3, 0.0, 0.0}}};
  world.find(side_by_side, 1e-4, touches);
  EXPECT_EQ(touches.size(), 4u);
  world.find(apart, 1e-4, touches);
  EXPECT_TRUE(touches.empty());
}

// Whatever the attitude of two convex parts is, one of their contacts has their distance.
TEST(Plate, at_any_attitude_a_contact_has_the_distance_of_the_solids) {
  Random random(5);
  const Shape disc = plate(circle_outline({0.02, 0.01}, 0.2), -0.05, 0.06, 0.01);
  const Shape rod = plate(circle_outline({0.0, 0.0}, 0.07), -0.25, 0.22, 0.005);
  const Shape bar = plate(rectangle(0.3, 0.2, 0.05), -0.05, 0.07, 0.02);
  const Shape block = plate(rectangle(0.2, 0.15, 0.02), -0.1, 0.1, 0.02);  // its corners are balls
  Random shape_random(6);
  std::vector<Vec3d> points(20);
  for (Vec3d& p : points) p = in_cube(shape_random, 0.2);
  const Hull sharp = convex_hull(points, 1e-9);
  const Shape rock = Shape::of(std::make_shared<const Convex>(sharp, rounded(sharp, 0.01, 1e-9)));
  const Shape box = with_core(Shape::box({0.3, 0.2, 0.1})), capsule = with_core(Shape::capsule(0.4, 0.05));
  for (const Two& two :
       {Two(disc, bar), Two(bar, disc), Two(disc, rod), Two(rod, rod), Two(bar, bar), Two(bar, block), Two(block, rod),
        Two(rock, bar), Two(rock, disc), Two(box, rod), Two(block, box), Two(capsule, disc), Two(capsule, block)}) {
    int checked = 0;
    for (int k = 0; k < 1500; ++k) {
      const Pose<double> A = random_pose(random, 0.45), B = random_pose(random, 0.1);
      const double expected = distance_by_support(place(two.a, A, 0), place(two.b, B, 1));
      if (expected < 1e-3 || expected > 0.03) continue;
      ASSERT_NEAR(two.gap(A, B, 0.035), expected, 1e-8)
          << k << ", " << name_of(two.a.shape.kind) << " and " << name_of(two.b.shape.kind) << ", sine "
          << norm(cross(A.R.z, B.R.z));
      ++checked;
    }
    EXPECT_GT(checked, 50);
  }
}

// Two walls that are tilted about two axes at once, and plates that lie on each other, also turned over.
TEST(Plate, almost_parallel_plates_have_the_distance_of_the_solids) {
  Random random(7);
  const Shape disc = plate(circle_outline({0.02, 0.01}, 0.2), -0.05, 0.06, 0.01);
  const Shape bar = plate(rectangle(0.3, 0.2, 0.05), -0.05, 0.07, 0.02);
  const Shape block = plate(rectangle(0.2, 0.15, 0.02), -0.1, 0.1, 0.02);
  for (const Two& two : {Two(disc, bar), Two(disc, disc), Two(bar, bar), Two(bar, block), Two(block, block)}) {
    int checked = 0;
    for (int k = 0; k < 12000; ++k) {
      const double tilt = k % 3 == 0 ? 0.02 : k % 3 == 1 ? 0.05 : 0.2;
      const auto lean = [&] {
        return rotation_matrix(exp_map(Vec3d{uniform(random, -tilt, tilt), uniform(random, -tilt, tilt), 0.0}));
      };
      const Pose<double> A{in_cube(random, 0.6),
                           lean() * rotation_about_z(k % 4 == 0 ? 0.0 : uniform(random, -pi, pi))};
      Pose<double> B{{}, lean()};
      if (k % 2 == 1) B.R = B.R * rotation_matrix(exp_map(Vec3d{pi, 0.0, 0.0}));
      const double expected = distance_by_support(place(two.a, A, 0), place(two.b, B, 1));
      if (expected < 1e-4 || expected > 2e-3) continue;
      // Rims that end at the same height, almost: 2 · tilt² · 4 cm while the tilt is less than 0.01.
      ASSERT_NEAR(two.gap(A, B, 0.01), expected, norm(cross(A.R.z, B.R.z)) < 0.01 ? 8e-6 : 1e-7) << k;
      ++checked;
    }
    EXPECT_GT(checked, 10);
  }
}

// The distance of a circle in A, beside the hole of a washer, from another curve of B, by sampling.
template <class Curve>
double from_circle(const Pose<double>& A, double radius, double level, Curve&& distance) {
  constexpr int samples = 200;
  const auto at_angle = [&](double angle) {
    return distance(A.point(Vec3d{radius * std::cos(angle), radius * std::sin(angle), level}));
  };
  double least = 1e300, place = 0.0;
  for (int k = 0; k < samples; ++k)
    if (const double d = at_angle(2.0 * pi * k / samples); d < least) least = d, place = 2.0 * pi * k / samples;
  double low = place - 2.0 * pi / samples, high = place + 2.0 * pi / samples;
  for (int round = 0; round < 50; ++round) {
    const double left = low + (high - low) / 3.0, right = high - (high - low) / 3.0;
    (at_angle(left) < at_angle(right) ? high : low) = at_angle(left) < at_angle(right) ? right : left;
  }
  return at_angle(0.5 * (low + high));
}

TEST(Plate, a_washer_hangs_on_a_rod_and_in_another_washer_at_any_attitude) {
  Random random(8);
  const double hole = 0.09, half = 0.02, rim = 0.004, ring = hole + rim, level = half - rim;
  const Shape washer = plate(circle_outline({}, 0.2), -half, half, rim, {circle_outline({}, hole)});
  const Two on_rod(washer, plate(circle_outline({}, 0.07), -0.4, 0.4, 0.005)), linked(washer, washer);
  int on = 0, in = 0;
  for (int k = 0; k < 2000 && (on < 60 || in < 20); ++k) {
    const Vec3d lean{uniform(random, -0.5, 0.5), uniform(random, -0.5, 0.5), 0.0};
    Pose<double> A = at({uniform(random, -0.03, 0.03), uniform(random, -0.03, 0.03), 0.0}, lean, 0.3);
    const auto from_axis = [](const Vec3d& x) { return std::hypot(x.x, x.y); };
    double expected =
        std::min(from_circle(A, ring, -level, from_axis), from_circle(A, ring, level, from_axis)) - 0.07 - rim;
    if (norm(lean) > 0.12 && expected > 1e-4 && expected < 0.01) {
      ASSERT_NEAR(on_rod.gap(A, {}, 0.015), expected, 1e-12) << k;
      ++on;
    }
    A = at({uniform(random, 0.14, 0.16), 0.0, 0.0}, {pi / 2.0 + 0.4 * lean.x, 0.4 * lean.y, 0.0}, 0.1);
    expected = 1e300;
    for (const double a : {-level, level})
      for (const double b : {-level, level})
        expected = std::min(expected, from_circle(A, ring, a, [&](const Vec3d& x) {
                              return std::hypot(std::hypot(x.x, x.y) - ring, x.z - b) - 2.0 * rim;
                            }));
    if (expected > 1e-4 && expected < 0.02) {
      ASSERT_NEAR(linked.gap(A, {}, 0.025), expected, 1e-12) << k;
      ++in;
    }
  }
  EXPECT_GE(on, 60);
  EXPECT_GE(in, 20);
}

TEST(Plate, sharp_plates_beside_each_other_do_not_touch) {
  const Outline angle{{.at = {0, 0}},       {.at = {0.2, 0}},    {.at = {0.2, 0.05}},
                      {.at = {0.05, 0.05}}, {.at = {0.05, 0.2}}, {.at = {0, 0.2}}};
  const Two two(plate(angle, 0.0, 0.02, 0.0), plate(rectangle(0.02, 0.02, 0.0), 0.0, 0.02, 0.0));
  EXPECT_TRUE(two.touches({}, {{0.15, 0.15, 0.02}}, 1e-4).empty());
  EXPECT_EQ(two.touches({}, {{0.15, 0.025, 0.02}}, 1e-4).size(), 4u);
}

TEST(Plate, plates_of_the_same_outline_lie_on_each_other) {
  for (const Outline& outline : {circle_outline({}, 0.1), rectangle(0.1, 0.05, 0.01), rectangle(0.1, 0.05, 0.0)}) {
    const Shape shape = plate(outline, 0.0, 0.02, outline[0].rounding > 0.0 || outline[0].arc ? 0.001 : 0.0);
    const auto touches = Two(shape, shape).touches({{0.0, 0.0, 0.02}}, {}, 1e-4);
    EXPECT_GE(touches.size(), 4u);
    for (const TouchPoint& touch : touches) EXPECT_NEAR(touch.gap, 0.0, 1e-15);
  }
}

TEST(Plate, a_rim_must_fit_the_corners_and_the_thickness) {
  const auto profile = std::make_shared<const PlanarProfile>(
      std::vector<std::vector<Piece>>{pieces_of(rectangle(0.1, 0.1, 0.02), false)});
  EXPECT_NEAR(Plate::largest_rim(*profile, 0.0, 1.0), 0.02, 1e-17);
  EXPECT_NEAR(Plate::largest_rim(*profile, 0.0, 0.01), 0.0049, 1e-17);
  EXPECT_THROW(Plate(profile, 0.0, 1.0, 0.03), std::invalid_argument);
  EXPECT_THROW(Plate(profile, 1.0, 0.0, 0.0), std::invalid_argument);
}

}  // namespace
}  // namespace tappet::test
