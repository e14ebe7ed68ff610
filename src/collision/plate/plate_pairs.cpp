// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "collision/plate/plate_pairs.h"

#include <cmath>

#include "collision/pair_error.h"
#include "collision/profile/facing.h"

namespace tappet::narrow {
namespace {

constexpr double largest_tilt = 0.2;  // sine of the angle between the axes of two plates whose contacts are computed
constexpr double lying = 0.2;         // sine of the angle between a plane and the face of a plate that lies on it
constexpr double tilted = 1e-3;       // above this sine an arc of its rim has a lowest point

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
  const Vec3d across = cross(A.world.R.z, B.world.R.z);
  if (dot(across, across) > largest_tilt * largest_tilt) {
    if (plates_are_apart(A, B, margin)) return;
    throw PairError(
        A, B,
        "profiles with a thickness have come near each other with axes that are more than 11 degrees apart; expected "
        "axes that are almost parallel, because other contacts of such parts are not computed");
  }
  plate_walls(A, B, margin, out);
  plate_faces(A, B, margin, out);
}

// A plate A on a plane B. If it lies almost flat, points of its rim carry it. Unless it lies quite flat, the lowest
// points of its rounded corners do.
void plate_plane(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {
  const Plate& plate = plate_of(A.shape);
  const Vec3d n = transposed_times(A.world.R, B.world.R.z);
  const double offset = dot(B.world.R.z, B.world.p - A.world.p), across = norm(in_plane(n));
  const auto pieces = plate.profile().pieces();
  for (const bool upper : {false, true}) {
    const double level = plate.level(upper);
    const auto& points = plate.rim_points();
    for (size_t k = 0; across < lying && k < points.size(); ++k) {
      const Vec3d at = in_space(points[k], level);
      const double gap = dot(n, at) - offset - plate.rim();
      if (gap <= margin)
        add_ball_plane(A, at, plate.rim(), B, {}, {0.0, 0.0, 1.0}, gap, point_feature(false, upper, k), out);
    }
    for (size_t k = 0; across > tilted && k < pieces.size(); ++k) {
      const Vec2 down = (-1.0 / across) * in_plane(n);
      if (!pieces[k].is_round() || !faces(plate.profile(), pieces[k], down, angle_slack, parallel)) continue;
      const double ring = plate.ring(pieces[k]);
      const double gap = dot(n, in_space(pieces[k].center + ring * down, level)) - offset - plate.rim();
      if (gap > margin) continue;
      TouchPoint& touch = out.emplace_back();
      touch.form = TouchPoint::Form::wheel_plane;
      touch.body_A = A.body, touch.body_B = B.body, touch.collider_A = A.collider, touch.collider_B = B.collider;
      touch.point_A = A.local.point(in_space(pieces[k].center, level)), touch.radius_A = plate.rim();
      touch.along = A.local.R.z, touch.ring = ring;
      touch.point_B = B.local.p, touch.normal = B.local.R.z;
      touch.gap = gap, touch.id = touch_id(A.collider, B.collider, crossing_feature(upper, k, 0, 0));
    }
  }
}

}  // namespace tappet::narrow
