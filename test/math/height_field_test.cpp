// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "math/height_field.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "math/terrain_foot.h"

namespace tappet {
namespace {

double hills(double x, double y) { return 0.3 * std::sin(1.1 * x) * std::cos(0.7 * y) + 0.1 * std::sin(2.0 * y); }

HeightField field_of(int n, double spacing, double (*height)(double, double)) {
  std::vector<double> heights;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) heights.push_back(height(-1.0 + i * spacing, -2.0 + j * spacing));
  return {n, n, {-1.0, -2.0}, {spacing, spacing}, heights};
}

TEST(HeightField, goes_through_its_heights) {
  const HeightField field = field_of(40, 0.1, hills);
  for (int j = 0; j < 40; ++j)
    for (int i = 0; i < 40; ++i) {
      const double x = -1.0 + 0.1 * i, y = -2.0 + 0.1 * j;
      EXPECT_NEAR(field.at<false>(x, y).z, hills(x, y), 1e-15);
    }
}

TEST(HeightField, approaches_a_smooth_surface_with_order_four) {
  const auto error = [](int n) {
    const HeightField field = field_of(n + 1, 4.0 / n, hills);
    double worst = 0.0;
    for (int k = 0; k < 500; ++k) {  // far from the boundary, where the natural spline is of lower order
      const double x = 0.5 + std::fmod(0.618 * k, 1.0), y = -0.5 + std::fmod(0.414 * k, 1.0);
      worst = std::max(worst, std::abs(field.at<false>(x, y).z - hills(x, y)));
    }
    return worst;
  };
  EXPECT_GT(std::log2(error(40) / error(80)), 3.8);
}

TEST(HeightField, heights_slopes_and_curvatures_have_no_jumps) {
  const HeightField field = field_of(30, 0.15, hills);
  const double tiny = 1e-9;
  for (int k = 1; k < 29; ++k) {
    const double x = -1.0 + 0.15 * k, y = -2.0 + 0.1 * k;
    const auto before = field.at<true>(x - tiny, y), after = field.at<true>(x + tiny, y);
    EXPECT_NEAR(before.z, after.z, 1e-8);
    EXPECT_NEAR(before.x, after.x, 1e-8);
    EXPECT_NEAR(before.xx, after.xx, 1e-7);
    EXPECT_NEAR(before.xy, after.xy, 1e-7);
    EXPECT_NEAR(before.yy, after.yy, 1e-7);
  }
}

TEST(HeightField, a_plane_is_exact_and_has_no_curvature) {
  const HeightField field = field_of(10, 0.3, [](double x, double y) { return 0.2 * x - 0.1 * y + 1.0; });
  EXPECT_NEAR(field.largest_curvature(), 0.0, 1e-13);
  const auto h = field.at<true>(0.37, -0.61);
  EXPECT_NEAR(h.z, 0.2 * 0.37 + 0.061 + 1.0, 1e-15);
  EXPECT_NEAR(h.x, 0.2, 1e-14);
  EXPECT_NEAR(h.y, -0.1, 1e-14);
}

// The foot of a point: the line to the point is along the normal, and no point of a fine grid is nearer.
TEST(TerrainFoot, of_a_point_is_the_nearest_point_of_the_terrain) {
  const HeightField field = field_of(60, 0.1, hills);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> place(0.5, 3.0), above(0.05, 0.4);
  for (int trial = 0; trial < 200; ++trial) {
    const double x = place(random), y = place(random) - 1.5;
    const TrackOf<double> on{{x, y, hills(x, y) + above(random)}, {}};
    const double from[2] = {x, y};
    const auto foot = TerrainFoot<Track::point>::find(field, on, from);
    ASSERT_TRUE(foot.found);
    const auto at = foot.nearest(field, on);
    EXPECT_NEAR(norm(cross(at.normal, on.center - at.ground)), 0.0, 1e-12);
    double least = 1e300;
    for (int i = -50; i <= 50; ++i)
      for (int j = -50; j <= 50; ++j) {
        const double u = at.ground.x + 0.01 * i, v = at.ground.y + 0.01 * j;
        least = std::min(least, norm(on.center - Vec3d{u, v, field.at<false>(u, v).z}));
      }
    EXPECT_NEAR(least, at.distance, 1e-12);
  }
}

}  // namespace
}  // namespace tappet
