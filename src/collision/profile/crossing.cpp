// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <utility>

#include "collision/profile/outline.h"

namespace tappet {
namespace {

constexpr double joint_share = 1e-6;   // of the size: how near to a common end two neighbours may meet
constexpr double same_circle = 1e-12;  // of the radius: what the centres and the radii of two arcs may differ

bool on_segment(const Piece& segment, const Vec2& p) {
  const double s = dot(p - segment.from, segment.along());
  return s >= 0.0 && s <= segment.length;
}
bool on_arc(const Piece& arc, const Vec2& p) {
  const Vec2 m = (1.0 / arc.rho) * (p - arc.center);
  return arc.side_of(normalized(m), 0.0) == 0;
}

// Where one piece lies on the other, at least one of its ends does.
template <class On>
void add_common_ends(const Piece& a, const Piece& b, const On& on, Meeting& meeting) {
  for (const auto& [piece, other] : {std::pair{&a, &b}, std::pair{&b, &a}})
    for (const Vec2& end : {other->from, other->to})
      if (meeting.count < 2 && on(*piece, end)) meeting.add(end);
}

Meeting meet_segments(const Piece& a, const Piece& b) {
  Meeting meeting;
  const Vec2 t = a.along(), w = b.along();
  const double across = cross(t, w);
  if (std::abs(across) < 1e-12) {  // parallel: they meet only if they lie on each other
    if (std::abs(cross(t, b.from - a.from)) > 1e-12 * a.length) return meeting;
    add_common_ends(a, b, on_segment, meeting);
    return meeting;
  }
  const Vec2 p = a.from + (cross(b.from - a.from, w) / across) * t;
  if (on_segment(a, p) && on_segment(b, p)) meeting.add(p);
  return meeting;
}

Meeting meet_arc_segment(const Piece& arc, const Piece& segment) {
  Meeting meeting;
  const Vec2 t = segment.along(), w = segment.from - arc.center;
  const double b = dot(t, w), under = b * b - dot(w, w) + arc.rho * arc.rho;
  if (under < 0.0) return meeting;
  for (const double sign : {-1.0, 1.0}) {
    const Vec2 p = segment.from + (-b + sign * std::sqrt(under)) * t;
    if (on_segment(segment, p) && on_arc(arc, p)) meeting.add(p);
  }
  return meeting;
}

Meeting meet_arcs(const Piece& a, const Piece& b) {
  Meeting meeting;
  const Vec2 d = b.center - a.center;
  const double distance = norm(d), same = same_circle * std::abs(a.rho);
  if (distance <= same) {
    if (std::abs(std::abs(a.rho) - std::abs(b.rho)) <= same) add_common_ends(a, b, on_arc, meeting);
    return meeting;
  }
  const double x = (distance * distance + a.rho * a.rho - b.rho * b.rho) / (2.0 * distance);
  const double under = a.rho * a.rho - x * x;
  if (under < 0.0) return meeting;
  for (const double sign : {-1.0, 1.0}) {
    const Vec2 p = a.center + (x / distance) * d + (sign * std::sqrt(under) / distance) * turned_left(d);
    if (on_arc(a, p) && on_arc(b, p)) meeting.add(p);
  }
  return meeting;
}

}  // namespace

Meeting meet(const Piece& a, const Piece& b) {
  if (a.is_segment() && b.is_segment()) return meet_segments(a, b);
  if (a.is_segment()) return meet_arc_segment(b, a);
  if (b.is_segment()) return meet_arc_segment(a, b);
  return meet_arcs(a, b);
}

namespace {

bool overlap(const Box2& a, const Box2& b) {
  return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y;
}

bool is_end(const Piece& piece, const Vec2& p, double near) {
  return norm(piece.from - p) < near || norm(piece.to - p) < near;
}

// Neighbours have at most one sharp corner between them.
bool are_neighbours(const PlanarProfile& profile, int i, int j) {
  for (int k = 0, first = 0; k < profile.loops(); first += static_cast<int>(profile.loop(k++).size())) {
    const int count = static_cast<int>(profile.loop(k).size());
    if (i < first || i >= first + count || j < first || j >= first + count) continue;
    const int apart = std::abs(i - j);
    return std::min(apart, count - apart) <= 2;
  }
  return false;
}

}  // namespace

Crossing find_crossing(const PlanarProfile& profile) {
  const auto pieces = profile.pieces();
  const int n = static_cast<int>(pieces.size());
  const double near = joint_share * profile.size();
  std::vector<Box2> boxes;
  for (const Piece& piece : pieces) boxes.push_back(box_of(piece));
  std::vector<int> near_by;
  for (int i = 0; i < n; ++i) {
    near_by.clear();
    profile.visit([&](const Box2& box) { return overlap(boxes[i], box); },
                  [&](int j) {
                    if (j > i && overlap(boxes[i], boxes[j])) near_by.push_back(j);
                  });
    std::sort(near_by.begin(), near_by.end());
    for (const int j : near_by) {
      const Piece &a = pieces[i], &b = pieces[j];
      if ((a.is_arc && a.rho == 0.0) || (b.is_arc && b.rho == 0.0)) continue;
      const Meeting meeting = meet(a, b);
      for (int k = 0; k < meeting.count; ++k) {
        const bool joint = is_end(a, meeting.at[k], near) && is_end(b, meeting.at[k], near);
        if (!joint || !are_neighbours(profile, i, j)) return {i, j, meeting.at[k]};
      }
    }
  }
  return {};
}

// Counts how often a ray from the point leaves or enters the loop. Its direction is one that no drawing has.
bool encloses(std::span<const Piece> loop, const Vec2& point) {
  const Vec2 direction = normalized({0.8641, 0.50331});
  Piece ray;
  ray.from = point;
  for (const Piece& piece : loop)
    ray.length = std::max(ray.length, norm(piece.from - point) + 2.0 * std::abs(piece.rho) + piece.length);
  ray.length *= 2.0;
  ray.to = point + ray.length * direction;
  const auto beside = [&](const Piece& piece) {  // both ends on one side of the ray
    return piece.is_segment() && cross(direction, piece.from - point) * cross(direction, piece.to - point) > 0.0;
  };
  int crossings = 0;
  for (const Piece& piece : loop)
    if (!(piece.is_arc && piece.rho == 0.0) && !beside(piece)) crossings += meet(piece, ray).count;
  return crossings % 2 == 1;
}

namespace {

double distance(const Piece& piece, const Vec2& p) {
  if (piece.is_segment()) {
    const double along = std::clamp(dot(p - piece.from, piece.along()), 0.0, piece.length);
    return norm(p - (piece.from + along * piece.along()));
  }
  const Vec2 d = p - piece.center;
  const double r = norm(d);
  if (piece.rho != 0.0 && r > 0.0 && piece.side_of(((piece.rho > 0.0 ? 1.0 : -1.0) / r) * d, 0.0) == 0)
    return std::abs(r - std::abs(piece.rho));
  return std::min(norm(p - piece.from), norm(p - piece.to));
}

}  // namespace

double depth_in(const PlanarProfile& profile, const Vec2& p) {
  bool inside = false;
  for (int k = 0; k < profile.loops(); ++k) inside = inside != encloses(profile.loop(k), p);
  if (!inside) return 0.0;
  double nearest = 1e300;
  for (const Piece& piece : profile.pieces()) nearest = std::min(nearest, distance(piece, p));
  return nearest;
}

}  // namespace tappet
