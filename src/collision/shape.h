// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/pose.h>

#include <vector>

namespace tappet {

// A solid around its own origin. A capsule is the set of points closer than `radius` to a segment along z. A half-space
// is z ≤ 0 with the outward normal z.
struct Shape {
  enum class Kind { sphere, box, capsule, half_space };

  Kind kind = Kind::sphere;
  Vec3d half{};         // half edges of a box; (0, 0, half the segment) of a capsule
  double radius = 0.0;  // of a sphere or a capsule

  // These throw unless lengths are positive and finite.
  static Shape sphere(double radius);
  static Shape box(const Vec3d& size);                 // full edge lengths
  static Shape capsule(double length, double radius);  // length of the segment, without the caps
  static Shape half_space() { return {Kind::half_space, {}, 0.0}; }
};

// A shape fixed in a body. `pose` is the frame of the shape in the frame of the body. Body −1 is the ground.
struct Collider {
  Shape shape;
  Pose<double> pose{};
  int body = -1;
};

// The half-space behind a plane through `point` (of the body) with the outward `normal`, whose length may be any but
// zero.
Collider plane_collider(const Vec3d& point, const Vec3d& normal, int body = -1);

// The inside of a box with full edges `size` around `center`: five planes, or six with a lid. Without a lid it is open
// towards +z.
std::vector<Collider> container(const Vec3d& center, const Vec3d& size, bool lid, int body = -1);

}  // namespace tappet
