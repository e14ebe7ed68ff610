// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// The contacts of outlines. All functions here work in the frame of one of the two shapes, in the plane.
#include <algorithm>

#include "collision/profile/facing.h"
#include "collision/profile/walk.h"

namespace tappet::narrow {
namespace {

struct Contact {
  double gap;
  Vec2 foot_A, foot_B, normal;  // feet in the frames of their shapes; the normal from B to A in that of A
};

// The contact of two outlines, or of a disc and an outline, as far as both are known.
struct Search {
  const Placed &A, &B;
  const PlanarProfile* profile_A;  // null: A is a disc
  const PlanarProfile& profile_B;
  Motion2 motion;  // of B, seen from A
  double margin, size;
  std::vector<TouchPoint>& out;

  bool contact(const Piece& a, const Piece& b, Contact& c) const;
  bool arcs(const Piece& a, const Piece& b, Contact& c) const;
  bool arc_on_segment(const Piece& a, const Piece& b, Contact& c) const;
  bool segment_on_arc(const Piece& a, const Piece& b, Contact& c) const;
  bool faces_A(const Piece& a, const Vec2& m, double parallel_slack) const {
    return !profile_A || faces(*profile_A, a, m, angle_slack, parallel_slack);
  }
  bool faces_B(const Piece& b, const Vec2& m, double parallel_slack) const {
    return faces(profile_B, b, m, angle_slack, parallel_slack);
  }
  void try_pair(int i, const Piece& a, int j);
};

// Arcs of which at most one is hollow.
bool Search::arcs(const Piece& a, const Piece& b, Contact& c) const {
  const Vec2 d = a.center - motion.point(b.center);
  const double distance = norm(d), sign = a.is_hollow() || b.is_hollow() ? -1.0 : 1.0;
  c.gap = sign * distance - a.rho - b.rho;
  if (c.gap > margin || distance < 1e-14 * size) return false;
  c.normal = (sign / distance) * d;
  const Vec2 back = motion.turn_back(c.normal);
  if (!faces_A(a, -c.normal, 0.0) || !faces_B(b, back, 0.0)) return false;
  c.foot_A = a.center - a.rho * c.normal, c.foot_B = b.center + b.rho * back;
  return true;
}

bool Search::arc_on_segment(const Piece& a, const Piece& b, Contact& c) const {
  const Vec2 center = motion.point_back(a.center);
  c.gap = dot(b.n0, center - b.from) - a.rho;
  if (c.gap > margin || !above(b, center, end_share * size)) return false;
  c.normal = motion.turn(b.n0);
  c.foot_A = a.center - a.rho * c.normal, c.foot_B = center - (c.gap + a.rho) * b.n0;
  return faces_A(a, -c.normal, parallel);
}

bool Search::segment_on_arc(const Piece& a, const Piece& b, Contact& c) const {
  const Vec2 center = motion.point(b.center);
  c.gap = dot(a.n0, center - a.from) - b.rho;
  if (c.gap > margin || !above(a, center, end_share * size)) return false;
  c.normal = -a.n0;
  const Vec2 back = motion.turn_back(c.normal);
  c.foot_A = center - (c.gap + b.rho) * a.n0, c.foot_B = b.center + b.rho * back;
  return faces_B(b, back, parallel);
}

bool Search::contact(const Piece& a, const Piece& b, Contact& c) const {
  if (!can_touch(a, b)) return false;
  return a.is_segment() ? segment_on_arc(a, b, c) : b.is_segment() ? arc_on_segment(a, b, c) : arcs(a, b, c);
}

void Search::try_pair(int i, const Piece& a, int j) {
  const Piece& b = profile_B.pieces()[j];
  Contact c;
  if (!contact(a, b, c)) return;
  if (profile_A && !is_near_side(*profile_A, a, c.foot_A, -c.normal, -c.gap)) return;
  if (!is_near_side(profile_B, b, c.foot_B, motion.turn_back(c.normal), -c.gap)) return;
  TouchPoint touch = touch_of_pieces(A, i, B, j);
  touch.gap = c.gap;
  out.push_back(touch);
}

bool next_to(const Placed& placed, int i, int j) {
  if (i == j || i < 0) return true;
  const Piece& piece = profile_of(placed.shape).pieces()[i];
  return piece.previous == j || piece.next == j;
}

// Where a touch point is, and its normal from B to A. Both in the world.
struct Spot {
  Vec3d point, normal;
};
Spot spot_of(const TouchPoint& t, const Pose<double>& A, const Pose<double>& B) {
  using Form = TouchPoint::Form;
  const Vec3d a = A.point(t.point_A), b = B.point(t.point_B);
  if (t.form == Form::ball_plane) {
    const Vec3d n = B.direction(t.normal);
    return {a - t.radius_A * n, n};
  }
  if (t.form == Form::plane_ball) {
    const Vec3d n = -A.direction(t.normal);
    return {b + (t.radius_B + t.gap) * n, n};
  }
  const Vec3d d = normalized(a - b), n = t.form == Form::ball_ball ? d : -d;
  return {t.form == Form::bowl_on_ball ? a + t.radius_A * n : a - t.radius_A * n, n};
}

// At a joint of two pieces both of them may report the same contact. The nearer one is kept.
void merge(const Placed& A, const Placed& B, double near, size_t first, std::vector<TouchPoint>& out) {
  // The touch points are in the frames of the bodies. A pose of the body follows from that of the shape.
  const auto body = [](const Placed& c) {
    const Mat3d R = c.body < 0 ? Mat3d::identity() : c.world.R * transpose(c.local.R);
    return Pose<double>{c.body < 0 ? Vec3d{} : c.world.p - R * c.local.p, R};
  };
  const Pose<double> pose_A = body(A), pose_B = body(B);
  for (size_t i = first; i < out.size(); ++i)
    for (size_t j = i + 1; j < out.size();) {
      bool same = next_to(A, out[i].piece_A, out[j].piece_A) && next_to(B, out[i].piece_B, out[j].piece_B);
      if (same) {
        const Spot x = spot_of(out[i], pose_A, pose_B), y = spot_of(out[j], pose_A, pose_B);
        same = norm(x.point - y.point) < near && dot(x.normal, y.normal) > 1.0 - 1e-6;
      }
      if (!same) {
        ++j;
        continue;
      }
      if (out[j].gap < out[i].gap) out[i] = out[j];
      out.erase(out.begin() + static_cast<std::ptrdiff_t>(j));
    }
}

bool boxes_meet(const Box2& a, const Box2& b, const Motion2& motion, double margin) {
  const Vec2 mid = motion.point(0.5 * (b.low + b.high)), half = 0.5 * (b.high - b.low);
  const double c = std::abs(motion.c), s = std::abs(motion.s);
  const double x = c * half.x + s * half.y + margin, y = s * half.x + c * half.y + margin;
  return mid.x + x >= a.low.x && mid.x - x <= a.high.x && mid.y + y >= a.low.y && mid.y - y <= a.high.y;
}

constexpr int stack_size = 256;  // a tree of a million pieces is 20 deep

}  // namespace

void profile_profile(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {
  const PlanarProfile &a = profile_of(A.shape), &b = profile_of(B.shape);
  Search search{A, B, &a, b, motion_between(A.world, B.world), margin, std::min(a.size(), b.size()), out};
  const size_t first = out.size();
  std::pair<int, int> stack[stack_size];
  int top = 0;
  stack[top++] = {0, 0};
  while (top > 0) {
    const auto [i, j] = stack[--top];
    const PlanarProfile::Branch &p = a.tree()[i], &q = b.tree()[j];
    if (!boxes_meet(p.box, q.box, search.motion, margin)) continue;
    if (p.left < 0 && q.left < 0) {
      for (int k = p.first; k < p.last; ++k)
        for (int l = q.first; l < q.last; ++l) search.try_pair(k, a.pieces()[k], l);
    } else if (q.left < 0 || (p.left >= 0 && p.last - p.first >= q.last - q.first)) {
      stack[top++] = {p.left, j}, stack[top++] = {p.right, j};
    } else {
      stack[top++] = {i, q.left}, stack[top++] = {i, q.right};
    }
  }
  if (out.size() - first > 1) merge(A, B, merge_share * search.size, first, out);
}

void circle_profile(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {
  const PlanarProfile& b = profile_of(B.shape);
  const Pose<double> frame{A.world.p};  // a disc looks the same in every direction
  Search search{A, B, nullptr, b, motion_between(frame, B.world), margin, b.size(), out};
  const size_t first = out.size();
  Piece disc;
  disc.is_arc = true, disc.rho = A.shape.radius;
  const Vec2 center = search.motion.point_back({});
  const double reach = disc.rho + margin;
  int stack[stack_size], top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const PlanarProfile::Branch& q = b.tree()[stack[--top]];
    if (center.x + reach < q.box.low.x || center.x - reach > q.box.high.x || center.y + reach < q.box.low.y ||
        center.y - reach > q.box.high.y)
      continue;
    if (q.left >= 0) stack[top++] = q.left, stack[top++] = q.right;
    for (int l = q.first; q.left < 0 && l < q.last; ++l) search.try_pair(-1, disc, l);
  }
  if (out.size() - first > 1) merge(A, B, merge_share * b.size(), first, out);
}

void profile_plane(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {
  const PlanarProfile& a = profile_of(A.shape);
  const Vec3d local = transposed_times(A.world.R, B.world.R.z);
  const Vec2 n{local.x, local.y};
  const double offset = dot(B.world.R.z, B.world.p - A.world.p);
  const size_t first = out.size();
  int stack[stack_size], top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const PlanarProfile::Branch& p = a.tree()[stack[--top]];
    const Vec2 lowest{n.x > 0.0 ? p.box.low.x : p.box.high.x, n.y > 0.0 ? p.box.low.y : p.box.high.y};
    if (dot(n, lowest) - offset > margin) continue;
    if (p.left >= 0) stack[top++] = p.left, stack[top++] = p.right;
    for (int k = p.first; p.left < 0 && k < p.last; ++k) {
      const Piece& piece = a.pieces()[k];
      if (!piece.is_round()) continue;
      const double gap = dot(n, piece.center) - offset - piece.rho;
      if (gap > margin || !faces(a, piece, -n, angle_slack, parallel)) continue;
      out.push_back(touch_of_pieces(A, k, B, -1));
      out.back().gap = gap;
    }
  }
  if (out.size() - first > 1) merge(A, B, merge_share * a.size(), first, out);
}

}  // namespace tappet::narrow
