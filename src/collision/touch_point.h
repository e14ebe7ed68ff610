// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/pose.h>

#include <array>
#include <compare>
#include <cstdint>

namespace tappet {

class HeightField;  // math/height_field.h

// Which features of which two colliders touch. `pair` holds the two colliders, the lower index first, with 32 bits
// each. Two pieces or polyhedra with millions of features each have enough numbers in `feature`.
struct TouchId {
  std::uint64_t pair = 0, feature = 0;
  friend auto operator<=>(const TouchId&, const TouchId&) = default;
};
constexpr TouchId touch_id(int collider_1, int collider_2, std::uint64_t feature) {
  const std::uint64_t low = collider_1 < collider_2 ? collider_1 : collider_2;
  const std::uint64_t high = collider_1 < collider_2 ? collider_2 : collider_1;
  return {low << 32 | high, feature};
}

// One point at which two colliders touch or may touch within the step. Its gap is a function of the two poses that
// differentiable elements state (visit_touch.h; corners have radius 0):
//   ball_ball     gap = |x_A − x_B| − radius_A − radius_B
//   ball_plane    gap = n·(x_A − x_B) − radius_A,  n = B.direction(normal)
//   plane_ball    gap = n·(x_B − x_A) − radius_B,  n = A.direction(normal)
//   ball_in_bowl  gap = radius_B − radius_A − |x_A − x_B|: a ball of A in a hollow of B
//   bowl_on_ball  gap = radius_A − radius_B − |x_A − x_B|: a ball of B in a hollow of A
//   ball_edge     gap = distance of x_A from the line through x_B along B.direction(normal), − radius_A − radius_B
//   edge_ball     gap = distance of x_B from the line through x_A along A.direction(normal), − radius_A − radius_B
//   edge_edge     gap = (x_A − x_B)·n − radius_A − radius_B, n along A.direction(along) × B.direction(normal)
//   ball_terrain, wheel_terrain, capsule_terrain  gap = distance of a point, circle or axis of A from a terrain of B,
//                 − radius_A; point_B holds where to look for the foot (x, y, place on the circle or axis); normal and
//                 along are two radii of the circle, normal half of the axis, in A
//   wheel_plane   gap = height above the plane of B of a circle of A about `along` with the radius `ring`, − radius_A
//   plane_wheel   the same with a plane of A and a circle of B
//   ring_cylinder gap = distance of a circle of A about `along` with the radius `ring` from the line through x_B along
//                 B.direction(normal), − radius_A − radius_B; radii of hollows are negative
//                 (elements/contacts/on_rim.h)
//   cylinder_ring the same with a line of A and a circle of B
//   curve_curve   gap = distance of two edges, which are lines or circles, − radius_A − radius_B;
//                 `along` and `ring` are the axis or direction and the radius (0: a line) of A, `normal` and
//                 `ring_B` those of B; `start` is where to look for the feet (elements/contacts/curve_curve.h)
//   ball_ring     gap = distance of x_A from a circle of B about `along`, − radius_A − radius_B
//   ball_in_bore  gap = radius_B − radius_A − distance of x_A from the line through x_B along B.direction(normal)
// with x_A = A.point(point_A) and x_B = B.point(point_B). Points and normal are fixed in the bodies. If a body is the
// ground (−1), its frame is that of the world. For one pair of colliders the roles of A and B never change, so the
// direction of the contact force, from B to A, does not flip if the contact slides from an edge onto a face.
struct TouchPoint {
  enum class Form : std::uint8_t {
    ball_ball,
    ball_plane,
    plane_ball,
    ball_in_bowl,
    bowl_on_ball,
    ball_edge,
    edge_ball,
    edge_edge,
    ball_terrain,
    wheel_terrain,
    capsule_terrain,
    wheel_plane,
    plane_wheel,
    ring_cylinder,
    cylinder_ring,
    ball_ring,
    ball_in_bore,
    curve_curve
  };

  Form form = Form::ball_ball;
  std::array<std::int16_t, 2> start{};  // of curve_curve: angles on circles, in units of π/32768
  int body_A = -1, body_B = -1;
  int collider_A = -1, collider_B = -1;
  Vec3d point_A{};
  double radius_A = 0.0;
  Vec3d point_B{};
  double radius_B = 0.0;
  Vec3d normal{};  // of the plane, in the body that has it; it points to the other body. Or along the edge.
  double gap = 0.0;
  // The pieces of the outlines that touch, or the edges of plates, if the contact can slide from one to the next
  // (profile/walk.h); −1 otherwise.
  int piece_A = -1, piece_B = -1;
  bool is_on_terrain() const {
    return form == Form::ball_terrain || form == Form::wheel_terrain || form == Form::capsule_terrain;
  }
  bool walks() const { return piece_A >= 0 || piece_B >= 0; }
  TouchId id{};       // the same in every step in which the same features of the same two colliders touch
  Vec3d along{};      // of the edge of A, or of the axis of a circle, in the body that has it
  double ring = 0.0;  // the radius of a circle
  const HeightField* field = nullptr;  // of a terrain, and its place in B; both live as long as the search for contacts
  union {
    const Pose<double>* place = nullptr;
    double ring_B;  // of curve_curve: the radius of the circle of B
  };
};

}  // namespace tappet
