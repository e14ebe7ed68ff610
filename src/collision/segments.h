// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "collision/narrow_phase.h"

namespace tappet::narrow {

// The points mid + s·half with −1 ≤ s ≤ 1.
struct Segment {
  Vec3d mid, half;
  Vec3d at(double s) const { return mid + s * half; }
};
inline Segment placed(const Pose<double>& pose, const Segment& s) {
  return {pose.point(s.mid), pose.direction(s.half)};
}

// The nearest points of two segments. If they are parallel, there are many such points, of which this is one.
struct Nearest {
  double s, t;
};
Nearest nearest(const Segment& a, const Segment& b);
// The s of the point of `a` nearest to p.
double nearest(const Segment& a, const Vec3d& p);

// Rounded segments of A and B (in the frames of the shapes). Adds the nearest points. If the two are almost parallel,
// it adds the ends of their common part, so that one can lie on the other. There are five features, starting with
// `feature`.
void segments(const Placed& A, const Segment& a, double r_A, const Placed& B, const Segment& b, double r_B, int feature,
              double margin, std::vector<TouchPoint>& out);

}  // namespace tappet::narrow
