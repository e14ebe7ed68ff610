// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Two plates that lie on each other.
#include <algorithm>

#include "collision/plate/plate_pairs.h"
#include "collision/profile/outline.h"

namespace tappet::narrow {
namespace {

constexpr double face_share = 0.02;  // of the thickness: how deep a plate may lie in the face of another one

// A piece of the curve of a rim, seen in the plane of another plate.
Piece moved_inset(const Piece& piece, double rim, const Pose<double>& motion, double level) {
  Piece p = piece;
  const auto point = [&](const Vec2& a) { return in_plane(motion.point(in_space(a, level))); };
  const auto direction = [&](const Vec2& a) { return normalized(in_plane(motion.direction(in_space(a)))); };
  p.from = point(piece.from - rim * piece.n0), p.to = point(piece.to - rim * piece.n1);
  p.n0 = direction(piece.n0), p.n1 = direction(piece.n1);
  p.center = point(piece.center), p.rho = piece.rho - rim;
  if (motion.R.z.z < 0.0) std::swap(p.from, p.to), std::swap(p.n0, p.n1);  // seen from below it runs backwards
  if (p.is_segment()) p.length = norm(p.to - p.from);
  return p;
}

// The end of one plate on the flat face of another one.
class FaceSearch {
 public:
  FaceSearch(const Placed& A, const Placed& B, bool points_of_B, bool upper, double margin,
             std::vector<TouchPoint>& out)
      : end_(points_of_B ? B : A), face_(points_of_B ? A : B), of_B_(points_of_B), upper_(upper), out_(out) {
    const Pose<double>&E = end_.world, &F = face_.world;
    motion_ = {transposed_times(F.R, E.p - F.p),
               {transposed_times(F.R, E.R.x), transposed_times(F.R, E.R.y), transposed_times(F.R, E.R.z)}};
    margin_ = margin;
    on_top_ = (motion_.R.z.z > 0.0) != upper;
  }

  void find() {
    const Plate& end = plate_of(end_.shape);
    const Vec3d mid = motion_.point(Vec3d{end.mid().x, end.mid().y, end.level(upper_)});
    const double reach = std::abs(motion_.R.x.z) * end.half().x + std::abs(motion_.R.y.z) * end.half().y;
    if (gap_at(mid) - reach > margin_ || gap_at(mid) + reach < -deepest()) return;
    const auto& points = end.rim_points();
    for (size_t k = 0; k < points.size(); ++k)
      try_point(points[k], point_feature(of_B_, upper_, k), plate_of(face_.shape).rim());
    if (!of_B_) find_crossings();
  }

 private:
  double gap_at(const Vec3d& x) const {  // x in the frame of the face
    const Plate& face = plate_of(face_.shape);
    return (on_top_ ? x.z - face.high() : face.low() - x.z) - plate_of(end_.shape).rim();
  }
  // Deeper than this the two plates lie beside each other, not on each other.
  double deepest() const {
    const Plate &end = plate_of(end_.shape), &face = plate_of(face_.shape);
    return end.rim() + face.rim() + face_share * std::min(end.high() - end.low(), face.high() - face.low());
  }
  // `inside`: how far from the outline of the face the point has to be.
  void try_point(const Vec2& p, std::uint64_t feature, double inside) {
    const Plate &end = plate_of(end_.shape), &face = plate_of(face_.shape);
    const Vec3d at_end = in_space(p, end.level(upper_)), x = motion_.point(at_end);
    const double gap = gap_at(x);
    if (gap > margin_ || gap < -deepest() || !(depth_in(face.profile(), in_plane(x)) > inside)) return;
    const Vec3d on_face{x.x, x.y, on_top_ ? face.high() : face.low()}, normal{0.0, 0.0, on_top_ ? 1.0 : -1.0};
    add(at_end, on_face, normal, gap, feature);
  }
  void add(const Vec3d& at_end, const Vec3d& on_face, const Vec3d& normal, double gap, std::uint64_t feature) {
    if (!of_B_)
      return add_ball_plane(end_, at_end, plate_of(end_.shape).rim(), face_, on_face, normal, gap, feature, out_);
    TouchPoint touch;
    touch.form = TouchPoint::Form::plane_ball;
    touch.body_A = face_.body, touch.body_B = end_.body;
    touch.collider_A = face_.collider, touch.collider_B = end_.collider;
    touch.point_A = face_.local.point(on_face), touch.normal = face_.local.direction(normal);
    touch.point_B = end_.local.point(at_end), touch.radius_B = plate_of(end_.shape).rim();
    touch.gap = gap, touch.id = touch_id(face_.collider, end_.collider, feature);
    out_.push_back(touch);
  }
  // Where the two rims cross, seen along the axis.
  void find_crossings() {
    const Plate &end = plate_of(end_.shape), &face = plate_of(face_.shape);
    const auto a = end.profile().pieces(), b = face.profile().pieces();
    const double level = end.level(upper_);
    for (size_t i = 0; i < a.size(); ++i) {
      const Piece p = moved_inset(a[i], end.rim(), motion_, level);
      if (p.is_arc && p.rho == 0.0) continue;
      for (size_t j = 0; j < b.size(); ++j) {
        const Piece q = moved_inset(b[j], face.rim(), {}, 0.0);
        if (q.is_arc && q.rho == 0.0) continue;
        const Meeting meeting = meet(p, q);
        for (int k = 0; k < meeting.count; ++k) {
          const Vec3d above{meeting.at[k].x, meeting.at[k].y, motion_.point(in_space(a[i].from, level)).z};
          const Vec3d back = transposed_times(motion_.R, above - motion_.p);
          try_point(in_plane(back), crossing_feature(upper_, i, j, k), -1.0);
        }
      }
    }
  }

  const Placed &end_, &face_;
  const bool of_B_, upper_;
  bool on_top_ = true;  // whether the end lies above the upper face
  double margin_ = 0.0;
  Pose<double> motion_;  // of the plate that ends, seen from the one with the face
  std::vector<TouchPoint>& out_;
};
}  // namespace

void plate_faces(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {
  for (const bool of_B : {false, true})
    for (const bool upper : {false, true}) FaceSearch(A, B, of_B, upper, margin, out).find();
}

}  // namespace tappet::narrow
