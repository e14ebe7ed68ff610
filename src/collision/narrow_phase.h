// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "collision/hull/nearest.h"
#include "collision/shape.h"
#include "collision/touch_point.h"

namespace tappet {

// A collider at its present position. Shape and local pose are only referred to, because many colliders share the same.
struct Placed {
  const Shape& shape;
  Pose<double> world;         // of the shape's frame; world.R of a sphere is not kept
  const Pose<double>& local;  // the same in the body
  int body = -1, collider = -1;

  // The centre of the box about it.
  Vec3d center() const { return shape.solid ? world.point(shape.mid) : world.p; }
  Vec3d to_shape(const Vec3d& world_point) const { return transposed_times(world.R, world_point - world.p); }
};

// Adds the touch points of two colliders with a gap of at most `margin`. Two half-spaces never touch. If one of them is
// a hull, the other must have a core, and `warm` remembers where the search ended.
void touch(const Placed& i, const Placed& j, double margin, WarmPair& warm, std::vector<TouchPoint>& out);
void touch(const Placed& i, const Placed& j, double margin, std::vector<TouchPoint>& out);

// Whether there is a function for such a pair. There is none for two half-spaces, nor for pairs that make no sense.
bool can_touch(Shape::Kind i, Shape::Kind j);

// The pairs of shapes. Points and normals that are passed in are in the frames of the shapes.
namespace narrow {

// Adds a ball of A and a ball of B. The gap is passed in, since all callers already know it.
void add_ball_ball(const Placed& A, const Vec3d& a, double r_A, const Placed& B, const Vec3d& b, double r_B, double gap,
                   std::uint64_t feature, std::vector<TouchPoint>& out);
void add_ball_plane(const Placed& A, const Vec3d& a, double r_A, const Placed& B, const Vec3d& b, const Vec3d& normal,
                    double gap, std::uint64_t feature, std::vector<TouchPoint>& out);

// Corner 0 … 7 of a box. Bit k is set if coordinate k is positive.
inline Vec3d corner_of(const Shape& box, int corner) {
  return {corner & 1 ? box.half.x : -box.half.x, corner & 2 ? box.half.y : -box.half.y,
          corner & 4 ? box.half.z : -box.half.z};
}
// A ball of A against a ball, or against the whole box B.
void balls(const Placed& A, const Vec3d& a, double r_A, const Placed& B, const Vec3d& b, double r_B, int feature,
           double margin, std::vector<TouchPoint>& out);
void ball_box(const Placed& A, const Vec3d& a, double r_A, const Placed& B, int feature, double margin,
              std::vector<TouchPoint>& out);

void sphere_sphere(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out);
void sphere_plane(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out);
void sphere_box(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out);
void box_plane(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out);
void box_box(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out);
void capsule_plane(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out);
void capsule_sphere(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out);
void capsule_capsule(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out);
void capsule_box(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out);
// Bodies in the plane. The sphere is a disc.
void circle_profile(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out);
void profile_plane(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out);
void profile_profile(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out);
// Plates. The other shape of hull_plate is a convex solid, or a box or capsule with a core.
void plate_plate(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out);
void sphere_plate(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out);
void hull_plate(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out);
void plate_plane(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out);

// Wheels. The other shape of wheel_hull is a convex solid, or a sphere, box or capsule with a core.
void wheel_plane(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out);
void wheel_wheel(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out);
void wheel_hull(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out);
void wheel_plate(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out);

}  // namespace narrow
}  // namespace tappet
