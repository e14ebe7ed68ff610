// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "collision/hull/hull.h"

#include <gtest/gtest.h>

#include "collision/hull/convex.h"
#include "collision/scenes.h"
#include "support/hull_distance.h"

namespace tappet {
namespace {

using namespace test;

std::vector<Vec3d> ellipsoid(Random& random, int n, const Vec3d& half) {
  std::normal_distribution<double> normal;
  std::vector<Vec3d> points;
  for (int i = 0; i < n; ++i) {
    const Vec3d x = normalized(Vec3d{normal(random), normal(random), normal(random)});
    points.push_back({half.x * x.x, half.y * x.y, half.z * x.z});
  }
  return points;
}
std::vector<Vec3d> prism(int n, double radius, double half_height) {
  std::vector<Vec3d> points;
  for (double z : {-half_height, half_height})
    for (int i = 0; i < n; ++i)
      points.push_back({radius * std::cos(2 * M_PI * i / n), radius * std::sin(2 * M_PI * i / n), z});
  return points;
}
std::vector<Vec3d> cuboid(const Vec3d& half) { return Hull::box(half).vertices; }

Collider hull_collider(const Hull& core, int body) {
  return {Shape::of(std::make_shared<const Convex>(core, core)), {}, body};
}

void expect_closed(const Hull& hull) {
  // Euler: V − E + F = 2
  EXPECT_EQ(hull.vertices.size() + hull.faces.size(), hull.edges.size() + 2);
  for (const Hull::Edge& edge : hull.edges) EXPECT_TRUE(edge.left >= 0 && edge.right >= 0);
  for (const Hull::Face& face : hull.faces)
    for (const Vec3d& v : hull.vertices) EXPECT_LE(dot(face.normal, v) - face.offset, 1e-12 * hull.reach);
}

TEST(Hull, faces_of_many_coplanar_points_are_merged) {
  std::vector<Vec3d> points;
  for (int i = 0; i <= 20; ++i)
    for (int j = 0; j <= 20; ++j)
      for (int k : {0, 20}) {
        points.push_back({0.05 * i, 0.05 * j, 0.05 * k});
        points.push_back({0.05 * i, 0.05 * k, 0.05 * j});
        points.push_back({0.05 * k, 0.05 * i, 0.05 * j});
      }
  const Hull cube = convex_hull(points, 1e-12);
  EXPECT_EQ(cube.vertices.size(), 8u);
  EXPECT_EQ(cube.faces.size(), 6u);
  EXPECT_EQ(cube.edges.size(), 12u);
  expect_closed(cube);
}

TEST(Hull, a_prism_has_whole_polygons_as_ends) {
  const Hull hull = convex_hull(prism(50, 0.1, 0.05), 1e-12);
  EXPECT_EQ(hull.faces.size(), 52u);
  EXPECT_EQ(hull.edges.size(), 150u);
  expect_closed(hull);
}

TEST(Hull, random_points_give_a_closed_hull) {
  Random random(1);
  for (int n : {4, 5, 20, 100, 1000}) expect_closed(convex_hull(ellipsoid(random, n, {0.1, 0.08, 0.06}), 1e-12));
}

TEST(Hull, points_in_a_plane_are_refused) {
  std::vector<Vec3d> flat;
  for (int i = 0; i < 10; ++i) flat.push_back({0.1 * i, 0.01 * i * i, 0.3 * i - 0.2 * 0.01 * i * i});
  EXPECT_THROW(convex_hull(flat, 1e-12), std::invalid_argument);
  EXPECT_THROW(convex_hull(std::vector<Vec3d>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, 1e-12), std::invalid_argument);
  EXPECT_THROW(convex_hull(std::vector<Vec3d>(5), 1e-12), std::invalid_argument);
}

TEST(Hull, moments_of_a_box_and_a_tetrahedron_are_those_of_the_books) {
  Hull box = Hull::box({0.5, 1.0, 1.5});
  for (Vec3d& v : box.vertices) v += Vec3d{3, 4, 5};
  const VolumeMoments m = moments_of(box);
  EXPECT_NEAR(m.volume, 6.0, 1e-13);
  EXPECT_NEAR(norm(m.center - Vec3d{3, 4, 5}), 0.0, 1e-13);
  EXPECT_NEAR(m.inertia(0, 0), 6.0 * (4.0 + 9.0) / 12.0, 1e-13);
  EXPECT_NEAR(m.inertia(1, 1), 6.0 * (1.0 + 9.0) / 12.0, 1e-13);
  EXPECT_NEAR(m.inertia(2, 2), 6.0 * (1.0 + 4.0) / 12.0, 1e-13);
  EXPECT_NEAR(m.inertia(0, 1), 0.0, 1e-13);
  // A corner of the unit cube: volume 1/6, centre (1, 1, 1)/4; ∫x² = 1/60, ∫xy = 1/120 about the corner.
  const VolumeMoments t =
      moments_of(convex_hull(std::vector<Vec3d>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 1e-12));
  EXPECT_NEAR(t.volume, 1.0 / 6.0, 1e-15);
  EXPECT_NEAR(norm(t.center - Vec3d{0.25, 0.25, 0.25}), 0.0, 1e-15);
  EXPECT_NEAR(t.inertia(0, 0), 2.0 * (1.0 / 60.0 - 1.0 / 96.0), 1e-15);
  EXPECT_NEAR(t.inertia(0, 1), -(1.0 / 120.0 - 1.0 / 96.0), 1e-15);
}

TEST(Hull, rounding_leaves_the_faces_of_a_box_where_they_are) {
  const Hull box = Hull::box({0.1, 0.2, 0.3}), round = rounded(box, 0.01, 1e-12);
  EXPECT_EQ(round.vertices.size(), 8u);
  EXPECT_EQ(round.radius, 0.01);
  for (const Hull::Face& face : round.faces) {
    const double half = std::abs(dot(face.normal, Vec3d{0.1, 0.2, 0.3}));
    EXPECT_NEAR(face.offset + round.radius, half, 1e-15);
  }
  EXPECT_THROW(rounded(box, 0.1, 1e-12), std::invalid_argument);
  EXPECT_THROW(rounded(box, 0.15, 1e-12), std::invalid_argument);
}

TEST(Hull, a_rounded_solid_lies_inside_the_sharp_one_and_near_its_faces) {
  Random random(2);
  for (int trial = 0; trial < 200; ++trial) {
    const Hull sharp = convex_hull(ellipsoid(random, 30, {0.1, 0.08, 0.06}), 1e-12);
    const double radius = 0.01 * inner_radius(sharp);
    const Hull round = rounded(sharp, radius, 1e-12);
    expect_closed(round);
    for (const Hull::Face& face : sharp.faces) {
      double furthest = -1e300;
      for (const Vec3d& v : round.vertices) furthest = std::max(furthest, dot(face.normal, v) + round.radius);
      EXPECT_LE(furthest, face.offset + 1e-12);
      EXPECT_GE(furthest, face.offset - 3.0 * radius);
    }
  }
}

// ---- pairs
// -----------------------------------------------------------------------------------------------------------

struct Two {
  Collider a, b;
  Pose<double> A, B;

  std::vector<TouchPoint> touches(double margin) const {
    std::vector<TouchPoint> out;
    touch(place(a, A, 0), place(b, B, 1), margin, out);
    return out;
  }
};

double lowest(const std::vector<TouchPoint>& touches) {
  double gap = 1e300;
  for (const TouchPoint& touch : touches) gap = std::min(gap, touch.gap);
  return gap;
}
Collider random_hull(Random& random, int kind, int body) {
  const double radius = 1e-3;
  const auto solid = [&](std::vector<Vec3d> points) {
    return hull_collider(rounded(convex_hull(points, 1e-12), radius, 1e-12), body);
  };
  if (kind == 0) return solid(ellipsoid(random, 12 + random() % 20, {0.10, 0.08, 0.06}));
  if (kind == 1) return solid(prism(3 + random() % 8, 0.08, 0.05));
  return solid(cuboid({0.08, 0.06, 0.05}));
}

// The second hull is moved towards the first one along a line until the gap is as given, as far as the brute force
// tells.
Two near_each_other(Random& random, const Collider& a, const Collider& b, double gap) {
  Two two{a, b, random_pose(random, 1.0), random_pose(random, 1.0)};
  const Vec3d d = normalized(in_cube(random, 1.0));
  two.B.p = two.A.p + 0.4 * d;
  for (int k = 0; k < 30; ++k) {
    const double distance = by_brute_force(place(two.a, two.A, 0), place(two.b, two.B, 1));
    if (distance < gap + 1e-4) break;
    two.B.p -= (distance - gap) * d;
  }
  return two;
}

TEST(HullPairs, ten_thousand_random_pairs_agree_with_brute_force) {
  Random random(3);
  std::vector<Collider> solids;
  for (int k = 0; k < 60; ++k) solids.push_back(random_hull(random, k % 3, 0));
  double worst = 0.0;
  int checked = 0;
  for (int trial = 0; trial < 10000; ++trial) {
    Collider a = solids[random() % 60], b = solids[random() % 60];
    b.body = 1;
    const Two two = near_each_other(random, a, b, uniform(random, -1e-3, 5e-3));
    const double expected = by_brute_force(place(two.a, two.A, 0), place(two.b, two.B, 1));
    if (expected < -1.9e-3) continue;  // the cores overlap
    ++checked;
    const auto touches = two.touches(0.02);
    if (expected > 0.02) {
      ASSERT_TRUE(touches.empty());
      continue;
    }
    ASSERT_FALSE(touches.empty()) << trial;
    worst = std::max(worst, std::abs(lowest(touches) - expected));
    ASSERT_NEAR(lowest(touches), expected, 1e-14 * 0.2) << trial;
  }
  EXPECT_GT(checked, 9000);
  RecordProperty("worst", std::to_string(worst));
}

TEST(HullPairs, measure_what_the_elements_measure) {
  Random random(4);
  int forms[16] = {};
  for (int trial = 0; trial < 3000; ++trial) {
    const Two two = near_each_other(random, random_hull(random, trial % 3, 0), random_hull(random, (trial / 3) % 3, 1),
                                    uniform(random, -1e-3, 1e-3));
    for (const TouchPoint& touch : two.touches(5e-3)) {
      ++forms[static_cast<int>(touch.form)];
      ASSERT_NEAR(gap_of(touch, two.A, two.B), touch.gap, 1e-14);
    }
  }
  using Form = TouchPoint::Form;
  for (Form form : {Form::ball_plane, Form::plane_ball, Form::ball_edge, Form::edge_ball, Form::edge_edge})
    EXPECT_GT(forms[static_cast<int>(form)], 0) << static_cast<int>(form);
}

// Moved apart along the normal by the overlap, the cores just touch. Moved by less in any direction, they still
// overlap.
TEST(HullPairs, the_smallest_overlap_separates_and_nothing_smaller_does) {
  Random random(5);
  int deep = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    Two two = near_each_other(random, random_hull(random, trial % 3, 0), random_hull(random, (trial / 3) % 3, 1), 0.0);
    two.B.p += 0.05 * normalized(two.A.p - two.B.p);
    const Placed A = place(two.a, two.A, 0), B = place(two.b, two.B, 1);
    const narrow::Relative T{transpose(A.world.R) * B.world.R, A.to_shape(B.world.p)};
    WarmPair warm;
    const auto at = narrow::separation(*A.shape.core, *B.shape.core, T, 1.0, warm);
    if (at.distance > -1e-3) continue;
    ++deep;
    const Vec3d n = A.world.direction(at.normal), start = two.A.p;
    two.A.p = start + (1e-4 - at.distance) * n;
    ASSERT_NEAR(distance_by_support(place(two.a, two.A, 0), B) + 2e-3, 1e-4, 1e-9) << trial;
    for (int k = 0; k < 10; ++k) {
      two.A.p = start + (-0.99 * at.distance) * normalized(in_cube(random, 1.0));
      ASSERT_LE(distance_by_support(place(two.a, two.A, 0), B) + 2e-3, 1e-9) << trial;
    }
  }
  EXPECT_GT(deep, 500);
}

TEST(HullPairs, with_balls_capsules_and_boxes_agree_with_brute_force) {
  Random random(6);
  for (int trial = 0; trial < 3000; ++trial) {
    const Shape simple = trial % 3 == 0   ? Shape::sphere(0.03)
                         : trial % 3 == 1 ? Shape::capsule(0.06, 0.02)
                                          : Shape::box({0.05, 0.06, 0.07});
    const Collider other{with_core(simple), random_pose(random, 0.01), 1};
    const Collider hull = random_hull(random, trial / 3 % 3, 0);
    Two two{hull, other, random_pose(random, 1.0), random_pose(random, 1.0)};
    two.B.p = two.A.p + 0.15 * normalized(in_cube(random, 1.0));
    const Placed A = place(two.a, two.A, 0), B = place(two.b, two.B, 1);
    double expected = by_brute_force(A, B);
    if (simple.kind == Shape::Kind::sphere)  // a point has no edges
      for (const Hull::Edge& e : A.shape.core->edges)
        expected = std::min(expected, nearest_to_segment(B.world.p, A.world.point(A.shape.core->vertices[e.from]),
                                                         A.world.point(A.shape.core->vertices[e.to])) -
                                          A.shape.core->radius - 0.03);
    if (distance_by_support(A, B) + A.shape.core->radius + B.shape.core->radius < 1e-8) continue;  // cores overlap
    const auto touches = two.touches(0.2);
    ASSERT_FALSE(touches.empty());
    ASSERT_NEAR(lowest(touches), expected, 1e-14 * 0.2) << trial;
  }
}

TEST(HullPairs, a_known_pair_gives_the_same_touch_points_as_a_new_one) {
  Random random(7);
  for (int trial = 0; trial < 300; ++trial) {
    Two two = near_each_other(random, random_hull(random, 0, 0), random_hull(random, trial % 3, 1), 1e-4);
    WarmPair warm;
    for (int step = 0; step < 20; ++step) {
      two.B = displaced(two.B, {in_cube(random, 1e-4), in_cube(random, 1e-2)});
      std::vector<TouchPoint> known;
      touch(place(two.a, two.A, 0), place(two.b, two.B, 1), 1e-3, warm, known);
      const auto fresh = two.touches(1e-3);
      ASSERT_EQ(known.size(), fresh.size());
      for (size_t k = 0; k < known.size(); ++k) {
        ASSERT_EQ(known[k].id, fresh[k].id);
        ASSERT_EQ(known[k].gap, fresh[k].gap);
      }
    }
  }
}

// Cores that are 2 mm apart never count as overlapping. The last tetrahedron of a search is often flat, and round-off
// then tells nothing about its inside.
TEST(HullPairs, flat_tetrahedra_are_not_taken_for_an_overlap) {
  Random random(17);
  for (int trial = 0; trial < 200; ++trial) {
    const auto hull = [&](int body) {
      const Hull sharp = convex_hull(ellipsoid(random, 100, {0.10, 0.08, 0.06}), 1e-12);
      return hull_collider(rounded(sharp, 1e-3, 1e-12), body);
    };
    Two two{hull(0), hull(1), random_pose(random, 1.0), random_pose(random, 1.0)};
    const Hull &A = *two.a.shape.core, &B = *two.b.shape.core;
    const auto separated = [&](WarmPair& warm) {
      const narrow::Relative T{transpose(two.A.R) * two.B.R, transposed_times(two.A.R, two.B.p - two.A.p)};
      return narrow::separation(A, B, T, 1.0, warm);
    };
    const Vec3d d = normalized(in_cube(random, 1.0));
    two.B.p = two.A.p + 0.4 * d;
    WarmPair start;
    for (double distance = 1.0; distance > 2.2e-3;) {
      distance = separated(start).distance;
      if (distance > 2.2e-3) two.B.p -= 0.9 * (distance - 2e-3) * d;
    }
    WarmPair warm;
    const Vec3d turn = in_cube(random, 2e-4);
    for (int step = 0; step < 100; ++step) {
      const narrow::Separation at = separated(warm);
      ASSERT_GT(at.distance, 1e-3) << trial << " " << step;
      ASSERT_EQ(at.form, narrow::Separation::Form::unknown) << trial << " " << step;
      two.B.R = rotation_matrix(exp_map(step / 20 % 2 ? -turn : turn)) * two.B.R;
    }
  }
}

// Two cubes whose faces lie on each other, shifted and turned: as many points as the common patch has corners.
TEST(HullPairs, a_cube_on_a_cube_has_the_corners_of_the_patch) {
  const auto corners = [](double shift_x, double shift_y, double turn) {
    Two two{hull_collider(Hull::box({0.5, 0.5, 0.5}), 0), hull_collider(Hull::box({0.5, 0.5, 0.5}), 1), {}, {}};
    two.B = {{shift_x, shift_y, 1.0 + 1e-6}, rotation_matrix(exp_map(Vec3d{0, 0, turn}))};
    return two.touches(1e-4).size();
  };
  EXPECT_EQ(corners(0.0, 0.0, 0.0), 4u);
  EXPECT_EQ(corners(0.2, 0.1, 0.0), 4u);
  EXPECT_EQ(corners(0.0, 0.0, M_PI / 4), 8u);
  EXPECT_EQ(corners(0.2, 0.1, 0.5), 6u);
}

TEST(HullPairs, a_rounded_cube_on_a_plane_has_four_points) {
  CollisionWorld world(
      {plane_collider({}, {0, 0, 1}), hull_collider(rounded(Hull::box({0.5, 0.5, 0.5}), 0.01, 1e-12), 0)});
  std::vector<Pose<double>> bodies(1);
  bodies[0].p.z = 0.5 + 1e-5;
  std::vector<TouchPoint> touches;
  world.find(bodies, 1e-3, touches);
  ASSERT_EQ(touches.size(), 4u);
  for (const TouchPoint& touch : touches) EXPECT_NEAR(touch.gap, 1e-5, 1e-15);
}

// The normal of the nearest features turns by at most the motion divided by the rounding.
TEST(HullPairs, the_normal_turns_by_no_more_than_the_motion_over_the_rounding) {
  Random random(8);
  for (int trial = 0; trial < 300; ++trial) {
    Two two = near_each_other(random, random_hull(random, trial % 3, 0), random_hull(random, 1, 1), 0.0);
    const auto normal = [&] {
      const auto touches = two.touches(1e-3);
      const auto least =
          std::min_element(touches.begin(), touches.end(), [](const auto& a, const auto& b) { return a.gap < b.gap; });
      return normal_of(*least, two.A, two.B);
    };
    const Vec3d before = normal();
    const double step = 1e-7;
    two.B.p += step * normalized(in_cube(random, 1.0));
    EXPECT_LE(norm(normal() - before), 1.1 * step / 2e-3 + 1e-12);
  }
}

}  // namespace
}  // namespace tappet
