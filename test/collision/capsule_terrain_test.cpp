// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Capsules on terrain.
#include <gtest/gtest.h>

#include "collision/scenes.h"
#include "collision/terrain/terrain.h"

namespace tappet {
namespace {

using namespace test;

template <class H>
Collider terrain_of(H&& height, int n, double spacing) {
  std::vector<double> heights;
  const double start = -0.5 * (n - 1) * spacing;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) heights.push_back(height(start + i * spacing, start + j * spacing));
  return {Shape::of(std::make_shared<const Terrain>(HeightField(n, n, {start, start}, {spacing, spacing}, heights))),
          {},
          -1};
}
std::vector<TouchPoint> touches(const Collider& capsule, const Pose<double>& at, const Collider& ground,
                                double margin) {
  std::vector<TouchPoint> out;
  touch(place(capsule, at, 0), place(ground, {}, 1), margin, out);
  return out;
}
double lowest(const std::vector<TouchPoint>& touches) {
  double gap = 1e300;
  for (const TouchPoint& touch : touches) gap = std::min(gap, touch.gap);
  return gap;
}
// Along x: the axis z of the capsule is turned by `tilt` out of the plane z = 0.
Pose<double> lying(const Vec3d& p, double tilt, double heading) {
  return {p, rotation_about_z(heading) * rotation_matrix(exp_map(Vec3d{0.0, 0.5 * M_PI - tilt, 0.0}))};
}

// On the ridge z = −k x²/2 the foot of a tilted line is where the ground has the same slope.
TEST(CapsuleOnTerrain, has_the_distance_of_a_line_from_a_parabola) {
  const double k = 0.8, radius = 0.05;
  const Collider ground = terrain_of([&](double x, double) { return -0.5 * k * x * x; }, 161, 0.02),
                 capsule{Shape::capsule(0.8, radius), {}, 0};
  for (const double slope : {0.0, 0.05, -0.11, 0.2}) {
    const double x = -slope / k, height = 0.1;  // the line z = height + slope·x
    const double distance = (height + slope * x + 0.5 * k * x * x) / std::hypot(1.0, slope);
    for (const double heading : {0.0, 0.4}) {
      Pose<double> at = lying({0.0, 0.03, height}, std::atan(slope * std::cos(heading)), heading);
      if (heading != 0.0) at.p.z = 0.1;
      const auto found = touches(capsule, at, ground, 0.2);
      const auto line = std::find_if(found.begin(), found.end(), [](const TouchPoint& touch) {
        return touch.form == TouchPoint::Form::capsule_terrain;
      });
      ASSERT_NE(line, found.end()) << slope;
      EXPECT_NEAR(line->gap, distance - radius, 2e-10) << slope << ", heading " << heading;
      EXPECT_EQ(line->gap, lowest(found));
    }
  }
}

// No point of the axis and of the ground is nearer than the contacts say, on fine grids of both.
TEST(CapsuleOnTerrain, on_rough_ground_misses_no_contact) {
  const auto rough = [](double x, double y) {
    return 0.16 * std::sin(1.1 * x) * std::cos(0.9 * y) + 0.05 * std::sin(2.9 * x + 1) * std::sin(2.3 * y) +
           0.02 * std::sin(14 * x) * std::cos(2 * y);
  };
  const double half = 0.4, radius = 0.06;
  const Collider ground = terrain_of(rough, 121, 0.04), capsule{Shape::capsule(2.0 * half, radius), {}, 0};
  const HeightField& field = static_cast<const Terrain&>(*ground.shape.solid).field();
  const auto on_grids = [&](const Pose<double>& at) {
    double least = 1e300;
    for (int k = -200; k <= 200; ++k) {
      const Vec3d c = at.point(Vec3d{0.0, 0.0, half * k / 200.0});
      if (c.z - field.at<false>(c.x, c.y).z > 0.25) continue;
      for (int i = -20; i <= 20; ++i)
        for (int j = -20; j <= 20; ++j) {
          const double x = c.x + 0.004 * i, y = c.y + 0.004 * j;
          least = std::min(least, norm(c - Vec3d{x, y, field.at<false>(x, y).z}) - radius);
        }
    }
    return least;
  };
  Random random(11);
  int between_ends = 0, several = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const double x = uniform(random, -1.6, 1.6), y = uniform(random, -1.6, 1.6);
    Pose<double> at = lying({x, y, rough(x, y) + 0.1}, uniform(random, -0.3, 0.3), uniform(random, -3.0, 3.0));
    double clearance = 1e300;  // of the axis, so that it is above the ground
    for (int k = -200; k <= 200; ++k) {
      const Vec3d c = at.point(Vec3d{0.0, 0.0, half * k / 200.0});
      clearance = std::min(clearance, c.z - field.at<false>(c.x, c.y).z);
    }
    at.p.z += 0.065 - clearance;
    at.p.z -= on_grids(at) + uniform(random, -1e-3, 2e-3);
    const double least = on_grids(at);
    const auto found = touches(capsule, at, ground, 0.01);
    ASSERT_FALSE(found.empty()) << trial;
    EXPECT_LE(lowest(found), least + 1e-12) << trial;
    EXPECT_GE(lowest(found), least - 1e-4) << trial;
    int lines = 0;
    for (const TouchPoint& touch : found) lines += touch.form == TouchPoint::Form::capsule_terrain;
    between_ends += lines > 0, several += lines > 1;
  }
  EXPECT_GT(between_ends, 12);
  EXPECT_GT(several, 0);
}

TEST(CapsuleOnTerrain, on_a_plane_touches_with_its_ends_only) {
  const Collider ground = terrain_of([](double x, double y) { return 0.1 * x - 0.2 * y; }, 41, 0.05),
                 capsule{Shape::capsule(0.4, 0.05), {}, 0};
  Random random(12);
  for (int trial = 0; trial < 200; ++trial) {
    const auto found =
        touches(capsule, lying({0.0, 0.0, 0.1}, uniform(random, -0.3, 0.3), uniform(random, -3.0, 3.0)), ground, 1.0);
    EXPECT_EQ(found.size(), 2u) << trial;
  }
}

}  // namespace
}  // namespace tappet
