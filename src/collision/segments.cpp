// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "collision/segments.h"

#include <algorithm>
#include <cmath>

namespace tappet::narrow {
namespace {

constexpr double parallel_sine_squared = 0.04;  // about 11 degrees

double within(double s) { return std::clamp(s, -1.0, 1.0); }

}  // namespace

double nearest(const Segment& a, const Vec3d& p) {
  const double length2 = dot(a.half, a.half);
  return length2 > 0.0 ? within(dot(a.half, p - a.mid) / length2) : 0.0;
}

// Minimises |a(s) − b(t)|². It takes s of the lines if they are not parallel, limited to the segment, then t for it,
// then s for that t.
Nearest nearest(const Segment& a, const Segment& b) {
  const Vec3d d = a.mid - b.mid;
  const double aa = dot(a.half, a.half), bb = dot(b.half, b.half), ab = dot(a.half, b.half);
  const double determinant = aa * bb - ab * ab;
  double s = 0.0;
  if (determinant > 1e-14 * aa * bb) s = within((ab * dot(b.half, d) - bb * dot(a.half, d)) / determinant);
  const double t = nearest(b, a.at(s));
  return {nearest(a, b.at(t)), t};
}

void segments(const Placed& A, const Segment& a, double r_A, const Placed& B, const Segment& b, double r_B, int feature,
              double margin, std::vector<TouchPoint>& out) {
  const Segment x = placed(A.world, a), y = placed(B.world, b);
  const Nearest closest = nearest(x, y);
  const Vec3d d = x.at(closest.s) - y.at(closest.t);
  const double distance = norm(d), size = r_A + r_B;
  if (distance > size + margin) return;
  const auto add = [&](double s, double t, int which) {
    balls(A, a.at(s), r_A, B, b.at(t), r_B, feature + which, margin, out);
  };

  const double xx = dot(x.half, x.half), yy = dot(y.half, y.half), xy = dot(x.half, y.half);
  if (xx * yy - xy * xy > parallel_sine_squared * xx * yy) return add(closest.s, closest.t, 0);

  // The part of x beside which y lies. It begins at an end of x (features 1, 2) or at an end of y (3, 4).
  const double along = dot(x.half, y.mid - x.mid) / xx, reach = std::abs(xy) / xx, tie = 1e-6 * size / std::sqrt(xx);
  const double from = along - reach, to = along + reach;
  const bool own_from = from <= -1.0 + tie, own_to = to >= 1.0 - tie;
  const double s1 = own_from ? -1.0 : from, s2 = own_to ? 1.0 : to;
  if (s2 - s1 <= tie) return add(closest.s, closest.t, 0);
  const int y_first = xy > 0.0 ? 3 : 4;
  const double t1 = own_from ? nearest(y, x.at(s1)) : (xy > 0.0 ? -1.0 : 1.0);
  const double t2 = own_to ? nearest(y, x.at(s2)) : (xy > 0.0 ? 1.0 : -1.0);
  const double at_ends = std::min(norm(x.at(s1) - y.at(t1)), norm(x.at(s2) - y.at(t2)));
  if (distance < at_ends - 1e-6 * size) add(closest.s, closest.t, 0);
  add(s1, t1, own_from ? 1 : y_first);
  add(s2, t2, own_to ? 2 : 7 - y_first);
}

void capsule_capsule(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {
  segments(A, {{}, A.shape.half}, A.shape.radius, B, {{}, B.shape.half}, B.shape.radius, 0, margin, out);
}

}  // namespace tappet::narrow
