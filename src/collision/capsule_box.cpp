// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// The axis of a capsule against a box, in the frame of the box. Along the axis the squared distance to the box is
// convex, and it is a quadratic function between the places where a coordinate passes a side. So its smallest value is
// found exactly. If the axis lies along a face or an edge, the ends of the common part are given.
#include <algorithm>
#include <array>
#include <cmath>

#include "collision/clip.h"

namespace tappet::narrow {
namespace {

// cosine: if they agree this well, the normal of a face is preferred to that of an edge
constexpr double same_direction = 0.999;
constexpr int face_features = 0, ball_features = 2, edge_features = 128;  // ball_box counts in 27s

// Half the derivative with respect to s of the squared distance from axis(s) to the box.
double slope(const Segment& axis, const Vec3d& h, double s) {
  double sum = 0.0;
  const Vec3d x = axis.at(s);
  for (int k = 0; k < 3; ++k) sum += (x[k] - std::clamp(x[k], -h[k], h[k])) * axis.half[k];
  return sum;
}

double nearest_to_box(const Segment& axis, const Vec3d& h) {
  if (slope(axis, h, -1.0) >= 0.0) return -1.0;
  if (slope(axis, h, 1.0) <= 0.0) return 1.0;
  std::array<double, 8> at{-1.0, 1.0};
  int count = 2;
  for (int k = 0; k < 3; ++k)
    for (double side : {-h[k], h[k]}) {
      const double s = (side - axis.mid[k]) / axis.half[k];
      if (!(s > -1.0 && s < 1.0)) continue;
      int place = count++;  // kept in order
      for (; at[place - 1] > s; --place) at[place] = at[place - 1];
      at[place] = s;
    }
  double low = -1.0, slope_low = slope(axis, h, -1.0);
  for (int k = 1; k < count; ++k) {
    const double high = at[k], slope_high = slope(axis, h, high);
    if (slope_high >= 0.0) {
      // Between the two the slope is a straight line. If a whole piece is nearest, its middle is taken.
      if (slope_high <= 0.0 && slope_low >= 0.0) return 0.5 * (low + high);
      return low + (high - low) * (-slope_low) / (slope_high - slope_low);
    }
    low = high, slope_low = slope_high;
  }
  return 1.0;
}

struct Side {
  int axis = 0;
  double sign = 1.0, separation = -1e300;
};
Side best_side(const Segment& axis, const Vec3d& h) {
  Side best;
  for (int k = 0; k < 3; ++k)
    for (double sign : {1.0, -1.0}) {
      const double separation = sign * axis.mid[k] - std::abs(axis.half[k]) - h[k];
      if (separation > best.separation + 1e-9 * h[k]) best = {k, sign, separation};
    }
  return best;
}

// The part of the axis above a face: s from and to, and what ends it (an end of the axis or one of the four sides).
struct Above {
  double from = -1.0, to = 1.0;
  int from_feature = 0, to_feature = 1;
};
Above above(const Segment& axis, const Vec3d& h, const Side& side) {
  Above part;
  for (int j = 1; j < 3; ++j) {
    const int k = (side.axis + j) % 3;
    const double tie = 1e-6 * h[k], x = axis.mid[k], e = axis.half[k];
    if (std::abs(e) < tie) {
      if (std::abs(x) > h[k] + tie) part.to = -2.0;
      continue;
    }
    double low = (-h[k] - x) / e, high = (h[k] - x) / e;
    const int low_feature = e > 0.0 ? 2 * j : 2 * j + 1;
    if (e < 0.0) std::swap(low, high);
    const double slack = tie / std::abs(e);
    if (low > part.from + slack) part.from = low, part.from_feature = low_feature;
    if (high < part.to - slack) part.to = high, part.to_feature = low_feature ^ 1;
  }
  return part;
}

void add_above(const Placed& A, const Placed& B, const Segment& axis, const Side& side, const Above& part,
               double margin, std::vector<TouchPoint>& out) {
  Vec3d normal{};
  normal[side.axis] = side.sign;
  const auto add = [&](double s, int feature) {
    Vec3d x = axis.at(s);
    const double gap = side.sign * x[side.axis] - B.shape.half[side.axis] - A.shape.radius;
    if (gap > margin) return;
    x[side.axis] = side.sign * B.shape.half[side.axis];
    const int face = 2 * side.axis + (side.sign > 0.0 ? 1 : 0);
    add_ball_plane(A, s * A.shape.half, A.shape.radius, B, x, normal, gap, face_features + 8 * face + feature, out);
  };
  add(part.from, part.from_feature);
  if (part.to > part.from) add(part.to, part.to_feature);
}

// Adds points along an edge if the axis is beside it, or the point at a corner.
void add_beside(const Placed& A, const Placed& B, const Vec3d& x, double s, double margin,
                std::vector<TouchPoint>& out) {
  int inside_axis = -1, inside_count = 0, corner = 0;
  for (int k = 0; k < 3; ++k) {
    if (std::abs(x[k]) <= B.shape.half[k]) inside_axis = k, ++inside_count;
    if (x[k] > 0.0) corner |= 1 << k;
  }
  if (inside_count != 1) return ball_box(A, s * A.shape.half, A.shape.radius, B, ball_features, margin, out);
  Segment edge{corner_of(B.shape, corner), {}};
  edge.mid[inside_axis] = 0.0;
  edge.half[inside_axis] = B.shape.half[inside_axis];
  segments(A, {{}, A.shape.half}, A.shape.radius, B, edge, 0.0, edge_features + 8 * edge_index(inside_axis, corner),
           margin, out);
}

}  // namespace

void capsule_box(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {
  const Vec3d& h = B.shape.half;
  const Segment axis{B.to_shape(A.world.p), transposed_times(B.world.R, A.shape.half.z * A.world.R.z)};
  const double s = nearest_to_box(axis, h), tiny = 1e-9 * std::min({h.x, h.y, h.z, A.shape.radius});
  const Vec3d x = axis.at(s);
  Vec3d d;
  for (int k = 0; k < 3; ++k) d[k] = x[k] - std::clamp(x[k], -h[k], h[k]);
  const double distance = norm(d);
  if (distance > A.shape.radius + margin) return;

  const Side side = best_side(axis, h);
  const Above part = above(axis, h, side);
  const bool over = part.from <= part.to;
  const auto height = [&](double at) { return side.sign * axis.at(at)[side.axis] - h[side.axis]; };
  if (over && std::min(height(part.from), height(part.to)) <= distance + tiny)
    return add_above(A, B, axis, side, part, margin, out);
  if (distance <= tiny) {  // the axis passes through the box and beside the face: take the deeper end
    const double end = side.sign * axis.half[side.axis] > 0.0 ? -1.0 : 1.0;
    const int feature = end < 0.0 ? 0 : 1;
    return add_above(A, B, axis, side, {end, end, feature, feature}, margin, out);
  }
  add_beside(A, B, x, s, margin, out);
  if (over && side.sign * d[side.axis] > same_direction * distance) add_above(A, B, axis, side, part, margin, out);
}

}  // namespace tappet::narrow
