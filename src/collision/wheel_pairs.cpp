// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// A wheel, which is a circle with a tube around it, with shapes that are no terrain.
#include <algorithm>
#include <cmath>

#include "collision/plate/patches.h"
#include "collision/profile/outline.h"

namespace tappet::narrow {
namespace {

constexpr double almost_flat = 0.05;  // sine of the angle between a wheel that lies on its side and a plane

// A wheel A on a plane of B, whose point and normal are in the frame of B, where covers(foot in the frame of B) holds.
// The number names the plane.
template <class Covers>
void wheel_on_plane(const Placed& A, const Placed& B, const Vec3d& point, const Vec3d& normal, std::uint64_t number,
                    double margin, double deepest, Covers&& covers, std::vector<TouchPoint>& out) {
  const Vec3d n = transposed_times(A.world.R, B.world.direction(normal));
  const double R = A.shape.circle(), tube = A.shape.radius, across = norm(in_plane(n));
  const double center = dot(normal, B.to_shape(A.world.p) - point);
  const auto try_point = [&](const Vec3d& at, bool is_lowest, std::uint64_t which) {
    const double height = center + dot(n, at), gap = height - tube;
    if (gap > margin || gap < -deepest) return;
    const Vec3d foot = B.to_shape(A.world.point(at)) - height * normal;
    if (!covers(foot)) return;
    const std::uint64_t feature = 5 * number + which;
    if (!is_lowest) return add_ball_plane(A, at, tube, B, foot, normal, gap, feature, out);
    TouchPoint& touch = out.emplace_back();
    touch.form = TouchPoint::Form::wheel_plane;
    touch.body_A = A.body, touch.body_B = B.body, touch.collider_A = A.collider, touch.collider_B = B.collider;
    touch.point_A = A.local.p, touch.radius_A = tube, touch.along = A.local.R.z, touch.ring = R;
    touch.point_B = B.local.point(point), touch.normal = B.local.direction(normal);
    touch.gap = gap, touch.id = touch_id(A.collider, B.collider, feature);
  };
  if (across > almost_flat) return try_point((-R / across) * in_space(in_plane(n)), true, 0);
  for (int k = 0; k < 4; ++k)
    try_point((k < 2 ? R : -R) * (k % 2 == 0 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0}), false, 1 + k);
}

// The contacts of a wheel A with parts of the surface of another solid B.
class WheelSearch {
 public:
  WheelSearch(const Placed& A, const Placed& B, double size, double margin, std::vector<TouchPoint>& out)
      : A_(A),
        B_(B),
        motion_(motion_of(A, B)),
        circle_(moved(circle_of_wheel(A.shape), motion_)),
        margin_(margin),
        deepest_(A.shape.radius),
        spots_(size),
        pairs_(A, B, motion_, {margin, deepest_, size}, spots_, out),
        out_(out) {}

  template <class Covers>
  void on_patch(const Patch& patch, Covers&& covers) {
    const auto is_there = [&](const Vec3d& foot) {
      return covers(foot) && spots_.is_new(B_.world.point(foot), B_.world.direction(patch.normal));
    };
    wheel_on_plane(A_, B_, patch.point, patch.normal, patch.number, margin_, deepest_, is_there, out_);
  }
  void on_edge(const Edge& edge) {
    if (edge.tube >= 0.0) pairs_.add(circle_, edge);
  }
  // A rounded corner of B, which is a ball. allows(direction in the frame of B) tells whether it may push that way.
  template <class Allows>
  void on_corner(const Vec3d& at, double radius, std::uint64_t number, Allows&& allows) {
    const Vec3d d = at - circle_.curve.center, in_wheel = d - dot(d, circle_.axis) * circle_.axis;
    const double length = norm(in_wheel);
    if (sits_on(d, length, radius)) return on_seat(at, in_wheel, radius, number, allows);
    if (length <= 0.0) return;
    const Vec3d foot = circle_.curve.center + (circle_.curve.radius / length) * in_wheel, away = at - foot;
    const double distance = norm(away), gap = distance - radius - A_.shape.radius;
    if (gap > margin_ || distance <= 0.0 || !allows((-1.0 / distance) * away)) return;
    const Vec3d normal = B_.world.direction((-1.0 / distance) * away);
    if (!spots_.is_new(B_.world.point(at) + radius * normal, normal)) return;
    TouchPoint& touch = out_.emplace_back();
    touch.form = TouchPoint::Form::ball_ring;
    touch.body_A = B_.body, touch.body_B = A_.body, touch.collider_A = B_.collider, touch.collider_B = A_.collider;
    touch.point_A = B_.local.point(at), touch.radius_A = radius;
    touch.point_B = A_.local.p, touch.radius_B = A_.shape.radius;
    touch.along = A_.local.R.z, touch.ring = A_.shape.circle();
    touch.gap = gap, touch.id = touch_id(A_.collider, B_.collider, point_feature(true, number, 0));
  }

 private:
  // A ball in the hole of a wheel touches it all around, within the margin. Then points of the wheel hold it, of which
  // the first one is nearest. The one nearest point alone would jump from side to side.
  bool sits_on(const Vec3d& d, double in_wheel, double radius) const {
    return std::hypot(in_wheel + circle_.curve.radius, dot(d, circle_.axis)) - radius - A_.shape.radius <= margin_;
  }
  template <class Allows>
  void on_seat(const Vec3d& at, const Vec3d& in_wheel, double radius, std::uint64_t number, Allows&& allows) {
    constexpr int points = 8;
    const double first = std::atan2(dot(in_wheel, circle_.curve.second), dot(in_wheel, circle_.curve.first));
    for (int k = 0; k < points; ++k) {
      const Vec3d point = circle_.curve.at(first + 2.0 * M_PI * k / points), away = at - point;
      const double distance = norm(away), gap = distance - radius - A_.shape.radius;
      if (gap > margin_ || distance <= 0.0 || !allows((-1.0 / distance) * away)) continue;
      add_ball_ball(B_, at, radius, A_, A_.to_shape(B_.world.point(point)), A_.shape.radius, gap,
                    point_feature(true, number, 1 + k), out_);
    }
  }

  const Placed &A_, &B_;
  const Pose<double> motion_;
  const Edge circle_;  // in the frame of B
  const double margin_, deepest_;
  const Spots spots_;
  EdgePairs pairs_;
  std::vector<TouchPoint>& out_;
};

}  // namespace

void wheel_plane(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {
  wheel_on_plane(
      A, B, {}, {0.0, 0.0, 1.0}, 0, margin, 1e300, [](const Vec3d&) { return true; }, out);
}

// If one wheel lies on the other one, points of its circle carry it as well, so that it does not tip.
void wheel_wheel(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {
  constexpr int points = 8;
  WheelSearch(A, B, std::min(A.shape.half.x, B.shape.half.x), margin, out).on_edge(circle_of_wheel(B.shape));
  if (norm(cross(A.world.R.z, B.world.R.z)) > almost_flat) return;
  WheelSearch lying(B, A, std::min(A.shape.half.x, B.shape.half.x), margin, out);
  for (int k = 0; k < points; ++k) {
    const double angle = 2.0 * M_PI * k / points;
    lying.on_corner(A.shape.circle() * Vec3d{std::cos(angle), std::sin(angle), 0.0}, A.shape.radius, k,
                    [](const Vec3d&) { return true; });
  }
}

// A convex solid, or a sphere, box or capsule with a core.
void wheel_hull(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {
  const Hull& hull = *B.shape.core;
  WheelSearch search(A, B, std::min(A.shape.half.x, std::max(hull.reach, hull.radius)), margin, out);
  for (size_t f = 0; f < hull.faces.size(); ++f)
    search.on_patch(patch_of(hull, static_cast<int>(f)),
                    [&](const Vec3d& x) { return covers_face(hull, static_cast<int>(f), x); });
  Edge edge;
  for (int e = 0; e < static_cast<int>(hull.edges.size()); ++e)
    if (edge_of_hull(hull, e, edge)) search.on_edge(edge);
  for (int v = 0; v < static_cast<int>(hull.vertices.size()); ++v)
    search.on_corner(hull.vertices[v], hull.radius, v, [&](const Vec3d& d) { return allows_vertex(hull, v, d); });
}

void wheel_plate(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {
  const Plate& plate = plate_of(B.shape);
  WheelSearch search(A, B, std::min(A.shape.half.x, plate.profile().size()), margin, out);
  for_patches(plate, true, [&](const Patch& patch, const auto& covers, double) { search.on_patch(patch, covers); });
  Edge edge;
  for (int i = 0; i < static_cast<int>(plate.profile().pieces().size()); ++i)
    for (int which = 0; which < 3; ++which)
      if (edge_of_plate(plate, i, which, edge)) search.on_edge(edge);
  for_corners(plate, [&](const Piece& corner, bool upper, std::uint64_t number) {
    search.on_corner(in_space(corner.center, plate.level(upper)), plate.rim(), number,
                     [&](const Vec3d& d) { return allows_corner(corner, upper, d); });
  });
}

}  // namespace tappet::narrow
