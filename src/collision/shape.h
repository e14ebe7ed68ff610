// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/pose.h>

#include <memory>
#include <string_view>
#include <vector>

namespace tappet {

class Solid;  // solid.h
struct Hull;  // hull/hull.h

// A shape in its own frame. Spheres, boxes, capsules and wheels are centred at its origin. A capsule is the set of
// points closer than `radius` to a segment along z, and a wheel that of points closer than `radius` to a circle about
// z. A half-space is z ≤ 0 with the outward normal z. Profiles, convex solids and terrains are solids of the section
// `geometry:`, in the frame of that geometry. A plate is a profile with a thickness.
struct Shape {
  enum class Kind { sphere, box, capsule, half_space, profile, convex, wheel, terrain, plate };
  static constexpr int kinds = 9;

  Kind kind = Kind::sphere;
  Vec3d half{};  // half edges of a box, or of the box about a solid or wheel; (0, 0, half the segment) of a capsule
  double radius = 0.0;  // of a sphere or a capsule, of the tube of a wheel
  Vec3d mid{};          // the centre of the box about a solid
  std::shared_ptr<const Solid> solid{};
  // The core of a convex solid. Spheres, boxes and capsules have one too if they may meet such a solid (with_core).
  std::shared_ptr<const Hull> core{};

  // These throw unless lengths are positive and finite.
  static Shape sphere(double radius);
  static Shape box(const Vec3d& size);                 // full edge lengths
  static Shape capsule(double length, double radius);  // length of the segment, without the caps
  static Shape half_space() { return {Kind::half_space, {}, 0.0}; }

  static Shape wheel(double radius, double tube);  // the whole radius, and that of the tube
  static Shape of(std::shared_ptr<const Solid> solid);

  bool is_unbounded() const { return kind == Kind::half_space || kind == Kind::terrain; }
  double circle() const { return half.x - radius; }  // of a wheel: the radius of its circle
};
// Whether it is a profile or a plate.
inline bool has_outline(const Shape& shape) {
  return shape.kind == Shape::Kind::profile || shape.kind == Shape::Kind::plate;
}
std::string_view name_of(Shape::Kind kind);  // as the type of a collider in the model file

// A shape fixed in a body. `pose` is the frame of the shape in the frame of the body. Body −1 is the ground.
struct Collider {
  Shape shape;
  Pose<double> pose{};
  int body = -1;
};

// A sphere, box or capsule with its core, so that it can meet convex solids.
Shape with_core(Shape shape);

// The half-space behind a plane through `point` (of the body) with the outward `normal`, whose length may be any but
// zero.
Collider plane_collider(const Vec3d& point, const Vec3d& normal, int body = -1);

// The inside of a box with full edges `size` around `center`: five planes, or six with a lid. Without a lid it is open
// towards +z.
std::vector<Collider> container(const Vec3d& center, const Vec3d& size, bool lid, int body = -1);

}  // namespace tappet
