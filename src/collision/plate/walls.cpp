// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// The walls of two plates side by side.
#include <algorithm>

#include "collision/plate/edges.h"
#include "collision/plate/rim_on_wall.h"
#include "collision/profile/facing.h"
#include "collision/profile/walk.h"

namespace tappet::narrow {
namespace {

constexpr int stack_size = 256;
constexpr double skew = 1e-4;  // sine of the angle above which two round walls cross

// Whether the box about pieces of a rim comes within the margin of the box about pieces of a wall.
bool boxes_meet(const RimOnWall& pair, const Box2& rim, const Box2& wall, double margin) {
  const Vec2 middle = 0.5 * (rim.low + rim.high), half = 0.5 * (rim.high - rim.low);
  const Vec3d mid = pair.motion.point(in_space(middle, pair.level));
  const Vec3d &x = pair.motion.R.x, &y = pair.motion.R.y;
  const double reach_x = std::abs(x.x) * half.x + std::abs(y.x) * half.y + margin,
               reach_y = std::abs(x.y) * half.x + std::abs(y.y) * half.y + margin;
  return mid.x + reach_x >= wall.low.x && mid.x - reach_x <= wall.high.x && mid.y + reach_y >= wall.low.y &&
         mid.y - reach_y <= wall.high.y;
}

// The contacts of one rim with the wall of the other plate.
class WallSearch {
 public:
  WallSearch(const Placed& A, const Placed& B, bool rim_of_B, bool upper, double margin, const Spots& spots,
             std::vector<TouchPoint>& out)
      : A_(A),
        B_(B),
        feature_{rim_of_B, upper, 0, 0},
        pair_(rim_of_B ? rim_on_wall(B, upper, A, B.world, A.world) : rim_on_wall(A, upper, B, A.world, B.world)),
        margin_(margin),
        tilt_(std::hypot(pair_.motion.R.z.x, pair_.motion.R.z.y)),
        size_(std::min(pair_.rim.profile().size(), pair_.wall.profile().size())),
        spots_(spots),
        out_(out),
        first_(out.size()) {}

  void find() {
    const bool ends = reaches_wall(), crosses = !feature_.rim_of_B && !feature_.upper && tilt_ > skew;
    if (!ends && !crosses) return;
    std::pair<int, int> stack[stack_size];
    int top = 0;
    stack[top++] = {0, 0};
    const PlanarProfile &a = pair_.rim.profile(), &b = pair_.wall.profile();
    while (top > 0) {
      const auto [i, j] = stack[--top];
      const PlanarProfile::Branch &p = a.tree()[i], &q = b.tree()[j];
      if (!boxes_meet(pair_, p.box, q.box, margin_ + 2.0 * tilt_ * pair_.rim.half().z)) continue;
      if (p.left < 0 && q.left < 0) {
        for (int k = p.first; k < p.last; ++k)
          for (int l = q.first; l < q.last; ++l) {
            if (ends) try_pieces(k, l);
            if (crosses) try_crossing(k, l);
          }
      } else if (q.left < 0 || (p.left >= 0 && p.last - p.first >= q.last - q.first)) {
        stack[top++] = {p.left, j}, stack[top++] = {p.right, j};
      } else {
        stack[top++] = {i, q.left}, stack[top++] = {i, q.right};
      }
    }
  }

 private:
  // Whether any point of the rim is as high as the wall.
  bool reaches_wall() const {
    const Plate &rim = pair_.rim, &wall = pair_.wall;
    const Vec3d mid = pair_.motion.point(Vec3d{rim.mid().x, rim.mid().y, pair_.level});
    const double reach = std::abs(pair_.motion.R.x.z) * rim.half().x + std::abs(pair_.motion.R.y.z) * rim.half().y +
                         end_share * size_ + tilt_ * (margin_ + rim.rim() + wall.rim());
    return mid.z + reach >= wall.level(false) && mid.z - reach <= wall.level(true);
  }
  // If both plates end at the same height, the contact is on the rim of A. The plates may be tilted and a little apart.
  // Then each of them may end before the wall of the other one begins. If they are almost parallel, the rim of A may be
  // beyond the wall by that, so that the contact still walks from piece to piece. The error is of the second order in
  // the tilt. Otherwise their rims touch.
  bool is_on_wall(const RimOnWall::Foot& foot) const {
    const double apart = std::max(foot.gap, 0.0) + pair_.rim.rim() + pair_.wall.rim();
    const double overhang = tilt_ < almost_parallel ? tilt_ * apart : 0.0;
    const double beyond = feature_.rim_of_B ? -end_share * size_ : end_share * size_ + overhang;
    return foot.height >= pair_.wall.level(false) - beyond && foot.height <= pair_.wall.level(true) + beyond;
  }
  bool is_on(const PlanarProfile& profile, const Piece& piece, const Vec2& at, const Vec2& out,
             bool other_is_arc) const {
    if (piece.is_segment()) return above(piece, at, end_share * size_);
    return faces(profile, piece, out, angle_slack, other_is_arc ? 0.0 : parallel);
  }
  void try_pieces(int i, int j) {
    const PlanarProfile &a = pair_.rim.profile(), &b = pair_.wall.profile();
    const Piece &p = a.pieces()[i], &q = b.pieces()[j];
    if (!can_touch(p, q)) return;
    const RimOnWall::Foot foot = pair_.foot(p, q);
    if (!(foot.gap <= margin_) || !is_on_wall(foot) || !is_on(a, p, foot.on_rim, foot.out_of_rim, q.is_arc) ||
        !is_on(b, q, foot.on_wall, foot.out_of_wall, p.is_arc))
      return;
    if (!is_near_side(a, p, foot.on_rim, foot.out_of_rim, -foot.gap) ||
        !is_near_side(b, q, foot.on_wall, foot.out_of_wall, -foot.gap))
      return;
    add(i, j, foot);
  }
  // At a joint of two pieces both of them may report the same contact. The nearer one is kept.
  void add(int i, int j, const RimOnWall::Foot& foot) {
    feature_.a = feature_.rim_of_B ? j : i, feature_.b = feature_.rim_of_B ? i : j;
    TouchPoint touch = touch_of_walls(A_, B_, feature_);
    touch.gap = foot.gap;
    for (size_t k = first_; k < out_.size(); ++k) {
      if (!out_[k].walks()) continue;
      const RimOnWall::Foot other = foot_of(out_[k]);
      if (norm(other.on_wall - foot.on_wall) > merge_share * size_ ||
          dot(other.out_of_wall, foot.out_of_wall) < 1.0 - 1e-6)
        continue;
      if (foot.gap < out_[k].gap) out_[k] = touch;
      return;
    }
    const Placed& wall = feature_.rim_of_B ? A_ : B_;
    const Vec3d normal = wall.world.direction(in_space(foot.out_of_wall));
    spots_.is_new(wall.world.point(in_space(foot.on_wall, foot.height)), feature_.rim_of_B ? -normal : normal);
    out_.push_back(touch);
  }
  // Two round walls whose axes are skew may touch between their ends, as two cylinders that cross. Here the rim is that
  // of A.
  void try_crossing(int i, int j) {
    const PlanarProfile &a = pair_.rim.profile(), &b = pair_.wall.profile();
    const Piece &p = a.pieces()[i], &q = b.pieces()[j];
    if (!p.is_round() || !q.is_round()) return;
    const Vec3d axis = pair_.motion.R.z, at = pair_.motion.point(in_space(p.center, pair_.level));
    const Vec2 along = in_plane(axis), d = in_plane(at) - q.center;
    const Vec2 across = (1.0 / tilt_) * turned_left(along), out = dot(across, d) > 0.0 ? across : -across;
    const double gap = dot(out, d) - p.rho - q.rho, s = -dot(d, along) / (tilt_ * tilt_);
    const double on_A = pair_.level + s, on_B = at.z + s * axis.z;
    const auto is_between = [](const Plate& plate, double z) {
      return z > plate.level(false) && z < plate.level(true);
    };
    if (gap > margin_ || !is_between(pair_.rim, on_A) || !is_between(pair_.wall, on_B)) return;
    const Vec2 out_of_A = -in_plane(transposed_times(pair_.motion.R, in_space(out)));
    if (!faces(a, p, out_of_A, angle_slack, 0.0) || !faces(b, q, out, angle_slack, 0.0)) return;
    if (!is_near_side(a, p, p.center + p.rho * out_of_A, out_of_A, -gap) ||
        !is_near_side(b, q, q.center + q.rho * out, out, -gap))
      return;
    TouchPoint& touch = out_.emplace_back();
    touch.form = TouchPoint::Form::edge_edge;
    touch.body_A = A_.body, touch.body_B = B_.body, touch.collider_A = A_.collider, touch.collider_B = B_.collider;
    touch.point_A = A_.local.point(in_space(p.center, on_A)), touch.point_B = B_.local.point(in_space(q.center, on_B));
    touch.radius_A = p.rho, touch.radius_B = q.rho;
    // The product of the two directions, axis × z, points from B to A.
    touch.along = (dot(turned_right(along), out) > 0.0 ? 1.0 : -1.0) * A_.local.R.z, touch.normal = B_.local.R.z;
    touch.gap = gap;
    touch.id = touch_id(A_.collider, B_.collider, static_cast<std::uint64_t>(i) << 30 | static_cast<std::uint64_t>(j));
  }
  RimOnWall::Foot foot_of(const TouchPoint& touch) const {
    const int rim = feature_.rim_of_B ? touch.piece_B : touch.piece_A,
              wall = feature_.rim_of_B ? touch.piece_A : touch.piece_B;
    return pair_.foot(pair_.rim.profile().pieces()[rim], pair_.wall.profile().pieces()[wall]);
  }

  const Placed &A_, &B_;
  WallFeature feature_;
  const RimOnWall pair_;
  const double margin_, tilt_, size_;  // tilt: the sine of the angle between the axes
  const Spots& spots_;
  std::vector<TouchPoint>& out_;
  const size_t first_;
};
}  // namespace

void plate_walls(const Placed& A, const Placed& B, double margin, const Spots& spots, std::vector<TouchPoint>& out) {
  for (const bool of_B : {false, true})
    for (const bool upper : {false, true}) WallSearch(A, B, of_B, upper, margin, spots, out).find();
}

}  // namespace tappet::narrow
