// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "model/geometry/svg_curves.h"

#include <algorithm>

namespace tappet {
namespace {

constexpr int deepest = 14;  // halvings of a curve
constexpr int samples = 24;  // at which the deviation of two arcs from the curve is measured

struct At {
  Vec2 point, tangent;
};

Vec2 unit_or(const Vec2& a, const Vec2& otherwise) { return norm(a) > 0.0 ? normalized(a) : normalized(otherwise); }

At at(const Bezier& c, double s) {
  const double r = 1.0 - s;
  const Vec2 p = (r * r * r) * c[0] + (3.0 * r * r * s) * c[1] + (3.0 * r * s * s) * c[2] + (s * s * s) * c[3];
  const Vec2 d = (r * r) * (c[1] - c[0]) + (2.0 * r * s) * (c[2] - c[1]) + (s * s) * (c[3] - c[2]);
  // Where a control point lies on an end, the tangent is the direction to the next one.
  return {p, unit_or(d, s < 0.5 ? c[2] - c[0] : c[3] - c[1])};
}
At at(const EllipseArc& c, double s) {
  const double angle = c.from + s * c.sweep, sign = c.sweep < 0.0 ? -1.0 : 1.0;
  const Vec2 p{c.rx * std::cos(angle), c.ry * std::sin(angle)}, d{-c.rx * std::sin(angle), c.ry * std::cos(angle)};
  return {c.center + turned(p, c.turn), normalized(sign * turned(d, c.turn))};
}

// The edge from p, with the tangent t there, to q.
OutlineCorner edge(const Vec2& p, const Vec2& t, const Vec2& q) {
  const Vec2 n = turned_left(t), w = q - p;
  const double across = dot(n, w);
  if (std::abs(across) < 1e-9 * norm(w)) return {.at = p};
  return {.at = p, .arc = true, .left = across > 0.0, .center = p + (dot(w, w) / (2.0 * across)) * n};
}
double distance(const OutlineCorner& edge, const Vec2& end, const Vec2& x) {
  if (edge.arc) return std::abs(norm(x - edge.center) - norm(edge.at - edge.center));
  return std::abs(cross(normalized(end - edge.at), x - edge.at));
}

// Two arcs with a common tangent from one place of a curve to another.
struct TwoArcs {
  OutlineCorner first, second;
  Vec2 end;
  TwoArcs(const At& a, const At& b) : end(b.point) {
    const Vec2 v = b.point - a.point, t = a.tangent + b.tangent;
    const double bend = 2.0 * (1.0 - dot(a.tangent, b.tangent)), along = dot(v, t), squared = dot(v, v);
    const double d = bend > 1e-12 ? (std::sqrt(along * along + bend * squared) - along) / bend
                                  : squared / std::max(4.0 * dot(v, b.tangent), 1e-300);
    const Vec2 joint = 0.5 * (a.point + b.point + d * (a.tangent - b.tangent));
    first = edge(a.point, a.tangent, joint);
    // The tangent at the joint is that of the second arc backwards from its end.
    const OutlineCorner back = edge(b.point, -b.tangent, joint);
    second = {.at = joint, .arc = back.arc, .left = !back.left, .center = back.center};
  }
  double deviation(const Vec2& x) const { return std::min(distance(first, second.at, x), distance(second, end, x)); }
};

template <class Curve>
bool append(const Curve& curve, double from, double to, double tolerance, int depth, Outline& outline) {
  const TwoArcs arcs(at(curve, from), at(curve, to));
  double worst = 0.0;
  for (int k = 1; k < samples; ++k)
    worst = std::max(worst, arcs.deviation(at(curve, from + (to - from) * k / samples).point));
  if (!(worst <= tolerance))
    return depth < deepest && append(curve, from, 0.5 * (from + to), tolerance, depth + 1, outline) &&
           append(curve, 0.5 * (from + to), to, tolerance, depth + 1, outline);
  outline.push_back(arcs.first), outline.push_back(arcs.second);
  return true;
}

}  // namespace

// A curve that turns by more than a right angle is not sampled as one pair of arcs.
bool append_arcs(const Bezier& curve, double tolerance, Outline& outline) {
  return append(curve, 0.0, 0.5, tolerance, 0, outline) && append(curve, 0.5, 1.0, tolerance, 0, outline);
}
bool append_arcs(const EllipseArc& curve, double tolerance, Outline& outline) {
  bool reached = true;
  for (int k = 0; k < 4; ++k) reached = reached && append(curve, 0.25 * k, 0.25 * (k + 1), tolerance, 0, outline);
  return reached;
}

}  // namespace tappet
