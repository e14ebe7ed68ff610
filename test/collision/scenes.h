// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>

#include "collision/collision_world.h"

namespace tappet::test {

using Random = std::mt19937_64;
inline double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}
inline Vec3d in_cube(Random& random, double half) {
  return {uniform(random, -half, half), uniform(random, -half, half), uniform(random, -half, half)};
}
inline Pose<double> random_pose(Random& random, double half) {
  return {in_cube(random, half), rotation_matrix(exp_map(in_cube(random, 3.0)))};
}
inline Pose<double> compose(const Pose<double>& a, const Pose<double>& b) { return {a.point(b.p), a.R * b.R}; }

inline Placed place(const Collider& c, const Pose<double>& body, int index) {
  return {c.shape, c.pose, compose(body, c.pose), c.body, index};
}

// What a differentiable element with the touch point's parameters measures.
inline double gap_of(const TouchPoint& touch, const Pose<double>& A, const Pose<double>& B) {
  const Vec3d d = A.point(touch.point_A) - B.point(touch.point_B);
  return touch.form == TouchPoint::Form::ball_ball ? norm(d) - touch.radius_A - touch.radius_B
                                                   : dot(B.direction(touch.normal_B), d) - touch.radius_A;
}

// Distance of two solids that do not meet, by descent over the points of both along one coordinate after the other:
// a solid is p ± half along each axis of its frame, within `radius`.
inline double distance_by_descent(const Placed& A, const Placed& B) {
  Vec3d d = A.world.p - B.world.p, axes[6];
  double s[6] = {};
  for (int k = 0; k < 3; ++k) {
    axes[k] = A.shape.half[k] * A.world.R[k];
    axes[3 + k] = -B.shape.half[k] * B.world.R[k];
  }
  for (int sweep = 0; sweep < 20000; ++sweep) {
    double change = 0.0;
    for (int k = 0; k < 6; ++k) {
      const double length2 = dot(axes[k], axes[k]);
      if (length2 == 0.0) continue;
      const double to = std::clamp(s[k] - dot(axes[k], d) / length2, -1.0, 1.0);
      d += (to - s[k]) * axes[k];
      change = std::max(change, std::abs(to - s[k]));
      s[k] = to;
    }
    if (change < 1e-14) break;
  }
  return norm(d) - A.shape.radius - B.shape.radius;
}

}  // namespace tappet::test
