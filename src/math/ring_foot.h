// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "math/derivatives_of.h"

namespace tappet {

// A circle beside a straight line, or around it.
template <class S>
struct RingAndLine {
  Vec3<S> offset;   // of the centre of the circle, from a point of the line
  Vec3<S> spoke_1;  // two perpendicular unit vectors in the plane of the circle
  Vec3<S> spoke_2;
  Vec3<S> along;  // the unit vector of the line

  // The part across the line.
  Vec3<S> across(const Vec3<S>& a) const { return a - dot(a, along) * along; }
  Vec3<S> spoke(const S& angle) const { return cos(angle) * spoke_1 + sin(angle) * spoke_2; }
  // Zero where the distance of the circle from the line is stationary. `radius` is that of the circle, with a sign: the
  // point of the circle at an angle is offset + radius·spoke(angle).
  S slope(double radius, const S& angle) const {
    return dot(across(offset + radius * spoke(angle)), cos(angle) * spoke_2 - sin(angle) * spoke_1);
  }
};

// The point of a circle whose distance from a straight line is stationary, as an angle. Newton's method finds it.
// Derivatives follow as those of a foot on a terrain do (terrain_foot.h): each further step on numbers that carry
// derivatives makes one more of them exact.
struct RingFoot {
  double radius = 0.0, angle = 0.0, second = 1.0;

  // If `faces_line`, the spoke at the foot points to the line; otherwise it points away from it.
  static RingFoot find(const RingAndLine<double>& at, double radius, bool faces_line) {
    const Vec3d d = at.across(at.offset);
    const double sign = faces_line ? -1.0 : 1.0;
    RingFoot foot{radius, std::atan2(sign * dot(d, at.spoke_2), sign * dot(d, at.spoke_1)), 1.0};
    for (int round = 0; round < 20; ++round) {
      const Vec3d spoke = at.spoke(foot.angle),
                  tangent = at.across(std::cos(foot.angle) * at.spoke_2 - std::sin(foot.angle) * at.spoke_1);
      foot.second = radius * dot(tangent, tangent) - dot(at.across(d + radius * spoke), spoke);
      if (!(std::abs(foot.second) > 0.0)) break;
      const double step = at.slope(radius, foot.angle) / foot.second;
      foot.angle -= step;
      if (std::abs(step) < 1e-15) break;
    }
    return foot;
  }

  template <class S>
  S angle_at(const RingAndLine<S>& at) const {
    S x(angle);
    for (int level = 0; level < derivatives_of<S>; ++level) x = x - (1.0 / second) * at.slope(radius, x);
    return x;
  }
};

}  // namespace tappet
