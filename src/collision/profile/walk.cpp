// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "collision/profile/walk.h"

#include <algorithm>

#include "collision/plate/edges.h"
#include "collision/plate/rim_on_wall.h"

namespace tappet {
namespace {

constexpr int most_steps = 16;  // pieces that a contact may pass within one step of the run
constexpr double slack = 1e-12;

// What a shape shows to the other one: a piece of an outline, a disc, or the surface of a half-space.
Piece piece_of(const Shape& shape, int index) {
  if (index >= 0) return profile_of(shape).pieces()[index];
  Piece disc;
  disc.is_arc = true, disc.rho = shape.radius;
  return disc;
}

Vec3d in_space(const Vec2& a) { return {a.x, a.y, 0.0}; }

struct Pair {
  const Placed &A, &B;
  Motion2 motion;  // of B, seen from A
  int a, b;
  Piece piece_a, piece_b;

  void set(int new_a, int new_b) {
    a = new_a, b = new_b;
    piece_a = piece_of(A.shape, a), piece_b = piece_of(B.shape, b);
  }
  // The normal from B to A, in the frame of A.
  Vec2 normal() const {
    if (piece_b.is_segment()) return motion.turn(piece_b.n0);
    if (piece_a.is_segment()) return -piece_a.n0;
    const Vec2 d = piece_a.center - motion.point(piece_b.center);
    const double length = norm(d);
    if (length < 1e-20) return {1.0, 0.0};
    return (piece_a.is_hollow() || piece_b.is_hollow() ? -1.0 / length : 1.0 / length) * d;
  }
};

// −1, 1: the contact has left the piece at its beginning or at its end. `normal` is the outward normal at the contact
// and `partner` the centre of the other piece, both in the frame of this one.
int side_left(const Piece& piece, int index, const Vec2& normal, const Vec2& partner) {
  if (index < 0) return 0;
  if (piece.is_arc) return piece.side_of(normal, slack);
  const double along = dot(partner - piece.from, piece.along());
  return along < 0.0 ? -1 : along > piece.length ? 1 : 0;
}

int neighbour(const Piece& piece, int index, int side) {
  return side == 0 ? index : side < 0 ? piece.previous : piece.next;
}

// Moves one or both pieces on. Returns false if the contact is on its pieces, or if it cannot go on.
bool step(Pair& pair) {
  const Vec2 n = pair.normal();
  const int side_a = side_left(pair.piece_a, pair.a, -n, pair.motion.point(pair.piece_b.center));
  const int side_b =
      side_left(pair.piece_b, pair.b, pair.motion.turn_back(n), pair.motion.point_back(pair.piece_a.center));
  const int next_a = neighbour(pair.piece_a, pair.a, side_a), next_b = neighbour(pair.piece_b, pair.b, side_b);
  const auto try_on = [&](int a, int b, bool leaves) {
    if (!leaves || (a < 0 && pair.a >= 0) || (b < 0 && pair.b >= 0)) return false;
    if (!can_touch(piece_of(pair.A.shape, a), piece_of(pair.B.shape, b))) return false;
    pair.set(a, b);
    return true;
  };
  return try_on(next_a, next_b, side_a != 0 && side_b != 0) || try_on(next_a, pair.b, side_a != 0) ||
         try_on(pair.a, next_b, side_b != 0);
}

// Which pieces touch; −1 is a shape that is no profile.
struct Pieces {
  int a, b;
  friend bool operator==(const Pieces&, const Pieces&) = default;
};

// A profile on a plane: only its convex arcs touch it.
Pieces walk_on_plane(const Placed& A, const Vec2& inward, Pieces from) {
  const auto pieces = profile_of(A.shape).pieces();
  for (int k = 0; k < most_steps; ++k) {
    const int side = pieces[from.a].side_of(inward, slack), next = neighbour(pieces[from.a], from.a, side);
    if (side == 0 || next < 0 || !pieces[next].is_round()) break;
    from.a = next;
  }
  return from;
}

// The pieces on which a contact is if the frames of the shapes are at these poses.
Pieces walk(const Placed& A, const Placed& B, const Pose<double>& frame_A, const Pose<double>& frame_B, Pieces from) {
  if (B.shape.kind == Shape::Kind::half_space) {
    const Vec3d n = transposed_times(frame_A.R, frame_B.R.z);
    return walk_on_plane(A, {-n.x, -n.y}, from);
  }
  Pair pair{A, B, motion_between(frame_A, frame_B), 0, 0, {}, {}};
  pair.set(from.a, from.b);
  for (int k = 0; k < most_steps && step(pair); ++k) {
  }
  return {pair.a, pair.b};
}

std::uint64_t feature_of(Pieces pieces) {
  return static_cast<std::uint64_t>(pieces.a + 1) << 32 | static_cast<std::uint64_t>(pieces.b + 1);
}
}  // namespace

Motion2 motion_between(const Pose<double>& A, const Pose<double>& B) {
  const Vec3d p = transposed_times(A.R, B.p - A.p), x = transposed_times(A.R, B.R.x);
  return {{p.x, p.y}, x.x, x.y};
}

bool can_touch(const Piece& a, const Piece& b) {
  if (a.is_segment() || b.is_segment()) return a.is_round() || b.is_round();
  if (a.is_round() && b.is_round()) return true;
  return a.rho + b.rho < 0.0 && (a.is_round() || b.is_round());
}

TouchPoint touch_of_pieces(const Placed& A, int a, const Placed& B, int b) {
  using Form = TouchPoint::Form;
  const Piece p = piece_of(A.shape, a), q = piece_of(B.shape, b);
  TouchPoint touch;
  touch.body_A = A.body, touch.body_B = B.body, touch.collider_A = A.collider, touch.collider_B = B.collider;
  touch.piece_A = a, touch.piece_B = b;
  touch.id = touch_id(A.collider, B.collider, feature_of({a, b}));
  touch.radius_A = p.is_arc ? std::abs(p.rho) : 0.0, touch.radius_B = q.is_arc ? std::abs(q.rho) : 0.0;
  touch.point_A = A.local.point(in_space(p.is_arc ? p.center : p.from));
  if (B.shape.kind == Shape::Kind::half_space) {
    touch.form = Form::ball_plane, touch.radius_B = 0.0;
    touch.point_B = B.local.p, touch.normal = B.local.R.z;
    return touch;
  }
  touch.point_B = B.local.point(in_space(q.is_arc ? q.center : q.from));
  if (p.is_segment())
    touch.form = Form::plane_ball, touch.normal = A.local.direction(in_space(p.n0));
  else if (q.is_segment())
    touch.form = Form::ball_plane, touch.normal = B.local.direction(in_space(q.n0));
  else
    touch.form = p.is_hollow() ? Form::bowl_on_ball : q.is_hollow() ? Form::ball_in_bowl : Form::ball_ball;
  return touch;
}

TouchPoint walked(const TouchPoint& touch, const Placed& A, const Placed& B, const Pose<double>& body_A,
                  const Pose<double>& body_B) {
  const Pose<double> frame_A{body_A.point(A.local.p), body_A.R * A.local.R},
      frame_B{body_B.point(B.local.p), body_B.R * B.local.R};
  if (touch.form == TouchPoint::Form::curve_curve) return narrow::walk_edges(touch, A, B, frame_A, frame_B);
  if (A.shape.kind == Shape::Kind::plate) {
    const WallFeature feature = WallFeature::of(touch.id.feature), now = walk_walls(A, B, frame_A, frame_B, feature);
    return now == feature ? touch : touch_of_walls(A, B, now);
  }
  const Pieces from{touch.piece_A, touch.piece_B}, to = walk(A, B, frame_A, frame_B, from);
  return to == from ? touch : touch_of_pieces(A, to.a, B, to.b);
}

}  // namespace tappet
