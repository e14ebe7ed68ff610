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
constexpr double far_turn = 0.65;   // along a wheel or a capsule: a search that goes further has left its start
// Times the radius of a capsule. If the axis is no further away from the ground, it crosses it, and this is no foot.
constexpr double below_ground = 0.01;

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
template <Track track>
struct Feet {
  using Foot = TerrainFoot<track>;

  const HeightField& field;
  const TrackOf<double>& on;
  double radius, margin, near;  // near: feet that are closer to each other are one
  int count = 0;
  std::array<Foot, most_feet> list{};
  std::array<double, most_feet> gap{};
  // Places on a wheel or a capsule at which the distance is least, but from which no foot was reached.
  int lost_count = 0;
  std::array<double, most_feet> lost{};

  bool look(const double* from) { return look(from, field.at<true>(from[0], from[1])); }
  // Returns false if the search did not end at a foot near its start. (A foot elsewhere counts nevertheless.)
  bool look(const double* from, const Height<double>& height) {
    if (count == most_feet) return true;
    const auto foot = Foot::find(field, on, from, height, Foot::for_distance);
    if (!foot.found) return false;
    keep(foot);
    if constexpr (Foot::is_long) return std::abs(foot.at[2] - from[2]) < far_turn;
    return true;
  }
  void lose(double place) {
    if (lost_count < most_feet) lost[lost_count++] = place;
  }

 private:
  void keep(const Foot& foot) {
    if (!field.covers(foot.at[0], foot.at[1])) return;
    if (track == Track::line && std::abs(foot.at[2]) > 1.0) return;  // there its end is nearest
    for (int k = 0; k < count; ++k)
      if (std::hypot(foot.at[0] - list[k].at[0], foot.at[1] - list[k].at[1]) < near) return;
    const double distance = foot.nearest(field, on).distance;
    if (track == Track::line && distance < below_ground * radius) return;
    if (distance - radius <= margin) list[count] = foot, gap[count++] = distance - radius;
  }
};

// Starts around a ball that is larger than the valley in which it lies.
template <class Look>
void look_around(double radius, const Vec3d& c, Look&& look) {
  constexpr int starts = 8;
  for (int k = 0; k < starts; ++k) {
    const double angle = 2.0 * M_PI * k / starts;
    look(c.x + 0.8 * radius * std::cos(angle), c.y + 0.8 * radius * std::sin(angle));
  }
}

// A ball of A at the point a of its shape.
void ball_terrain(const Placed& A, const Vec3d& a, double r, const Placed& B, int feature, double margin,
                  std::vector<TouchPoint>& out) {
  const HeightField& field = field_of(B);
  const TrackOf<double> point{B.to_shape(A.world.point(a)), {}};
  const Vec3d& c = point.center;
  const double beyond = r + margin;
  if (c.x < field.start()[0] - beyond || c.x > field.end(0) + beyond || c.y < field.start()[1] - beyond ||
      c.y > field.end(1) + beyond || c.z > field.highest() + beyond)
    return;
  const Height<double> below = field.at<true>(c.x, c.y);
  const double above = c.z - below.z;
  if (above > beyond * field.stretch()) return;
  Feet<Track::point> feet{field, point, r, margin, same_foot * std::max(r, field.spacing()[0])};
  const double from[2] = {c.x, c.y};
  feet.look(from, below);
  if (std::max(above, r) * field.largest_curvature() > one_foot)
    look_around(r, c, [&](double x, double y) {
      const double there[2] = {x, y};
      feet.look(there);
    });
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

// The contacts of a capsule. Where its axis comes nearest to the ground, a foot is near. If the axis itself is below
// the ground, its distance is zero there and says nothing. Then, and where the distance hardly changes along the axis,
// a ball at this place touches.
class CapsuleSearch {
 public:
  CapsuleSearch(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out)
      : A_(A),
        B_(B),
        field_(field_of(B)),
        margin_(margin),
        half_(A.shape.half.z),
        r_(A.shape.radius),
        axis_{B.to_shape(A.world.p), {half_ * transposed_times(B.world.R, A.world.R.z), {}}},
        feet_{field_, axis_, r_, margin, same_foot * std::max(r_, field_.spacing()[0])},
        out_(out) {}

  void find() {
    if (axis_.center.z - std::abs(axis_.spokes[0].z) > field_.highest() + r_ + margin_) return;
    look_between_ends();
    for (const double end : {-1.0, 1.0}) look_at_end(end);
    for (int k = 0; k < feet_.count; ++k) add(A_, B_, on_axis(feet_.list[k].at), feet_.gap[k], 2 * most_feet + k, out_);
    for (int k = 0; k < feet_.lost_count; ++k)
      ball_terrain(A_, {0.0, 0.0, feet_.lost[k] * half_}, r_, B_, 3 + k, margin_, out_);
  }

 private:
  Vec3d point(double u) const { return place_on<Track::line>(axis_, u); }
  double height(double u) const { return height_above(field_, point(u)); }
  TouchPoint on_axis(const double* at) const {
    return {.form = TouchPoint::Form::capsule_terrain,
            .point_A = A_.local.p,
            .radius_A = r_,
            .point_B = {at[0], at[1], std::clamp(at[2], -1.0, 1.0)},
            .normal = half_ * A_.local.R.z};
  }

  void look_between_ends() {
    constexpr double least_samples = 16.0, most_samples = 400.0;
    // At least four samples in each cell of the ground.
    const double cells = 2.0 * half_ / std::min(field_.spacing()[0], field_.spacing()[1]);
    const int samples = static_cast<int>(std::clamp(4.0 * cells, least_samples, most_samples));
    const double deep = 1e-12 * (half_ + r_);  // dips that are no deeper are round-off
    const auto place = [&](int k) { return -1.0 + 2.0 * k / samples; };
    double before = height(-1.0), here = height(place(1));
    for (int k = 1; k < samples; ++k) {
      const double after = height(place(k + 1));
      if (here < before && here <= after && before + after - 2.0 * here > deep) look_in(place(k - 1), place(k + 1));
      before = here, here = after;
    }
  }
  void look_in(double low, double high) {
    const double u = place_of_least(low, high, [&](double x) { return height(x); });
    const Vec3d c = point(u);
    if (height_above(field_, c) < 0.0) return feet_.lose(u);
    const double from[3] = {c.x, c.y, u};
    if (!feet_.look(from)) feet_.lose(u);
    if (r_ * field_.largest_curvature() > one_foot)
      look_around(r_, c, [&](double x, double y) {
        const double there[3] = {x, y, u};
        feet_.look(there);
      });
  }
  // An end touches as a ball, also if it is not nearer to the ground than its neighbours, so that a capsule that lies
  // on a plane does not tip. If a foot on the axis is just beyond the end, the contact may slide onto the axis within
  // the step. If it is just before the end, it takes the place of the end.
  void look_at_end(double end) {
    constexpr double near_end = 0.25;
    const Vec3d c = point(end);
    const double from[3] = {c.x, c.y, end};
    const auto foot = TerrainFoot<Track::line>::find(field_, axis_, from, TerrainFoot<Track::line>::for_distance);
    const double beyond = end * foot.at[2] - 1.0;
    const bool is_near =
        foot.found && std::abs(beyond) < near_end && foot.nearest(field_, axis_).distance > below_ground * r_;
    if (is_near && beyond <= 0.0 && feet_.look(from)) return;
    const size_t first = out_.size();
    ball_terrain(A_, {0.0, 0.0, end * half_}, r_, B_, end < 0.0 ? 0 : 1, margin_, out_);
    if (!is_near || beyond <= 0.0 || out_.size() != first + 1) return;
    const double gap = out_.back().gap;
    out_.pop_back();
    add(A_, B_, on_axis(foot.at), gap, end < 0.0 ? 0 : most_feet, out_);
  }

  const Placed &A_, &B_;
  const HeightField& field_;
  const double margin_, half_, r_;
  const TrackOf<double> axis_;
  Feet<Track::line> feet_;
  std::vector<TouchPoint>& out_;
};

}  // namespace

void refer_to_terrain(const Placed& B, TouchPoint& touch) { touch.field = &field_of(B), touch.place = &B.local; }

void sphere_terrain(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {
  ball_terrain(A, {}, A.shape.radius, B, 0, margin, out);
}

void capsule_terrain(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {
  CapsuleSearch(A, B, margin, out).find();
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
void look_closely(Feet<Track::circle>& feet, double low, double high) {
  constexpr int parts = 24;
  const auto point_at = [&](double a) { return place_on<Track::circle>(feet.on, a); };
  const auto foot_of = [&](double a) {
    const TrackOf<double> point{point_at(a), {}};
    const double from[2] = {point.center.x, point.center.y};
    return TerrainFoot<Track::point>::find(feet.field, point, from);
  };
  const auto distance = [&](double a) {
    const auto foot = foot_of(a);
    return foot.found ? foot.nearest(feet.field, TrackOf<double>{point_at(a), {}}).distance : 1e300;
  };
  const auto angle = [&](int k) { return low + (high - low) * k / parts; };
  double before = distance(angle(0)), here = distance(angle(1));
  for (int k = 1; k < parts; ++k) {
    const double after = distance(angle(k + 1));
    if (here < before && here <= after) {
      const double a = place_of_least(angle(k - 1), angle(k + 1), distance);
      const auto foot = foot_of(a);
      const double from[3] = {foot.at[0], foot.at[1], a};
      if (!feet.look(from)) feet.lose(a);
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
  const TrackOf<double> ring{B.to_shape(A.world.p), {turned(A.world.R.x), turned(A.world.R.y)}};
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
        place_of_least(2.0 * M_PI * (lowest - 1) / samples, 2.0 * M_PI * (lowest + 1) / samples,
                       [&](double a) { return height_above(field, place_on<Track::circle>(ring, a)); });
    if (height_above(field, place_on<Track::circle>(ring, angle)) < 0.0)
      return ball_terrain(A, {R * std::cos(angle), R * std::sin(angle), 0.0}, tube, B, 1, margin, out);
  }
  Feet<Track::circle> feet{field, ring, tube, margin, same_foot * R};
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
