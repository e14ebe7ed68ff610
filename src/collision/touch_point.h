// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/pose.h>

#include <cstdint>

namespace tappet {

// One point at which two colliders touch or may touch within the step. Its gap is a function of the two poses that the
// differentiable elements state (sphere-sphere, sphere-plane; corners have radius 0):
//   ball_ball   gap = |x_A − x_B| − radius_A − radius_B,
//   ball_plane  gap = n·(x_A − x_B) − radius_A,
// x_A = A.point(point_A), x_B = B.point(point_B), n = B.direction(normal_B). Points and normal are fixed in the bodies
// for the step. The normal points from B to A. If a body is the ground (−1), its frame is that of the world. For one
// pair of colliders the roles of A and B never change.
struct TouchPoint {
  enum class Form : std::uint8_t { ball_ball, ball_plane };

  Form form = Form::ball_ball;
  int body_A = -1, body_B = -1;
  int collider_A = -1, collider_B = -1;
  Vec3d point_A{};
  double radius_A = 0.0;
  Vec3d point_B{};
  double radius_B = 0.0;  // only for ball_ball
  Vec3d normal_B{};       // only for ball_plane
  double gap = 0.0;
  std::uint64_t id = 0;  // the same in every step in which the same features of the same two colliders touch
};

// 24 bits for each collider (the lower index first), 16 bits for the feature.
constexpr int max_colliders = 1 << 24;
constexpr std::uint64_t touch_id(int collider_1, int collider_2, int feature) {
  const std::uint64_t low = collider_1 < collider_2 ? collider_1 : collider_2;
  const std::uint64_t high = collider_1 < collider_2 ? collider_2 : collider_1;
  return low << 40 | high << 16 | static_cast<std::uint64_t>(feature);
}

}  // namespace tappet
