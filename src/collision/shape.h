// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "math/pose.h"

namespace tappet {

// A solid about its own origin. A capsule is the set of points nearer than `radius` to a segment along z; a half-space
// is z ≤ 0, outward normal z.
struct Shape {
  enum class Kind { sphere, box, capsule, half_space };

  Kind kind = Kind::sphere;
  Vec3d half{};         // half edges of a box; (0, 0, half the segment) of a capsule
  double radius = 0.0;  // of a sphere or a capsule

  // Lengths are positive and finite, or it throws.
  static Shape sphere(double radius);
  static Shape box(const Vec3d& size);                 // whole edges
  static Shape capsule(double length, double radius);  // of the segment, without the caps
  static Shape half_space() { return {Kind::half_space, {}, 0.0}; }
};

// A shape fixed in a body: `pose` is the shape's frame in the body's. Body −1 is the ground.
struct Collider {
  Shape shape;
  Pose<double> pose{};
  int body = -1;
};

// The half-space behind a plane through `point` (of the body) with outward `normal` (any length but zero).
Collider plane_collider(const Vec3d& point, const Vec3d& normal, int body = -1);

// The inside of a box of whole edges `size` about `center`: five planes, with a lid six. Open towards +z without.
std::vector<Collider> container(const Vec3d& center, const Vec3d& size, bool lid, int body = -1);

}  // namespace tappet
