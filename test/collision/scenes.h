// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
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
  return {c.shape, compose(body, c.pose), c.pose, c.body, index};
}

// From B to A.
inline Vec3d normal_of(const TouchPoint& touch, const Pose<double>& A, const Pose<double>& B) {
  using Form = TouchPoint::Form;
  const Vec3d d = A.point(touch.point_A) - B.point(touch.point_B);
  const Vec3d m = A.direction(touch.normal), n = B.direction(touch.normal);
  switch (touch.form) {
    case Form::ball_plane:
      return n;
    case Form::plane_ball:
      return -m;
    case Form::ball_edge:
      return normalized(d - dot(d, n) * n);
    case Form::edge_ball:
      return normalized(d - dot(d, m) * m);
    case Form::edge_edge:
      return normalized(cross(A.direction(touch.along), n));
    case Form::ball_in_bowl:
    case Form::bowl_on_ball:
      return -normalized(d);
    default:
      return normalized(d);
  }
}

// The gap that a differentiable element with the parameters of the touch point measures.
inline double gap_of(const TouchPoint& touch, const Pose<double>& A, const Pose<double>& B) {
  using Form = TouchPoint::Form;
  const Vec3d d = A.point(touch.point_A) - B.point(touch.point_B);
  if (touch.form == Form::ball_in_bowl) return touch.radius_B - touch.radius_A - norm(d);
  if (touch.form == Form::bowl_on_ball) return touch.radius_A - touch.radius_B - norm(d);
  return dot(normal_of(touch, A, B), d) - touch.radius_A - touch.radius_B;
}

// The distance of two solids (0 if their cores overlap), computed from support points only. It is the point nearest to
// the origin of the hull of more and more points of A − B, each the furthest towards the origin.
double distance_by_support(const Placed& A, const Placed& B);

}  // namespace tappet::test
