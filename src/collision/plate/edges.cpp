// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "collision/plate/edges.h"

#include <algorithm>
#include <cmath>

#include "collision/profile/facing.h"

namespace tappet::narrow {
namespace {

constexpr double leaning = 0.2;  // sine of the angle by which the normal of a contact may lie beyond those of the edge
constexpr double parallel_lines = 1e-3;  // sine: lines that cross at a smaller angle touch at their ends
constexpr double crossing = 0.1;         // the same between tangents of circles, as in elements/contacts/curve_curve.h
constexpr double largest_part = 0.2;     // rad, of a circle that is searched

// The directions of an arc in the plane that it covers, with a part of those of segments next to it.
void cover(const PlanarProfile& profile, const Piece& arc, Edge& edge) {
  const auto beyond = [&](int next) {
    return next >= 0 && profile.pieces()[next].is_segment() ? parallel : angle_slack;
  };
  const bool hollow = arc.is_hollow();
  const double turn = std::abs(arc.turn());
  // A hollow arc is passed clockwise; its spokes point against the normals.
  const Vec2 first = hollow ? -arc.n1 : arc.n0;
  edge.from = std::atan2(first.y, first.x) - beyond(hollow ? arc.next : arc.previous);
  edge.to = std::atan2(first.y, first.x) + turn + beyond(hollow ? arc.previous : arc.next);
}

// The direction of the surface that the foot on an arc shares with the first normal.
Vec3d first_normal(const Edge& edge, double place) {
  return edge.curve.is_line() ? edge.normals[0] : (-edge.side / edge.curve.radius) * edge.curve.bend(place);
}
// A direction to the outside. A segment has none, nor has half a cylinder.
Vec3d outward_of(const Edge& edge, double place) {
  return edge.kind == Edge::Kind::segment ? Vec3d{} : first_normal(edge, place) + edge.normals[1];
}

// An angle between from and from + 2π.
double wrapped(double angle, double from) { return angle - 2.0 * M_PI * std::floor((angle - from) / (2.0 * M_PI)); }

}  // namespace

double nearest_place(const CurveOf<double>& curve, const Vec3d& x) {
  const Vec3d d = x - curve.center;
  return curve.is_line() ? dot(d, curve.first) : std::atan2(dot(d, curve.second), dot(d, curve.first));
}

bool edge_of_plate(const Plate& plate, int index, int which, Edge& edge) {
  const PlanarProfile& profile = plate.profile();
  const Piece& piece = profile.pieces()[index];
  edge = {};
  edge.number = 3 * static_cast<std::uint64_t>(index) + which;
  edge.side = piece.is_hollow() ? -1.0 : 1.0;
  if (which == 2) {
    if (piece.is_segment()) return false;
    edge.kind = Edge::Kind::wall, edge.axis = {0.0, 0.0, 1.0}, edge.tube = piece.rho;
    edge.curve = {in_space(piece.center), edge.axis, {}, 0.0};
    edge.from = plate.level(false), edge.to = plate.level(true);
    edge.normals[0] = in_space(piece.n0), edge.normals[1] = in_space(piece.n1);
    return true;
  }
  const double level = plate.level(which == 1);
  edge.tube = plate.rim();
  edge.normals[0] = in_space(piece.n0), edge.normals[1] = {0.0, 0.0, which == 1 ? 1.0 : -1.0};
  if (piece.is_segment()) {
    edge.axis = in_space(piece.along()), edge.to = piece.length;
    edge.curve = {in_space(piece.from - plate.rim() * piece.n0, level), edge.axis, {}, 0.0};
    return true;
  }
  const double radius = std::abs(plate.ring(piece));
  if (radius <= 1e-9 * profile.size()) return false;  // a corner
  edge.axis = {0.0, 0.0, 1.0};
  edge.curve = {in_space(piece.center, level), {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, radius};
  cover(profile, piece, edge);
  return true;
}

bool edge_of_hull(const Hull& hull, int index, Edge& edge) {
  const Hull::Edge& e = hull.edges[index];
  edge = {};
  edge.kind = e.left >= 0 ? Edge::Kind::solid : Edge::Kind::segment;
  edge.number = static_cast<std::uint64_t>(index), edge.axis = e.along, edge.tube = hull.radius;
  edge.curve = {hull.vertices[e.from], e.along, {}, 0.0};
  edge.to = norm(hull.vertices[e.to] - hull.vertices[e.from]);
  if (e.left >= 0) edge.normals[0] = hull.faces[e.left].normal, edge.normals[1] = hull.faces[e.right].normal;
  return true;
}

Edge circle_of_wheel(const Shape& wheel) {
  Edge edge;
  edge.kind = Edge::Kind::segment, edge.axis = {0.0, 0.0, 1.0}, edge.tube = wheel.radius;
  edge.curve = {{}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, wheel.circle()};
  edge.from = -M_PI, edge.to = M_PI + angle_slack;
  return edge;
}

Edge moved(const Edge& edge, const Pose<double>& motion) {
  Edge m = edge;
  m.curve.center = motion.point(edge.curve.center), m.curve.first = motion.direction(edge.curve.first);
  m.curve.second = motion.direction(edge.curve.second), m.axis = motion.direction(edge.axis);
  for (int k = 0; k < 2; ++k) m.normals[k] = motion.direction(edge.normals[k]);
  return m;
}

bool allows(const Edge& edge, double place, const Vec3d& out, double size) {
  const double slack = end_share * size;
  if (edge.curve.is_line()) {
    if (place < edge.from - slack || place > edge.to + slack) return false;
  } else if (wrapped(place, edge.from) > edge.to) {
    return false;
  }
  if (edge.kind == Edge::Kind::segment) return true;
  if (edge.kind == Edge::Kind::rim) {
    return dot(out, first_normal(edge, place)) >= -leaning && dot(out, edge.normals[1]) >= -leaning;
  }
  // Between two normals: on the inner side of each of them. A sharp or round wall turns by less than half a turn.
  const Vec3d &m = edge.normals[0], &n = edge.normals[1];
  const double beyond = edge.kind == Edge::Kind::wall ? angle_slack : leaning, sign = edge.tube < 0.0 ? -1.0 : 1.0;
  const Vec3d turn = sign * edge.axis;
  const bool forward = edge.kind == Edge::Kind::wall || dot(cross(m, n), turn) >= 0.0;
  const Vec3d axis = forward ? turn : -turn;
  return dot(cross(m, out), axis) >= -beyond && dot(cross(out, n), axis) >= -beyond &&
         (dot(m, out) >= 0.0 || dot(n, out) >= 0.0);
}

// Lines that are almost parallel touch at their ends. Only the round rim of a smaller part touches a hollow wall from
// inside.
bool can_touch(const Edge& a, const Edge& b) {
  if (a.tube < 0.0) return false;
  if (a.curve.is_line() && b.curve.is_line()) {
    const double cosine = dot(a.curve.first, b.curve.first);
    if (1.0 - cosine * cosine < parallel_lines * parallel_lines) return false;
  }
  return b.tube >= 0.0 ||
         (a.kind == Edge::Kind::rim && !a.curve.is_line() && a.side > 0.0 && a.curve.radius + a.tube < -b.tube);
}

void EdgePairs::add(const Edge& a, const Edge& b) {
  const Vec3d d = a.middle() - b.middle();
  const double reach = a.reach() + b.reach() + a.tube + std::abs(b.tube) + margin_;
  if (dot(d, d) > reach * reach || !can_touch(a, b)) return;
  found_ = 0;
  if (a.curve.is_line() && b.curve.is_line()) return cross_lines(a, b);
  const bool on_A = !a.curve.is_line() && (b.curve.is_line() || a.to - a.from <= b.to - b.from);
  on_A ? search_circle<true>(a, b) : search_circle<false>(a, b);
}

void EdgePairs::cross_lines(const Edge& a, const Edge& b) {
  const Vec3d &e = a.curve.first, &g = b.curve.first, d = a.curve.center - b.curve.center;
  const double cosine = dot(e, g), square = 1.0 - cosine * cosine;
  const double along_e = dot(d, e), along_g = dot(d, g);
  try_feet(a, b, (cosine * along_g - along_e) / square, (along_g - cosine * along_e) / square);
}

// Between two places of a circle, the other curve comes nearest (or, if it is a hollow wall, is furthest away) where
// the slope of the distance changes its sign.
template <bool on_A>
void EdgePairs::search_circle(const Edge& a, const Edge& b) {
  const Edge& here = on_A ? a : b;
  const CurveOf<double>&circle = here.curve, &other = (on_A ? b : a).curve;
  const double sign = b.tube < 0.0 ? -1.0 : 1.0;
  const auto slope = [&](double place) {
    const Vec3d x = circle.at(place);
    return sign * dot(x - other.at(nearest_place(other, x)), circle.tangent(place));
  };
  const int parts = std::max(2, static_cast<int>(std::ceil((here.to - here.from) / largest_part)));
  const auto place_of = [&](int k) { return here.from + (here.to - here.from) * k / parts; };
  double before = slope(place_of(0));
  for (int k = 1; k <= parts; ++k) {
    const double after = slope(place_of(k));
    if (before <= 0.0 && after > 0.0) {
      double low = place_of(k - 1), high = place_of(k);
      for (int round = 0; round < 8; ++round) {
        const double middle = 0.5 * (low + high);
        (slope(middle) <= 0.0 ? low : high) = middle;
      }
      const double place = 0.5 * (low + high), there = nearest_place(other, circle.at(place));
      const CurveFeet feet = CurveFeet::find(a.curve, b.curve, on_A ? place : there, on_A ? there : place);
      if (std::abs((on_A ? feet.u : feet.v) - place) < largest_part) try_feet(a, b, feet.u, feet.v);
    }
    before = after;
  }
}

bool choose_normal(const Edge& a, const Edge& b, double size, EdgeFeet& feet) {
  const Vec3d e = a.curve.tangent(feet.u), g = b.curve.tangent(feet.v), product = cross(e, g),
              d = feet.on_a - feet.on_b;
  const double length = norm(product), distance = norm(d);
  const bool crosses = (a.curve.is_line() && b.curve.is_line()) || length > crossing * norm(e) * norm(g);
  if (b.tube < 0.0) {
    feet.normal = (-1.0 / distance) * d;
    return distance > 0.0;
  }
  if (!crosses) {
    if (distance <= 1e-12 * size) return false;
    feet.normal = (1.0 / distance) * d;
    return true;
  }
  feet.normal = (1.0 / length) * product;
  // Sharp edges may lie in each other. Then the surfaces that meet in them tell which side is outside.
  const Vec3d outward = outward_of(b, feet.v) - outward_of(a, feet.u);
  const double side = dot(outward, outward) > 0.25 ? dot(outward, feet.normal) : dot(d, feet.normal);
  if (side < 0.0) feet.normal = -feet.normal;
  return true;
}

bool EdgePairs::is_of_walls(const Edge& a, const Edge& b, const Vec3d& normal) const {
  constexpr double level = 1e-9;
  return tilt_ >= 0.0 && !(a.curve.is_line() && b.curve.is_line()) && std::abs(normal.z) <= 2.0 * tilt_ + level;
}

void EdgePairs::try_feet(const Edge& a, const Edge& b, double u, double v) {
  EdgeFeet feet{a.curve.at(u), b.curve.at(v), {}, u, v};
  if (!choose_normal(a, b, size_, feet)) return;
  const double gap = dot(feet.normal, feet.on_a - feet.on_b) - a.tube - b.tube;
  if (!(gap <= margin_) || gap < -deepest_ || !allows(a, u, -feet.normal, size_) || !allows(b, v, feet.normal, size_))
    return;
  if (is_of_walls(a, b, feet.normal)) return;
  const Vec3d normal = B_.world.direction(feet.normal);
  if (spots_.is_new(B_.world.point(feet.on_b + b.tube * feet.normal), swapped_ ? -normal : normal))
    out_.push_back(touch_of_edges(A_, B_, motion_, a, b, feet, {found_++, swapped_, a.number, b.number}));
}

TouchPoint touch_of_edges(const Placed& A, const Placed& B, const Pose<double>& motion, const Edge& a, const Edge& b,
                          const EdgeFeet& feet, const EdgesFeature& feature) {
  TouchPoint touch;
  touch.form = TouchPoint::Form::curve_curve;
  touch.body_A = A.body, touch.body_B = B.body, touch.collider_A = A.collider, touch.collider_B = B.collider;
  touch.radius_A = a.tube, touch.radius_B = b.tube;
  touch.gap = dot(feet.normal, feet.on_a - feet.on_b) - a.tube - b.tube;
  touch.ring = a.curve.radius, touch.ring_B = b.curve.radius;
  // The product of the tangents points from B to A.
  const double side = dot(cross(a.curve.tangent(feet.u), b.curve.tangent(feet.v)), feet.normal) >= 0.0 ? 1.0 : -1.0;
  const Vec3d axis_A = transposed_times(motion.R, a.axis);
  touch.along = A.local.direction(axis_A), touch.normal = side * B.local.direction(b.axis);
  // A line begins at its foot. The angle on a circle is counted from a spoke that follows from its axis in the body.
  const auto place = [](const Placed& shape, const Edge& edge, const Vec3d& foot, const Vec3d& center,
                        const Vec3d& axis, Vec3d& point) {
    point = shape.local.point(edge.curve.is_line() ? foot : center);
    if (edge.curve.is_line()) return std::int16_t{0};
    const auto spokes = normals(axis);
    const Vec3d spoke = shape.local.direction(foot - center);
    const double angle = std::atan2(dot(spoke, spokes[1]), dot(spoke, spokes[0]));
    return static_cast<std::int16_t>(std::clamp(angle / M_PI * 32768.0, -32767.0, 32767.0));
  };
  const auto back = [&](const Vec3d& x) { return transposed_times(motion.R, x - motion.p); };
  touch.start[0] = place(A, a, back(feet.on_a), back(a.curve.center), touch.along, touch.point_A);
  touch.start[1] = place(B, b, feet.on_b, b.curve.center, touch.normal, touch.point_B);
  if (A.shape.kind == Shape::Kind::plate) touch.piece_A = static_cast<int>(a.number);
  if (B.shape.kind == Shape::Kind::plate) touch.piece_B = static_cast<int>(b.number);
  touch.id = touch_id(A.collider, B.collider, feature.number());
  return touch;
}

}  // namespace tappet::narrow
