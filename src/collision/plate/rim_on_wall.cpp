// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "collision/plate/rim_on_wall.h"

#include "collision/profile/walk.h"
#include "math/ring_foot.h"

namespace tappet {
namespace {

constexpr int most_steps = 16;  // pieces that a contact may pass within one step of the run
constexpr double slack = 1e-12;

Vec3d in_space(const Vec2& a, double z = 0.0) { return {a.x, a.y, z}; }
Vec2 in_plane(const Vec3d& a) { return {a.x, a.y}; }

}  // namespace

RimOnWall::Foot RimOnWall::arc_on_segment(const Piece& p, const Piece& q) const {
  const Vec2 out = -normalized(in_plane(transposed_times(motion.R, in_space(q.n0))));
  const Vec3d at = motion.point(in_space(p.center + rim.ring(p) * out, level));
  const double above = dot(q.n0, in_plane(at) - q.from);
  return {above - rim.rim(), p.center + p.rho * out, out, in_plane(at) - above * q.n0, q.n0, at.z};
}

RimOnWall::Foot RimOnWall::segment_on_arc(const Piece& p, const Piece& q) const {
  const Vec3d along = motion.direction(in_space(p.along())),
              from = motion.point(in_space(p.from - rim.rim() * p.n0, level));
  const Vec2 e = in_plane(along), d = in_plane(from) - q.center;
  Vec2 out = normalized(turned_left(e));
  if (dot(out, in_plane(motion.direction(in_space(p.n0)))) > 0.0) out = -out;
  const double s = -dot(d, e) / dot(e, e);
  return {
      dot(out, d) - q.rho - rim.rim(), p.from + s * p.along(), p.n0, q.center + q.rho * out, out, from.z + s * along.z};
}

RimOnWall::Foot RimOnWall::arc_on_arc(const Piece& p, const Piece& q) const {
  const Vec3d center = motion.point(in_space(p.center, level));
  const RingAndLine<double> at{center - in_space(q.center), motion.R.x, motion.R.y, {0.0, 0.0, 1.0}};
  const double ring = rim.ring(p);
  const double angle = RingFoot::find(at, ring, !p.is_hollow() && !q.is_hollow()).angle;
  const Vec3d foot = center + ring * at.spoke(angle);
  const Vec2 d = in_plane(foot) - q.center, m{std::cos(angle), std::sin(angle)};
  const double distance = norm(d), side = q.is_hollow() ? -1.0 : 1.0;
  const Vec2 out = distance > 0.0 ? (side / distance) * d : Vec2{1.0, 0.0};
  return {side * distance - q.rho - rim.rim(), p.center + p.rho * m, m, q.center + q.rho * out, out, foot.z};
}

RimOnWall::Foot RimOnWall::foot(const Piece& p, const Piece& q) const {
  return q.is_segment() ? arc_on_segment(p, q) : p.is_segment() ? segment_on_arc(p, q) : arc_on_arc(p, q);
}

RimOnWall rim_on_wall(const Placed& rim, bool upper, const Placed& wall, const Pose<double>& rim_frame,
                      const Pose<double>& wall_frame) {
  const Plate& plate = plate_of(rim.shape);
  const Mat3d& R = wall_frame.R;
  return {
      plate,
      plate_of(wall.shape),
      plate.level(upper),
      {transposed_times(R, rim_frame.p - wall_frame.p),
       {transposed_times(R, rim_frame.R.x), transposed_times(R, rim_frame.R.y), transposed_times(R, rim_frame.R.z)}}};
}

std::uint64_t WallFeature::number() const {
  return std::uint64_t{1} << 62 | static_cast<std::uint64_t>(rim_of_B) << 61 | static_cast<std::uint64_t>(upper) << 60 |
         static_cast<std::uint64_t>(a) << 30 | static_cast<std::uint64_t>(b);
}

WallFeature WallFeature::of(std::uint64_t number) {
  constexpr std::uint64_t mask = (std::uint64_t{1} << 30) - 1;
  return {(number >> 61 & 1) != 0, (number >> 60 & 1) != 0, static_cast<int>(number >> 30 & mask),
          static_cast<int>(number & mask)};
}

TouchPoint touch_of_walls(const Placed& A, const Placed& B, const WallFeature& feature) {
  using Form = TouchPoint::Form;
  const Placed &rim = feature.rim_of_B ? B : A, &wall = feature.rim_of_B ? A : B;
  const Plate& plate = plate_of(rim.shape);
  const Piece& p = plate.profile().pieces()[feature.rim_of_B ? feature.b : feature.a];
  const Piece& q = plate_of(wall.shape).profile().pieces()[feature.rim_of_B ? feature.a : feature.b];
  TouchPoint touch;
  touch.body_A = A.body, touch.body_B = B.body, touch.collider_A = A.collider, touch.collider_B = B.collider;
  touch.piece_A = feature.a, touch.piece_B = feature.b;
  touch.id = touch_id(A.collider, B.collider, feature.number());
  const double level = plate.level(feature.upper);
  Vec3d &on_rim = feature.rim_of_B ? touch.point_B : touch.point_A,
        &on_wall = feature.rim_of_B ? touch.point_A : touch.point_B;
  (feature.rim_of_B ? touch.radius_B : touch.radius_A) = plate.rim();
  double& wall_radius = feature.rim_of_B ? touch.radius_A : touch.radius_B;
  if (p.is_segment()) {  // two lines that cross; the wall has a round piece
    touch.form = Form::edge_edge, wall_radius = q.rho;
    on_rim = rim.local.point(in_space(p.from - plate.rim() * p.n0, level));
    on_wall = wall.local.point(in_space(q.center));
    // The product of the directions of A and B points from B to A.
    const double sign = dot(A.world.R.z, B.world.R.z) > 0.0 ? -1.0 : 1.0;
    const Vec3d edge = sign * rim.local.direction(in_space(p.along())), axis = wall.local.R.z;
    touch.along = feature.rim_of_B ? axis : edge, touch.normal = feature.rim_of_B ? edge : axis;
    return touch;
  }
  on_rim = rim.local.point(in_space(p.center, level));
  touch.along = rim.local.R.z, touch.ring = plate.ring(p);
  if (q.is_segment()) {
    touch.form = feature.rim_of_B ? Form::plane_wheel : Form::wheel_plane;
    on_wall = wall.local.point(in_space(q.from)), touch.normal = wall.local.direction(in_space(q.n0));
  } else {
    touch.form = feature.rim_of_B ? Form::cylinder_ring : Form::ring_cylinder;
    on_wall = wall.local.point(in_space(q.center)), touch.normal = wall.local.R.z, wall_radius = q.rho;
  }
  return touch;
}

namespace {

// −1, 1: the contact has left the piece at its beginning or at its end.
int side_left(const Piece& piece, const Vec2& at, const Vec2& out) {
  if (piece.is_arc) return piece.side_of(out, slack);
  const double along = dot(at - piece.from, piece.along());
  return along < 0.0 ? -1 : along > piece.length ? 1 : 0;
}

}  // namespace

WallFeature walk_walls(const Placed& A, const Placed& B, const Pose<double>& frame_A, const Pose<double>& frame_B,
                       WallFeature from) {
  const Placed &rim = from.rim_of_B ? B : A, &wall = from.rim_of_B ? A : B;
  const RimOnWall pair =
      rim_on_wall(rim, from.upper, wall, from.rim_of_B ? frame_B : frame_A, from.rim_of_B ? frame_A : frame_B);
  const auto rim_pieces = pair.rim.profile().pieces(), wall_pieces = pair.wall.profile().pieces();
  int &i = from.rim_of_B ? from.b : from.a, &j = from.rim_of_B ? from.a : from.b;
  const auto go_on = [&](int next_i, int next_j) {
    if (next_i < 0 || next_j < 0 || !can_touch(rim_pieces[next_i], wall_pieces[next_j])) return false;
    i = next_i, j = next_j;
    return true;
  };
  for (int k = 0; k < most_steps; ++k) {
    const Piece &p = rim_pieces[i], &q = wall_pieces[j];
    const RimOnWall::Foot foot = pair.foot(p, q);
    const int side_p = side_left(p, foot.on_rim, foot.out_of_rim),
              side_q = side_left(q, foot.on_wall, foot.out_of_wall);
    const int next_p = side_p < 0 ? p.previous : p.next, next_q = side_q < 0 ? q.previous : q.next;
    const bool went_on = (side_p != 0 && side_q != 0 && go_on(next_p, next_q)) || (side_p != 0 && go_on(next_p, j)) ||
                         (side_q != 0 && go_on(i, next_q));
    if (!went_on) break;
  }
  return from;
}

}  // namespace tappet
