// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "collision/plate/plate_pairs.h"

#include <cmath>

#include "collision/plate/patches.h"

namespace tappet::narrow {
namespace {

constexpr double largest_tilt = 0.1;  // sine of the angle between the axes of plates whose walls touch along lines

bool plates_are_apart(const Placed& A, const Placed& B, double margin) {
  const Vec3d d = B.center() - A.center();
  const auto reach = [](const Placed& c, const Vec3d& n) {
    const Vec3d& h = c.shape.half;
    return h.x * std::abs(dot(c.world.R.x, n)) + h.y * std::abs(dot(c.world.R.y, n)) +
           h.z * std::abs(dot(c.world.R.z, n));
  };
  const auto separates = [&](const Vec3d& n) {
    const double length = norm(n);
    return length > 1e-6 && std::abs(dot(d, n)) > reach(A, n) + reach(B, n) + length * margin;
  };
  for (int i = 0; i < 3; ++i) {
    if (separates(A.world.R[i]) || separates(B.world.R[i])) return true;
    for (int j = 0; j < 3; ++j)
      if (separates(cross(A.world.R[i], B.world.R[j]))) return true;
  }
  return false;
}
}  // namespace

void plate_plate(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {
  if (plates_are_apart(A, B, margin)) return;
  const Vec3d across = cross(A.world.R.z, B.world.R.z);
  const Spots spots(std::min(plate_of(A.shape).profile().size(), plate_of(B.shape).profile().size()));
  const bool side_by_side = dot(across, across) <= largest_tilt * largest_tilt;
  if (side_by_side) plate_walls(A, B, margin, spots, out);
  plate_patches(A, B, !side_by_side, false, margin, spots, out);
  plate_patches(B, A, !side_by_side, true, margin, spots, out);
  plate_edges(A, B, !side_by_side, false, margin, spots, out);
  if (!side_by_side) plate_edges(B, A, true, true, margin, spots, out);
  plate_corners(A, B, !side_by_side, false, margin, spots, out);
  plate_corners(B, A, !side_by_side, true, margin, spots, out);
}

void add_rim_place(const Placed& A, const RimPlace& place, const Placed& B, const Vec3d& point, const Vec3d& normal,
                   double gap, std::uint64_t feature, std::vector<TouchPoint>& out) {
  const Plate& plate = plate_of(A.shape);
  if (place.ring < 0.0) return add_ball_plane(A, place.point, plate.rim(), B, point, normal, gap, feature, out);
  TouchPoint& touch = out.emplace_back();
  touch.form = TouchPoint::Form::wheel_plane;
  touch.body_A = A.body, touch.body_B = B.body, touch.collider_A = A.collider, touch.collider_B = B.collider;
  touch.point_A = A.local.point(place.center), touch.radius_A = plate.rim();
  touch.along = A.local.R.z, touch.ring = place.ring;
  touch.point_B = B.local.point(point), touch.normal = B.local.direction(normal);
  touch.gap = gap, touch.id = touch_id(A.collider, B.collider, feature);
}

void plate_plane(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {
  const Plate& plate = plate_of(A.shape);
  const Vec3d n = transposed_times(A.world.R, B.world.R.z);
  const double offset = dot(B.world.R.z, B.world.p - A.world.p);
  rim_places(plate, n, offset, margin + plate.rim(), [&](const RimPlace& place) {
    add_rim_place(A, place, B, {}, {0.0, 0.0, 1.0}, place.height - plate.rim(), rim_feature(false, place.number, 0),
                  out);
  });
}

}  // namespace tappet::narrow
