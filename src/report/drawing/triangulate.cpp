// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "report/drawing/triangulate.h"

#include <algorithm>

namespace tappet {
namespace {

double turn(const Vec2& a, const Vec2& b, const Vec2& c) { return cross(b - a, c - b); }

bool holds(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& p) {
  return cross(b - a, p - a) >= 0.0 && cross(c - b, p - b) >= 0.0 && cross(a - c, p - c) >= 0.0;
}

bool cross_each_other(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
  return (turn(a, b, c) > 0.0) != (turn(a, b, d) > 0.0) && (turn(c, d, a) > 0.0) != (turn(c, d, b) > 0.0);
}

// Connects a hole with the polygon by a cut to the nearest corner that can be seen from one of its own. The corners at
// both ends of the cut then occur twice.
void cut_to_hole(std::span<const Vec2> points, const std::vector<int>& hole, std::vector<int>& polygon) {
  const auto is_free = [&](int p, int h) {
    for (const std::vector<int>* loop : {&hole, const_cast<const std::vector<int>*>(&polygon)})
      for (size_t k = 0; k < loop->size(); ++k) {
        const int a = (*loop)[k], b = (*loop)[(k + 1) % loop->size()];
        if (a == p || b == p || a == h || b == h) continue;
        if (cross_each_other(points[p], points[h], points[a], points[b])) return false;
      }
    return true;
  };
  size_t from = 0, to = 0;
  double nearest = 1e300;
  for (size_t i = 0; i < polygon.size(); ++i)
    for (size_t j = 0; j < hole.size(); ++j) {
      const double distance = norm(points[polygon[i]] - points[hole[j]]);
      if (distance < nearest && is_free(polygon[i], hole[j])) nearest = distance, from = i, to = j;
    }
  std::vector<int> insert;
  for (size_t k = 0; k <= hole.size(); ++k) insert.push_back(hole[(to + k) % hole.size()]);
  insert.push_back(polygon[from]);
  polygon.insert(polygon.begin() + static_cast<std::ptrdiff_t>(from) + 1, insert.begin(), insert.end());
}

}  // namespace

std::vector<std::array<int, 3>> triangulate(std::span<const Vec2> points, std::span<const int> loops) {
  std::vector<int> polygon;
  for (size_t k = 0, first = 0; k < loops.size(); first += loops[k++]) {
    std::vector<int> loop;
    for (int i = 0; i < loops[k]; ++i) loop.push_back(static_cast<int>(first) + i);
    if (k == 0)
      polygon = loop;
    else
      cut_to_hole(points, loop, polygon);
  }
  std::vector<std::array<int, 3>> triangles;
  for (size_t k = 0, tried = 0; polygon.size() > 2 && tried < polygon.size();) {
    const size_t n = polygon.size(), i = k % n;
    const int a = polygon[i], b = polygon[(i + 1) % n], c = polygon[(i + 2) % n];
    const auto blocks = [&](int p) {
      return points[p] != points[a] && points[p] != points[b] && points[p] != points[c] &&
             holds(points[a], points[b], points[c], points[p]);
    };
    const double at_b = turn(points[a], points[b], points[c]);
    if (at_b > 0.0 && std::none_of(polygon.begin(), polygon.end(), blocks)) {
      triangles.push_back({a, b, c});
    } else if (at_b != 0.0) {
      ++k, ++tried;
      continue;
    }
    polygon.erase(polygon.begin() + static_cast<std::ptrdiff_t>((i + 1) % n));
    tried = 0;
  }
  return triangles;
}

}  // namespace tappet
