// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "collision/narrow_phase.h"

#include <algorithm>
#include <cmath>

#include "collision/hull/convex.h"
#include "collision/hull/hull_pairs.h"
#include "collision/terrain/terrain.h"

namespace tappet {
namespace narrow {

void add_ball_ball(const Placed& A, const Vec3d& a, double r_A, const Placed& B, const Vec3d& b, double r_B, double gap,
                   std::uint64_t feature, std::vector<TouchPoint>& out) {
  out.push_back({.form = TouchPoint::Form::ball_ball,
                 .body_A = A.body,
                 .body_B = B.body,
                 .collider_A = A.collider,
                 .collider_B = B.collider,
                 .point_A = A.local.point(a),
                 .radius_A = r_A,
                 .point_B = B.local.point(b),
                 .radius_B = r_B,
                 .gap = gap,
                 .id = touch_id(A.collider, B.collider, feature)});
}

void add_ball_plane(const Placed& A, const Vec3d& a, double r_A, const Placed& B, const Vec3d& b, const Vec3d& normal,
                    double gap, std::uint64_t feature, std::vector<TouchPoint>& out) {
  out.push_back({.form = TouchPoint::Form::ball_plane,
                 .body_A = A.body,
                 .body_B = B.body,
                 .collider_A = A.collider,
                 .collider_B = B.collider,
                 .point_A = A.local.point(a),
                 .radius_A = r_A,
                 .point_B = B.local.point(b),
                 .normal = B.local.direction(normal),
                 .gap = gap,
                 .id = touch_id(A.collider, B.collider, feature)});
}

void balls(const Placed& A, const Vec3d& a, double r_A, const Placed& B, const Vec3d& b, double r_B, int feature,
           double margin, std::vector<TouchPoint>& out) {
  const Vec3d d = A.world.point(a) - B.world.point(b);
  const double reach = r_A + r_B + margin, squared = dot(d, d);
  if (squared > reach * reach) return;
  const double distance = std::sqrt(squared);
  add_ball_ball(A, a, r_A, B, b, r_B, distance - r_A - r_B, feature, out);
}

void sphere_sphere(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {
  balls(A, {}, A.shape.radius, B, {}, B.shape.radius, 0, margin, out);
}

void ball_plane(const Placed& A, const Vec3d& a, double r_A, const Placed& B, int feature, double margin,
                std::vector<TouchPoint>& out) {
  const double gap = dot(B.world.R.z, A.world.point(a) - B.world.p) - r_A;
  if (gap <= margin) add_ball_plane(A, a, r_A, B, {}, {0.0, 0.0, 1.0}, gap, feature, out);
}

void sphere_plane(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {
  ball_plane(A, {}, A.shape.radius, B, 0, margin, out);
}

void box_plane(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {
  for (int corner = 0; corner < 8; ++corner) ball_plane(A, corner_of(A.shape, corner), 0.0, B, corner, margin, out);
}

void capsule_plane(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {
  ball_plane(A, -A.shape.half, A.shape.radius, B, 0, margin, out);
  ball_plane(A, A.shape.half, A.shape.radius, B, 1, margin, out);
}

void capsule_sphere(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {
  const double z = std::clamp(A.to_shape(B.world.p).z, -A.shape.half.z, A.shape.half.z);
  balls(A, {0.0, 0.0, z}, A.shape.radius, B, {}, B.shape.radius, 0, margin, out);
}

// Outside, the nearest point of the box lies on a face, an edge or a corner, depending on whether 1, 2 or 3 coordinates
// of the centre are beyond the box. Inside, it lies on the nearest face.
void ball_box(const Placed& A, const Vec3d& a, double r_A, const Placed& B, int feature, double margin,
              std::vector<TouchPoint>& out) {
  const Vec3d c = B.to_shape(A.world.point(a)), h = B.shape.half;
  Vec3d nearest = c;
  int beyond = 0, axis = 0, region = 0;
  double best = -1e300;
  for (int k = 0; k < 3; ++k) {
    const double out_by = std::abs(c[k]) - h[k];
    if (out_by > 0.0) ++beyond, nearest[k] = std::copysign(h[k], c[k]);
    region = 3 * region + (out_by > 0.0 ? (c[k] > 0.0 ? 1 : 2) : 0);
    if (out_by > best) best = out_by, axis = k;
  }
  if (beyond > 1) return balls(A, a, r_A, B, nearest, 0.0, 27 * feature + region, margin, out);
  const double gap = best - r_A;
  if (gap > margin) return;
  Vec3d normal{};
  normal[axis] = c[axis] > 0.0 ? 1.0 : -1.0;
  nearest[axis] = normal[axis] * h[axis];
  constexpr int place[3] = {9, 3, 1};
  region = place[axis] * (c[axis] > 0.0 ? 1 : 2);
  add_ball_plane(A, a, r_A, B, nearest, normal, gap, 27 * feature + region, out);
}

void sphere_box(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {
  ball_box(A, {}, A.shape.radius, B, 0, margin, out);
}

}  // namespace narrow

namespace {

// Sorts by feature. Of two points with the same feature it keeps the nearer one.
void order(size_t first, std::vector<TouchPoint>& out) {
  std::sort(out.begin() + first, out.end(),
            [](const TouchPoint& a, const TouchPoint& b) { return a.id != b.id ? a.id < b.id : a.gap < b.gap; });
  const auto last = std::unique(out.begin() + first, out.end(),
                                [](const TouchPoint& a, const TouchPoint& b) { return a.id == b.id; });
  out.erase(last, out.end());
}

}  // namespace

namespace {

using Kind = Shape::Kind;
using Pair = void (*)(const Placed&, const Placed&, double, WarmPair&, std::vector<TouchPoint>&);

// Gives functions that need no memory the signature of those that do.
template <auto function>
void plain(const Placed& A, const Placed& B, double margin, WarmPair&, std::vector<TouchPoint>& out) {
  function(A, B, margin, out);
}
bool takes_all_pairs(const Placed& c) {
  return c.shape.kind == Kind::convex && c.shape.solid && convex_of(c.shape).takes_all_pairs();
}

// Of two solids with faces, A is the one with the lower index.
void convex_convex(const Placed& i, const Placed& j, double margin, WarmPair& warm, std::vector<TouchPoint>& out) {
  const bool swap = j.collider < i.collider;
  const auto pair = takes_all_pairs(i) || takes_all_pairs(j) ? narrow::all_pairs : narrow::hull_hull;
  pair(swap ? j : i, swap ? i : j, margin, warm, out);
}
void convex_plane(const Placed& i, const Placed& j, double margin, WarmPair&, std::vector<TouchPoint>& out) {
  (takes_all_pairs(i) ? narrow::all_vertices_plane : narrow::hull_plane)(i, j, margin, out);
}

struct Table {
  Pair pair[Shape::kinds][Shape::kinds] = {};

  constexpr void set(Kind i, Kind j, Pair function) { pair[static_cast<int>(i)][static_cast<int>(j)] = function; }
  constexpr Table() {
    using namespace narrow;
    set(Kind::sphere, Kind::sphere, plain<sphere_sphere>);
    set(Kind::sphere, Kind::box, plain<sphere_box>);
    set(Kind::sphere, Kind::half_space, plain<sphere_plane>);
    set(Kind::sphere, Kind::convex, hull_hull);
    set(Kind::sphere, Kind::profile, plain<circle_profile>);
    set(Kind::sphere, Kind::terrain, plain<sphere_terrain>);
    set(Kind::sphere, Kind::plate, plain<sphere_plate>);
    set(Kind::box, Kind::box, plain<box_box>);
    set(Kind::box, Kind::half_space, plain<box_plane>);
    set(Kind::box, Kind::convex, convex_convex);
    set(Kind::box, Kind::plate, plain<hull_plate>);
    set(Kind::box, Kind::terrain, plain<box_terrain>);
    set(Kind::capsule, Kind::sphere, plain<capsule_sphere>);
    set(Kind::capsule, Kind::box, plain<capsule_box>);
    set(Kind::capsule, Kind::capsule, plain<capsule_capsule>);
    set(Kind::capsule, Kind::half_space, plain<capsule_plane>);
    set(Kind::capsule, Kind::convex, hull_hull);
    set(Kind::capsule, Kind::plate, plain<hull_plate>);
    set(Kind::capsule, Kind::terrain, plain<capsule_terrain>);
    set(Kind::profile, Kind::half_space, plain<profile_plane>);
    set(Kind::profile, Kind::profile, plain<profile_profile>);
    set(Kind::plate, Kind::half_space, plain<plate_plane>);
    set(Kind::plate, Kind::plate, plain<plate_plate>);
    set(Kind::convex, Kind::half_space, convex_plane);
    set(Kind::convex, Kind::convex, convex_convex);
    set(Kind::convex, Kind::plate, plain<hull_plate>);
    set(Kind::convex, Kind::terrain, plain<convex_terrain>);
    for (const Kind solid : {Kind::sphere, Kind::box, Kind::capsule, Kind::convex})
      set(Kind::wheel, solid, plain<wheel_hull>);
    set(Kind::wheel, Kind::plate, plain<wheel_plate>);
    set(Kind::wheel, Kind::half_space, plain<wheel_plane>);
    set(Kind::wheel, Kind::terrain, plain<wheel_terrain>);
    set(Kind::wheel, Kind::wheel, plain<wheel_wheel>);
  }
};
// The first index is the kind of the first collider. If the roles are the other way round, the transposed entry counts.
constexpr Table table;
Pair pair_of(Kind i, Kind j) { return table.pair[static_cast<int>(i)][static_cast<int>(j)]; }

}  // namespace

bool can_touch(Shape::Kind i, Shape::Kind j) { return pair_of(i, j) || pair_of(j, i); }

void touch(const Placed& i, const Placed& j, double margin, WarmPair& warm, std::vector<TouchPoint>& out) {
  const size_t first = out.size();
  if (const Pair function = pair_of(i.shape.kind, j.shape.kind))
    function(i, j, margin, warm, out);
  else if (const Pair reversed = pair_of(j.shape.kind, i.shape.kind))
    reversed(j, i, margin, warm, out);
  if (out.size() - first > 1) order(first, out);
}

void touch(const Placed& i, const Placed& j, double margin, std::vector<TouchPoint>& out) {
  WarmPair warm;
  touch(i, j, margin, warm, out);
}

}  // namespace tappet
