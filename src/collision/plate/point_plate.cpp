// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "collision/plate/point_plate.h"

#include <algorithm>

namespace tappet::narrow {

PointOnPlate::PointOnPlate(const Placed& A, const Placed& B, bool swapped, bool with_faces, double margin,
                           const Spots& spots, std::vector<TouchPoint>& out)
    : A_(A),
      B_(B),
      plate_(plate_of(B.shape)),
      swapped_(swapped),
      with_faces_(with_faces),
      margin_(margin),
      spots_(spots),
      out_(out) {}

// Sharp points may lie a little below the face. They must be nearer to it than to the wall.
bool PointOnPlate::over_face(const Vec3d& c, bool upper, double radius, Found& found) const {
  const double above = upper ? c.z - plate_.high() : plate_.low() - c.z;
  if (above < -deepest_of(plate_)) return false;
  const double depth = depth_in(plate_.profile(), in_plane(c)) - plate_.rim();
  if (depth < 0.0 || (above < -plate_.rim() && depth < -above)) return false;
  found = {above - radius, {0.0, 0.0, upper ? 1.0 : -1.0}};
  return found.gap <= margin_;
}

bool PointOnPlate::beside_wall(const Vec3d& c, const Piece& piece, double radius, Found& found) const {
  const PlanarProfile& profile = plate_.profile();
  const Vec2 p = in_plane(c), d = p - (piece.is_segment() ? piece.from : piece.center);
  const double distance = norm(d);
  const Vec2 out = piece.is_segment() || distance <= 0.0 ? piece.n0
                   : piece.is_hollow()                   ? (-1.0 / distance) * d
                                                         : (1.0 / distance) * d;
  found = {dot(out, d) - piece.rho - radius, in_space(out)};
  if (found.gap > margin_ || (piece.is_hollow() && radius >= -piece.rho)) return false;
  if (piece.is_segment() ? !above(piece, p, end_share * profile.size()) : !faces(profile, piece, out, angle_slack, 0.0))
    return false;
  return is_near_side(profile, piece, p - (found.gap + radius) * out, out, -found.gap);
}

bool PointOnPlate::beyond_rim(const Vec3d& c, const Piece& piece, bool upper, double radius, Found& found) const {
  const PlanarProfile& profile = plate_.profile();
  const double level = plate_.level(upper), rim = plate_.rim();
  const Vec2 p = in_plane(c), d = p - (piece.is_segment() ? piece.from : piece.center);
  const double distance = norm(d), side = piece.is_hollow() ? -1.0 : 1.0;
  if (piece.is_arc && distance <= 0.0) return false;
  const Vec2 out = piece.is_segment() ? piece.n0 : (side / distance) * d;
  const double beyond = dot(out, d) - piece.rho + rim;  // of the curve of the rim, in the plane
  const double away = std::hypot(beyond, c.z - level);
  found = {away - rim - radius, (1.0 / away) * Vec3d{beyond * out.x, beyond * out.y, c.z - level}};
  if (found.gap > margin_ || !(beyond > 0.0)) return false;
  return piece.is_segment() ? above(piece, p, end_share * profile.size())
                            : faces(profile, piece, out, angle_slack, 0.0);
}

bool PointOnPlate::sits_on(const Vec3d& c, const Piece& piece, bool upper, double radius) const {
  if (!piece.is_hollow()) return false;
  const double far_side = norm(in_plane(c) - piece.center) - plate_.ring(piece);
  return std::hypot(far_side, c.z - plate_.level(upper)) - plate_.rim() - radius <= margin_;
}

bool PointOnPlate::seat_point(const Vec3d& c, const Piece& piece, bool upper, double radius, int k, Vec3d& at,
                              Found& found) const {
  const Vec2 d = in_plane(c) - piece.center;
  const double angle = std::atan2(d.y, d.x) + 2.0 * M_PI * k / seat_points;
  const Vec2 spoke{std::cos(angle), std::sin(angle)};
  if (!faces(plate_.profile(), piece, -spoke, angle_slack, 0.0)) return false;
  at = in_space(piece.center - plate_.ring(piece) * spoke, plate_.level(upper));
  const double away = norm(c - at);
  found = {away - plate_.rim() - radius, (1.0 / away) * (c - at)};
  return found.gap <= margin_;
}

void PointOnPlate::put(const Vec3d& center, const Vec3d& c, double radius, std::uint64_t feature, Part part,
                       const Piece* piece, const Found& found) const {
  using Form = TouchPoint::Form;
  const bool on_rim = part == Part::lower_rim || part == Part::upper_rim;
  if (!piece || (!on_rim && piece->is_segment()))
    return add_ball_plane(A_, center, radius, B_, c - (found.gap + radius) * found.normal, found.normal, found.gap,
                          feature, out_);
  TouchPoint& touch = out_.emplace_back();
  touch.body_A = A_.body, touch.body_B = B_.body, touch.collider_A = A_.collider, touch.collider_B = B_.collider;
  touch.point_A = A_.local.point(center), touch.radius_A = radius;
  touch.gap = found.gap, touch.id = touch_id(A_.collider, B_.collider, feature);
  if (!on_rim) {
    touch.form = piece->is_hollow() ? Form::ball_in_bore : Form::ball_edge;
    touch.point_B = B_.local.point(in_space(piece->center)), touch.radius_B = std::abs(piece->rho);
    touch.normal = B_.local.R.z;
    return;
  }
  const double level = plate_.level(part == Part::upper_rim), rim = plate_.rim();
  touch.radius_B = rim;
  if (piece->is_segment()) {
    touch.form = Form::ball_edge;
    touch.point_B = B_.local.point(in_space(piece->from - rim * piece->n0, level));
    touch.normal = B_.local.direction(in_space(piece->along()));
  } else {
    touch.form = Form::ball_ring;
    touch.point_B = B_.local.point(in_space(piece->center, level));
    touch.along = B_.local.R.z, touch.ring = std::abs(plate_.ring(*piece));
  }
}

void sphere_plate(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {
  const Spots spots(plate_of(B.shape).profile().size());
  PointOnPlate(A, B, false, true, margin, spots, out).find({}, A.shape.radius, 0, [](const Vec3d&) { return true; });
}

}  // namespace tappet::narrow
