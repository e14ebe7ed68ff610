// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// How the contact of two edges goes on from piece to piece of the outlines.
#include "collision/plate/edges.h"

namespace tappet::narrow {
namespace {

constexpr int most_steps = 16;  // edges that a contact may pass within one step of the run
constexpr double slack = 1e-12;

Edge edge_of(const Placed& shape, std::uint64_t number) {
  if (shape.shape.kind == Shape::Kind::wheel) return circle_of_wheel(shape.shape);
  Edge edge;
  if (shape.shape.kind == Shape::Kind::plate)
    edge_of_plate(plate_of(shape.shape), static_cast<int>(number / 3), static_cast<int>(number % 3), edge);
  else
    edge_of_hull(*shape.shape.core, static_cast<int>(number), edge);
  return edge;
}

// Where the touch point was, in the frame of its body.
Vec3d foot_of(const Vec3d& point, const Vec3d& axis, double ring, std::int16_t start) {
  if (ring == 0.0) return point;
  const auto spokes = normals(axis);
  const double angle = M_PI / 32768.0 * start;
  return point + ring * (std::cos(angle) * spokes[0] + std::sin(angle) * spokes[1]);
}

// The edge onto which a contact at this point, which pushes outward, has left an edge of a plate. Returns false if it
// has not left it, or if there is no such edge. Everything is in the frame of the plate.
bool next_edge(const Placed& shape, const Edge& edge, const Vec3d& at, const Vec3d& outward, Edge& next) {
  if (shape.shape.kind != Shape::Kind::plate) return false;
  const Plate& plate = plate_of(shape.shape);
  const auto pieces = plate.profile().pieces();
  const Piece& piece = pieces[edge.number / 3];
  const int which = static_cast<int>(edge.number % 3);
  int side = 0;
  if (piece.is_segment()) {
    const double along = dot(in_plane(at) - piece.from, piece.along());
    side = along < 0.0 ? -1 : along > piece.length ? 1 : 0;
  } else {
    const Vec2 d = which == 2 ? in_plane(outward) : (piece.is_hollow() ? -1.0 : 1.0) * (in_plane(at) - piece.center);
    if (const double length = norm(d); length > 0.0) side = piece.side_of((1.0 / length) * d, slack);
  }
  const int index = side < 0 ? piece.previous : piece.next;
  if (side == 0 || index < 0 || !edge_of_plate(plate, index, which, next)) return false;
  return (next.tube < 0.0) == (edge.tube < 0.0);
}

// Whether a contact may go on to these edges. Where two straight edges are almost parallel, the place at which they
// cross is far away.
bool may_go_to(const Edge& a, const Edge& b) {
  constexpr double crossing = 0.1;  // sine
  if (!can_touch(a, b)) return false;
  return !a.curve.is_line() || !b.curve.is_line() || norm(cross(a.curve.first, b.curve.first)) > crossing;
}

}  // namespace

TouchPoint walk_edges(const TouchPoint& touch, const Placed& A, const Placed& B, const Pose<double>& frame_A,
                      const Pose<double>& frame_B) {
  const Pose<double> motion = motion_of(frame_A, frame_B);
  const auto in_A = [&](const Vec3d& x) { return transposed_times(motion.R, x); };
  const auto in_shape = [](const Placed& shape, const Vec3d& x) {
    return transposed_times(shape.local.R, x - shape.local.p);
  };
  EdgesFeature feature = EdgesFeature::of(touch.id.feature);
  Edge a = moved(edge_of(A, feature.a), motion), b = edge_of(B, feature.b);
  EdgeFeet feet;
  feet.on_a = motion.point(in_shape(A, foot_of(touch.point_A, touch.along, touch.ring, touch.start[0])));
  feet.on_b = in_shape(B, foot_of(touch.point_B, touch.normal, touch.ring_B, touch.start[1]));
  const double size = std::max(norm(A.shape.half), norm(B.shape.half));
  bool has_left = false;
  for (int k = 0; k < most_steps; ++k) {
    const CurveFeet places =
        CurveFeet::find(a.curve, b.curve, nearest_place(a.curve, feet.on_a), nearest_place(b.curve, feet.on_b));
    feet = {a.curve.at(places.u), b.curve.at(places.v), feet.normal, places.u, places.v};
    if (!choose_normal(a, b, size, feet)) return touch;
    Edge next_a, next_b;
    const bool leaves_a = next_edge(A, a, in_A(feet.on_a - motion.p), in_A(-feet.normal), next_a),
               leaves_b = next_edge(B, b, feet.on_b, feet.normal, next_b);
    if (leaves_a) next_a = moved(next_a, motion);
    if (leaves_a && leaves_b && may_go_to(next_a, next_b))
      a = next_a, b = next_b;
    else if (leaves_a && may_go_to(next_a, b))
      a = next_a;
    else if (leaves_b && may_go_to(a, next_b))
      b = next_b;
    else
      break;
    has_left = true;
  }
  if (!has_left) return touch;
  feature.a = a.number, feature.b = b.number;
  return touch_of_edges(A, B, motion, a, b, feet, feature);
}

}  // namespace tappet::narrow
