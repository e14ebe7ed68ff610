// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "collision/plate/plate_pairs.h"
#include "collision/profile/facing.h"
#include "collision/profile/outline.h"

namespace tappet::narrow {
namespace {

// A ball A and a plate B. The centre of the ball is beside the wall, over a face, or beyond a rim.
class BallSearch {
 public:
  BallSearch(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out)
      : A_(A), B_(B), plate_(plate_of(B.shape)), margin_(margin), out_(out) {
    const Vec3d c = B.to_shape(A.world.p);
    p_ = in_plane(c), z_ = c.z, r_ = A.shape.radius;
  }

  void find() {
    const PlanarProfile& profile = plate_.profile();
    const bool below = z_<plate_.level(false), above = z_> plate_.level(true);
    if ((below || above) && depth_in(profile, p_) >= plate_.rim()) return over_face(above);
    for (size_t i = 0; i < profile.pieces().size(); ++i) {
      const Piece& piece = profile.pieces()[i];
      if (below || above)
        beyond_rim(piece, i, above);
      else
        beside_wall(piece, i);
    }
  }

 private:
  void over_face(bool upper) {
    const double gap = (upper ? z_ - plate_.high() : plate_.low() - z_) - r_;
    if (gap <= margin_)
      add_ball_plane(A_, {}, r_, B_, in_space(p_, upper ? plate_.high() : plate_.low()), {0, 0, upper ? 1.0 : -1.0},
                     gap, point_feature(false, upper, 0), out_);
  }
  void beside_wall(const Piece& piece, size_t index) {
    const PlanarProfile& profile = plate_.profile();
    const std::uint64_t feature = crossing_feature(false, index, 0, 0);
    const Vec2 d = p_ - (piece.is_segment() ? piece.from : piece.center);
    const double distance = norm(d);
    const Vec2 out = piece.is_segment()  ? piece.n0
                     : distance <= 0.0   ? piece.n0
                     : piece.is_hollow() ? (-1.0 / distance) * d
                                         : (1.0 / distance) * d;
    const double gap = dot(out, d) - piece.rho - r_;
    if (gap > margin_ || (piece.is_hollow() && r_ >= -piece.rho)) return;
    if (piece.is_segment() ? !above(piece, p_, end_share * profile.size())
                           : !faces(profile, piece, out, angle_slack, 0.0))
      return;
    if (!is_near_side(profile, piece, p_ - (gap + r_) * out, out, -gap)) return;
    if (piece.is_segment())
      return add_ball_plane(A_, {}, r_, B_, in_space(piece.from), in_space(out), gap, feature, out_);
    TouchPoint& touch =
        add(piece.is_hollow() ? TouchPoint::Form::ball_in_bore : TouchPoint::Form::ball_edge, gap, feature);
    touch.point_B = B_.local.point(in_space(piece.center)), touch.radius_B = std::abs(piece.rho);
    touch.normal = B_.local.R.z;
  }
  void beyond_rim(const Piece& piece, size_t index, bool upper) {
    const PlanarProfile& profile = plate_.profile();
    const double level = plate_.level(upper), rim = plate_.rim();
    const Vec2 d = p_ - (piece.is_segment() ? piece.from : piece.center);
    const double distance = norm(d), side = piece.is_hollow() ? -1.0 : 1.0;
    if (piece.is_arc && distance <= 0.0) return;
    const Vec2 out = piece.is_segment() ? piece.n0 : (side / distance) * d;
    const double beyond = dot(out, d) - piece.rho + rim;  // of the curve of the rim, in the plane
    const double gap = std::hypot(beyond, z_ - level) - rim - r_;
    if (gap > margin_ || !(beyond > 0.0)) return;
    if (piece.is_segment() ? !above(piece, p_, end_share * profile.size())
                           : !faces(profile, piece, out, angle_slack, 0.0))
      return;
    const std::uint64_t feature = crossing_feature(upper, index, 1, 0);
    TouchPoint& touch =
        add(piece.is_segment() ? TouchPoint::Form::ball_edge : TouchPoint::Form::ball_ring, gap, feature);
    touch.radius_B = rim;
    if (piece.is_segment()) {
      touch.point_B = B_.local.point(in_space(piece.from - rim * piece.n0, level));
      touch.normal = B_.local.direction(in_space(piece.along()));
    } else {
      touch.point_B = B_.local.point(in_space(piece.center, level));
      touch.along = B_.local.R.z, touch.ring = std::abs(plate_.ring(piece));
    }
  }
  TouchPoint& add(TouchPoint::Form form, double gap, std::uint64_t feature) {
    TouchPoint& touch = out_.emplace_back();
    touch.form = form;
    touch.body_A = A_.body, touch.body_B = B_.body, touch.collider_A = A_.collider, touch.collider_B = B_.collider;
    touch.point_A = A_.local.p, touch.radius_A = r_;
    touch.gap = gap, touch.id = touch_id(A_.collider, B_.collider, feature);
    return touch;
  }

  const Placed &A_, &B_;
  const Plate& plate_;
  const double margin_;
  std::vector<TouchPoint>& out_;
  Vec2 p_;
  double z_, r_;
};
}  // namespace

void sphere_plate(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {
  BallSearch(A, B, margin, out).find();
}
}  // namespace tappet::narrow
