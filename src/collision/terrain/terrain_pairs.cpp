// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "collision/hull/hull.h"
#include "collision/terrain/terrain.h"
#include "math/terrain_foot.h"

namespace tappet::narrow {
namespace {

constexpr int most_feet = 8;        // of one ball or wheel
constexpr double one_foot = 0.8;    // radius times curvature: below this a ball has one foot
constexpr double same_foot = 1e-6;  // in units of the radius
constexpr double far_turn = 0.65;   // along a wheel: a search that goes further has left the place where it started

const HeightField& field_of(const Placed& B) { return static_cast<const Terrain&>(*B.shape.solid).field(); }

void add(const Placed& A, const Placed& B, TouchPoint touch, double gap, int feature, std::vector<TouchPoint>& out) {
  touch.body_A = A.body, touch.body_B = B.body;
  touch.collider_A = A.collider, touch.collider_B = B.collider;
  refer_to_terrain(B, touch);
  touch.gap = gap;
  touch.id = touch_id(A.collider, B.collider, static_cast<std::uint64_t>(feature));
  out.push_back(touch);
}

// Feet that were found from several starts, each once.
template <bool is_wheel>
struct Feet {
  const HeightField& field;
  const RingOf<double>& ring;
  double radius, margin, near;  // near: feet that are closer to each other are one
  int count = 0;
  std::array<TerrainFoot<is_wheel>, most_feet> list{};
  std::array<double, most_feet> gap{};
  // Angles on a wheel at which the distance is least, but from which no foot was reached.
  int lost_count = 0;
  std::array<double, most_feet> lost{};

  // Returns false if the search did not end at a foot near its start. (A foot elsewhere counts nevertheless.)
  bool look(const double* from) {
    if (count == most_feet) return true;
    const auto foot = TerrainFoot<is_wheel>::find(field, ring, from);
    if (!foot.found) return false;
    keep(foot);
    if constexpr (is_wheel) return std::abs(foot.at[2] - from[2]) < far_turn;
    return true;
  }

 private:
  void keep(const TerrainFoot<is_wheel>& foot) {
    if (!field.covers(foot.at[0], foot.at[1])) return;
    for (int k = 0; k < count; ++k)
      if (std::hypot(foot.at[0] - list[k].at[0], foot.at[1] - list[k].at[1]) < near) return;
    const double distance = foot.nearest(field, ring).distance - radius;
    if (distance <= margin) list[count] = foot, gap[count++] = distance;
  }
};

// A ball of A at the point a of its shape.
void ball_terrain(const Placed& A, const Vec3d& a, double r, const Placed& B, int feature, double margin,
                  std::vector<TouchPoint>& out) {
  const HeightField& field = field_of(B);
  const RingOf<double> point{B.to_shape(A.world.point(a)), {}};
  const Vec3d& c = point.center;
  const double beyond = r + margin;
  if (c.x < field.start()[0] - beyond || c.x > field.end(0) + beyond || c.y < field.start()[1] - beyond ||
      c.y > field.end(1) + beyond || c.z > field.highest() + beyond)
    return;
  const double above = c.z - field.at<false>(c.x, c.y).z;
  if (above > beyond * field.stretch()) return;
  Feet<false> feet{field, point, r, margin, same_foot * std::max(r, field.spacing()[0])};
  const double from[2] = {c.x, c.y};
  feet.look(from);
  if (std::max(above, r) * field.largest_curvature() > one_foot)
    for (int k = 0; k < 8; ++k) {
      const double there[2] = {c.x + 0.8 * r * std::cos(0.25 * M_PI * k), c.y + 0.8 * r * std::sin(0.25 * M_PI * k)};
      feet.look(there);
    }
  for (int k = 0; k < feet.count; ++k)
    add(A, B,
        {.form = TouchPoint::Form::ball_terrain,
         .point_A = A.local.point(a),
         .radius_A = r,
         .point_B = {feet.list[k].at[0], feet.list[k].at[1], 0.0}},
        feet.gap[k], most_feet * feature + k, out);
}

// The height of a point above the ground, measured across it: exact on a plane.
double height_above(const HeightField& field, const Vec3d& c) {
  const Height<double> h = field.at<false>(c.x, c.y);
  return (c.z - h.z) / std::sqrt(1.0 + h.x * h.x + h.y * h.y);
}

// A bound of the upward curvature at a place.
double bend_of(const HeightField& field, double x, double y) {
  const Height<double> h = field.at<true>(x, y);
  return std::max(h.xx, h.yy) + std::abs(h.xy);
}

// Where f is least between low and high, if it has one minimum there. The interval shrinks by a third each time.
template <class F>
double place_of_least(double low, double high, F&& f) {
  for (int round = 0; round < 40; ++round) {
    const double left = low + (high - low) / 3.0, right = high - (high - low) / 3.0;
    if (f(left) < f(right))
      high = right;
    else
      low = left;
  }
  return 0.5 * (low + high);
}

// Points of a rounded segment at which its height above the terrain is smaller than beside them.
void dips_of_segment(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {
  constexpr int samples = 16;
  const HeightField& field = field_of(B);
  const double half = A.shape.half.z;
  const auto height = [&](double s) {
    return height_above(field, B.to_shape(A.world.point(Vec3d{0.0, 0.0, s * half})));
  };
  double before = height(-1.0), here = height(-1.0 + 2.0 / samples);
  for (int k = 1; k < samples; ++k) {
    const double after = height(-1.0 + 2.0 * (k + 1) / samples);
    if (here < before && here <= after) {
      const double at = place_of_least(-1.0 + 2.0 * (k - 1) / samples, -1.0 + 2.0 * (k + 1) / samples, height);
      ball_terrain(A, {0.0, 0.0, at * half}, A.shape.radius, B, 1 + k, margin, out);
    }
    before = here, here = after;
  }
}

}  // namespace

void refer_to_terrain(const Placed& B, TouchPoint& touch) { touch.field = &field_of(B), touch.place = &B.local; }

void sphere_terrain(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {
  ball_terrain(A, {}, A.shape.radius, B, 0, margin, out);
}

void capsule_terrain(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {
  ball_terrain(A, -A.shape.half, A.shape.radius, B, 0, margin, out);
  ball_terrain(A, A.shape.half, A.shape.radius, B, 1, margin, out);
  dips_of_segment(A, B, margin, out);
}

void box_terrain(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {
  for (int corner = 0; corner < 8; ++corner) ball_terrain(A, corner_of(A.shape, corner), 0.0, B, corner, margin, out);
}

void convex_terrain(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {
  const Hull& core = *A.shape.core;
  for (size_t v = 0; v < core.vertices.size(); ++v)
    ball_terrain(A, core.vertices[v], core.radius, B, static_cast<int>(v), margin, out);
}

// Newton's method may leave the place where it starts, where the ground bends nearly as much as the wheel. In a valley
// that is a little tighter than the wheel, two feet lie nearer to each other than two samples. Each point of the circle
// has its own distance from the ground; where this is least, a foot is near.
void look_closely(Feet<true>& feet, double low, double high) {
  constexpr int parts = 24;
  const RingOf<double>& ring = feet.ring;
  const auto point_at = [&](double a) {
    return ring.center + std::cos(a) * ring.spokes[0] + std::sin(a) * ring.spokes[1];
  };
  const auto foot_of = [&](double a) {
    const RingOf<double> point{point_at(a), {}};
    const double from[2] = {point.center.x, point.center.y};
    return TerrainFoot<false>::find(feet.field, point, from);
  };
  const auto distance = [&](double a) {
    const auto foot = foot_of(a);
    return foot.found ? foot.nearest(feet.field, RingOf<double>{point_at(a), {}}).distance : 1e300;
  };
  const auto angle = [&](int k) { return low + (high - low) * k / parts; };
  double before = distance(angle(0)), here = distance(angle(1));
  for (int k = 1; k < parts; ++k) {
    const double after = distance(angle(k + 1));
    if (here < before && here <= after) {
      const double a = place_of_least(angle(k - 1), angle(k + 1), distance);
      const auto foot = foot_of(a);
      const double from[3] = {foot.at[0], foot.at[1], a};
      if (!feet.look(from) && feet.lost_count < most_feet) feet.lost[feet.lost_count++] = a;
    }
    before = here, here = after;
  }
}

// Which points of a wheel are so far above the ground that no search starts there. It knows the height below the centre
// and the steepest slope, so it does not look at the ground below each point.
class FarAbove {
 public:
  FarAbove(const HeightField& field, const Vec3d& center, double far)
      : field_(field),
        center_(center),
        known_(field.covers(center.x, center.y)),
        slope_squared_(field.stretch() * field.stretch() - 1.0),
        level_((known_ ? field.at<false>(center.x, center.y).z : 0.0) + far * field.stretch()) {}

  bool operator()(const Vec3d& c) const {
    const double above = c.z - level_, x = c.x - center_.x, y = c.y - center_.y;
    return known_ && above > 0.0 && above * above > slope_squared_ * (x * x + y * y) && field_.covers(c.x, c.y);
  }

 private:
  const HeightField& field_;
  const Vec3d center_;
  const bool known_;
  const double slope_squared_, level_;
};

// The circle is sampled, and each dip of its height starts a search for a foot. If the circle itself is below the
// ground, its distance is zero there and says nothing. Then its lowest point touches as a ball of the radius of the
// tube.
void wheel_terrain(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {
  constexpr int samples = 24;
  constexpr double near_ground =
      0.1;  // between two samples a circle of radius one does not come down by more than this
  static const auto directions = [] {
    std::array<std::array<double, 2>, samples> list;
    for (int k = 0; k < samples; ++k)
      list[k] = {std::cos(2.0 * M_PI * k / samples), std::sin(2.0 * M_PI * k / samples)};
    return list;
  }();
  const HeightField& field = field_of(B);
  const double R = A.shape.circle(), tube = A.shape.radius;
  const auto turned = [&](const Vec3d& d) { return R * transposed_times(B.world.R, d); };
  const RingOf<double> ring{B.to_shape(A.world.p), {turned(A.world.R.x), turned(A.world.R.y)}};
  if (ring.center.z > field.highest() + R + tube + margin) return;
  const double far = margin + tube + 0.3 * R;
  const FarAbove far_above(field, ring.center, far);
  double height[samples], x[samples], y[samples];
  for (int k = 0; k < samples; ++k) {
    const Vec3d c = ring.center + directions[k][0] * ring.spokes[0] + directions[k][1] * ring.spokes[1];
    height[k] = far_above(c) ? 1e300 : height_above(field, c), x[k] = c.x, y[k] = c.y;
  }
  const int lowest = static_cast<int>(std::min_element(height, height + samples) - height);
  if (height[lowest] < near_ground * R) {
    const double angle =
        place_of_least(2.0 * M_PI * (lowest - 1) / samples, 2.0 * M_PI * (lowest + 1) / samples, [&](double a) {
          return height_above(field, ring.center + std::cos(a) * ring.spokes[0] + std::sin(a) * ring.spokes[1]);
        });
    const Vec3d deepest = ring.center + std::cos(angle) * ring.spokes[0] + std::sin(angle) * ring.spokes[1];
    if (height_above(field, deepest) < 0.0)
      return ball_terrain(A, {R * std::cos(angle), R * std::sin(angle), 0.0}, tube, B, 1, margin, out);
  }
  Feet<true> feet{field, ring, tube, margin, same_foot * R};
  for (int k = 0; k < samples; ++k) {
    if (height[k] > height[(k + samples - 1) % samples] || height[k] >= height[(k + 1) % samples]) continue;
    if (height[k] > far) continue;
    const double at = 2.0 * M_PI * k / samples, from[3] = {x[k], y[k], at};
    const bool reached = feet.look(from);
    const bool tight =
        (R + tube) * field.largest_curvature() > one_foot && (R + tube) * bend_of(field, x[k], y[k]) > one_foot;
    if (!reached || tight) look_closely(feet, at - 5.0 * M_PI / samples, at + 5.0 * M_PI / samples);
  }
  // There the distance hardly changes along the wheel, and a ball at this place has the same gap.
  for (int k = 0; k < feet.lost_count; ++k)
    ball_terrain(A, {R * std::cos(feet.lost[k]), R * std::sin(feet.lost[k]), 0.0}, tube, B, 2 + k, margin, out);
  for (int k = 0; k < feet.count; ++k)
    add(A, B,
        {.form = TouchPoint::Form::wheel_terrain,
         .point_A = A.local.p,
         .radius_A = tube,
         .point_B = {feet.list[k].at[0], feet.list[k].at[1], feet.list[k].at[2]},
         .normal = R * A.local.R.x,
         .along = R * A.local.R.y},
        feet.gap[k], k, out);
}

}  // namespace tappet::narrow
