// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "collision/profile/outline.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace tappet {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double same_share = 1e-9;    // of the size of the outline: points nearer than this are the same
constexpr double straight = 1e-9;      // the sine of a turn that is no corner
constexpr double largest_piece = 1.5;  // rad; longer arcs are cut
constexpr double radius_share = 1e-5;  // by which the distances of the two ends of an arc from its centre may differ

// An edge as it was given, before the corners are rounded.
struct Edge {
  bool arc;
  Vec2 from, to, center;
  double radius;
  bool left;

  Vec2 tangent_at(const Vec2& p) const {
    if (!arc) return normalized(to - from);
    const Vec2 t = normalized(turned_left(p - center));
    return left ? t : -t;
  }
  Vec2 normal_at(const Vec2& p) const { return turned_right(tangent_at(p)); }
  // How far along the edge a point of it lies: metres on a segment, radians on an arc.
  double position(const Vec2& p) const {
    if (!arc) return dot(p - from, normalized(to - from));
    const double angle = (left ? 1.0 : -1.0) * angle_between(from - center, p - center);
    return angle < -1e-9 ? angle + 2.0 * pi : std::max(0.0, angle);
  }
  double length() const {
    if (!arc) return norm(to - from);
    const double angle = position(to);
    return angle < 1e-9 ? 2.0 * pi : angle;
  }
  Vec2 nearest(const Vec2& p) const {
    if (arc) return center + radius * normalized(p - center);
    const Vec2 t = normalized(to - from);
    return from + dot(t, p - from) * t;
  }
  // The same edge, moved along its outward normal.
  Edge moved(double by) const {
    Edge edge = *this;
    if (arc) {
      edge.radius += left ? by : -by;
    } else {
      const Vec2 n = turned_right(normalized(to - from));
      edge.from = from + by * n, edge.to = to + by * n;
    }
    return edge;
  }
};

void meet_line_circle(const Edge& line, const Edge& circle, std::vector<Vec2>& points) {
  const Vec2 t = normalized(line.to - line.from), w = line.from - circle.center;
  const double b = dot(t, w), under = b * b - dot(w, w) + circle.radius * circle.radius;
  if (under < 0.0) return;
  for (const double sign : {-1.0, 1.0}) points.push_back(line.from + (-b + sign * std::sqrt(under)) * t);
}

std::vector<Vec2> meet(const Edge& e, const Edge& f) {
  std::vector<Vec2> points;
  if (!e.arc && !f.arc) {
    const Vec2 t = normalized(e.to - e.from), w = normalized(f.to - f.from);
    points.push_back(e.from + (cross(f.from - e.from, w) / cross(t, w)) * t);
  } else if (!e.arc || !f.arc) {
    meet_line_circle(e.arc ? f : e, e.arc ? e : f, points);
  } else {
    const Vec2 d = f.center - e.center;
    const double distance = norm(d);
    const double x = (distance * distance + e.radius * e.radius - f.radius * f.radius) / (2.0 * distance);
    const double under = e.radius * e.radius - x * x;
    if (distance > 0.0 && under >= 0.0)
      for (const double sign : {-1.0, 1.0})
        points.push_back(e.center + (x / distance) * d + (sign * std::sqrt(under) / distance) * turned_left(d));
  }
  return points;
}

// A corner after it was rounded.
struct Rounded {
  Vec2 before, after;  // where the previous edge ends and where the next one begins
  bool has_piece = false;
  Piece piece;
};

Rounded round_corner(const OutlineCorner& corner, const Edge& e, const Edge& f) {
  const Vec2 t0 = e.tangent_at(corner.at), t1 = f.tangent_at(corner.at);
  const double turn = cross(t0, t1);
  Rounded result{corner.at, corner.at, false, {}};
  if (dot(t0, t1) > 0.0 && std::abs(turn) < straight) return result;
  if (dot(t0, t1) < 0.0 && std::abs(turn) < 1e-6)
    throw OutlineError(corner.written, "the outline turns back onto itself here; expected an angle between its edges");
  const double r = corner.rounding;
  if (r == 0.0 && turn < 0.0) return result;  // a sharp inner corner touches nothing by itself
  result.has_piece = true;
  Piece& piece = result.piece;
  piece.is_arc = true;
  piece.center = corner.at;
  if (r > 0.0) {
    const double by = turn > 0.0 ? -r : r;
    const std::vector<Vec2> centers = meet(e.moved(by), f.moved(by));
    if (centers.empty())
      throw OutlineError(corner.written, fmt::format("no circle of the radius {:g} touches both edges of this corner; "
                                                     "expected a smaller rounding",
                                                     r));
    const auto nearer = [&](const Vec2& a, const Vec2& b) { return norm(a - corner.at) < norm(b - corner.at); };
    piece.center = *std::min_element(centers.begin(), centers.end(), nearer);
    piece.rho = turn > 0.0 ? r : -r;
    result.before = e.nearest(piece.center), result.after = f.nearest(piece.center);
  }
  piece.from = result.before, piece.to = result.after;
  piece.n0 = e.normal_at(piece.from), piece.n1 = f.normal_at(piece.to);
  return result;
}

// An arc of any length as pieces of at most largest_piece.
void add_arc(const Edge& edge, const Vec2& from, const Vec2& to, double angle, std::vector<Piece>& pieces) {
  const int parts = static_cast<int>(angle / largest_piece) + 1;
  const double step = (edge.left ? angle : -angle) / parts;
  for (int k = 0; k < parts; ++k) {
    Piece piece;
    piece.is_arc = true, piece.center = edge.center, piece.rho = edge.left ? edge.radius : -edge.radius;
    piece.from = k == 0 ? from : edge.center + turned(from - edge.center, k * step);
    piece.to = k + 1 == parts ? to : edge.center + turned(from - edge.center, (k + 1) * step);
    piece.n0 = edge.normal_at(piece.from), piece.n1 = edge.normal_at(piece.to);
    pieces.push_back(piece);
  }
}

void add_edge(const Edge& edge, const Vec2& from, const Vec2& to, double part, double same,
              std::vector<Piece>& pieces) {
  if (edge.arc) {
    if (part * edge.radius > same) add_arc(edge, from, to, part, pieces);
    return;
  }
  if (part <= same) return;
  Piece piece;
  piece.from = from, piece.to = to, piece.length = norm(to - from);
  // The direction is that of the whole edge. A short rest of it would be less exact.
  piece.n0 = piece.n1 = turned_right(normalized(edge.to - edge.from));
  pieces.push_back(piece);
}

double size_of(const Outline& outline) {
  Box2 box;
  for (const OutlineCorner& corner : outline) {
    box.add(corner.at);
    if (corner.arc) box.add(corner.center);
  }
  return norm(box.high - box.low);
}

// Moves the centre so that both ends of the arc lie on it exactly.
Vec2 adjusted_center(const OutlineCorner& corner, const Vec2& next, double same) {
  const double r0 = norm(corner.at - corner.center), r1 = norm(next - corner.center);
  if (!(r0 > same) || std::abs(r0 - r1) > radius_share * r0)
    throw OutlineError(corner.written,
                       fmt::format("the arc begins {:g} m from its centre and ends {:g} m from it; expected the same "
                                   "distance, which is not zero",
                                   r0, r1));
  const Vec2 chord = next - corner.at;
  const double squared = dot(chord, chord);
  if (squared <= same * same) return corner.center;
  const Vec2 middle = 0.5 * (corner.at + next);
  return corner.center - (dot(corner.center - middle, chord) / squared) * chord;
}

std::vector<Edge> edges_of(const Outline& outline, double same) {
  std::vector<Edge> edges;
  for (size_t i = 0; i < outline.size(); ++i) {
    const OutlineCorner &corner = outline[i], &next = outline[(i + 1) % outline.size()];
    if (norm(next.at - corner.at) <= same && !corner.arc)
      throw OutlineError(std::max(corner.written, next.written),
                         fmt::format("the point ({:g}, {:g}) is given twice in a row; expected different "
                                     "points, and the first one not again at the end",
                                     next.at.x, next.at.y));
    Edge edge{corner.arc, corner.at, next.at, {}, 0.0, corner.left};
    if (corner.arc) edge.center = adjusted_center(corner, next.at, same), edge.radius = norm(corner.at - edge.center);
    edges.push_back(edge);
  }
  return edges;
}

// Which of two corners takes more of the edge between them.
int greedier(const Outline& outline, size_t i, double start, double end, double length) {
  return start > length - end ? outline[i].written : outline[(i + 1) % outline.size()].written;
}

std::vector<Piece> build(const Outline& outline) {
  const double same = same_share * size_of(outline);
  const size_t n = outline.size();
  const std::vector<Edge> edges = edges_of(outline, same);
  std::vector<Rounded> corners;
  for (size_t i = 0; i < n; ++i) corners.push_back(round_corner(outline[i], edges[(i + n - 1) % n], edges[i]));
  std::vector<Piece> pieces;
  for (size_t i = 0; i < n; ++i) {
    const Edge& edge = edges[i];
    const Vec2 from = corners[i].after, to = corners[(i + 1) % n].before;
    const double unit = edge.arc ? edge.radius : 1.0, length = edge.length();
    const double start = corners[i].has_piece ? edge.position(from) : 0.0;
    double end = corners[(i + 1) % n].has_piece ? edge.position(to) : length;
    if (edge.arc && end < 1e-9 && outline[(i + 1) % n].rounding == 0.0) end = length;
    if (unit * (end - start) < -same || unit * (start - length) > same || unit * (end - length) > same)
      throw OutlineError(
          greedier(outline, i, start, end, length),
          fmt::format("the roundings at the ends of an edge of {:g} m take {:g} m of it; expected smaller "
                      "ones",
                      unit * length, unit * (start + length - end)));
    const size_t first = pieces.size();
    if (corners[i].has_piece) pieces.push_back(corners[i].piece);
    add_edge(edge, from, to, end - start, same, pieces);
    for (size_t k = first; k < pieces.size(); ++k) pieces[k].written = outline[i].written;
  }
  return pieces;
}

double signed_area(const std::vector<Piece>& pieces) {
  double area = 0.0;
  for (const Piece& piece : pieces) {
    area += 0.5 * cross(piece.from, piece.to);
    if (!piece.is_arc) continue;
    const double angle = std::abs(piece.turn());
    area += 0.5 * piece.rho * std::abs(piece.rho) * (angle - std::sin(angle));
  }
  return area;
}

}  // namespace

Outline circle_outline(const Vec2& center, double radius) {
  return {{.at = center + Vec2{radius, 0.0}, .arc = true, .center = center},
          {.at = center - Vec2{radius, 0.0}, .arc = true, .center = center}};
}

Outline repeated_outline(const Outline& outline, int count) {
  Outline all;
  for (int k = 0; k < count; ++k)
    for (OutlineCorner corner : outline) {
      const double angle = 2.0 * pi * k / count;
      corner.at = turned(corner.at, angle), corner.center = turned(corner.center, angle);
      all.push_back(corner);
    }
  return all;
}

Outline reversed_outline(const Outline& outline) {
  Outline reversed(outline.rbegin(), outline.rend());
  for (size_t i = 0; i < reversed.size(); ++i) {
    // The edge that leaves a corner now is the one that led to it before.
    const OutlineCorner& edge = outline[(2 * outline.size() - 2 - i) % outline.size()];
    reversed[i].arc = edge.arc, reversed[i].left = !edge.left, reversed[i].center = edge.center;
  }
  return reversed;
}

std::vector<Piece> pieces_of(const Outline& outline, bool is_hole) {
  const bool arcs = std::any_of(outline.begin(), outline.end(), [](const OutlineCorner& c) { return c.arc; });
  if (outline.size() < (arcs ? 2u : 3u))
    throw OutlineError(0, fmt::format("found {} points; expected at least three, or two with an arc", outline.size()));
  // The direction follows from the corners without rounding, which is the same as that of the rounded ones.
  Outline sharp = outline;
  for (OutlineCorner& corner : sharp) corner.rounding = 0.0;
  const double size = size_of(outline), area = signed_area(build(sharp));
  if (std::abs(area) < 1e-9 * size * size)
    throw OutlineError(
        0,
        fmt::format("the outline encloses an area of {:g} m²; expected one that is not flat and does not cross itself",
                    area));
  const bool wrong_way = (area < 0.0) != is_hole;
  return build(wrong_way ? reversed_outline(outline) : outline);
}

}  // namespace tappet
