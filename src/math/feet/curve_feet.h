// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "math/derivatives_of.h"

namespace tappet {

// A straight line (radius 0) along `first`, or a circle about `center` with the two perpendicular unit vectors `first`
// and `second` in its plane. A place on it is a length along the line, or an angle on the circle.
template <class S>
struct CurveOf {
  Vec3<S> center, first, second;
  double radius = 0.0;

  bool is_line() const { return radius == 0.0; }
  Vec3<S> at(const S& u) const {
    return is_line() ? center + u * first : center + radius * (cos(u) * first + sin(u) * second);
  }
  Vec3<S> tangent(const S& u) const { return is_line() ? first : radius * (cos(u) * second - sin(u) * first); }
  // From the curve at u towards the centre of its circle; zero on a line.
  Vec3<S> bend(const S& u) const { return is_line() ? Vec3<S>{} : -radius * (cos(u) * first + sin(u) * second); }
};

// The places on two curves at which their distance is stationary. Newton's method finds them from places nearby.
// Derivatives follow as those of a foot on a terrain do (terrain_foot.h): each further step on numbers that carry
// derivatives makes one more of them exact.
struct CurveFeet {
  double u = 0.0, v = 0.0;
  double inverse[2][2] = {};  // of the second derivatives of half the squared distance

  static CurveFeet find(const CurveOf<double>& a, const CurveOf<double>& b, double u, double v) {
    CurveFeet feet{u, v, {}};
    for (int round = 0; round < 30; ++round) {
      const Vec3d d = a.at(feet.u) - b.at(feet.v), e = a.tangent(feet.u), g = b.tangent(feet.v);
      const double uu = dot(e, e) + dot(d, a.bend(feet.u)), vv = dot(g, g) - dot(d, b.bend(feet.v)), uv = -dot(e, g);
      const double determinant = uu * vv - uv * uv;
      if (!(std::abs(determinant) > 0.0)) break;
      feet.inverse[0][0] = vv / determinant, feet.inverse[1][1] = uu / determinant;
      feet.inverse[0][1] = feet.inverse[1][0] = -uv / determinant;
      const auto step = feet.step(dot(d, e), -dot(d, g));
      // Far from the feet a step may be too long for a circle.
      const double turn = std::max(a.is_line() ? 0.0 : std::abs(step[0]), b.is_line() ? 0.0 : std::abs(step[1]));
      const double scale = turn > 0.3 ? 0.3 / turn : 1.0;
      feet.u -= scale * step[0], feet.v -= scale * step[1];
      if (std::abs(step[0]) * norm(e) + std::abs(step[1]) * norm(g) < 1e-12 * (norm(d) + a.radius + b.radius)) break;
    }
    return feet;
  }

  // The same for curves near those for which they were found.
  template <class S>
  std::array<S, 2> at(const CurveOf<S>& a, const CurveOf<S>& b) const {
    std::array<S, 2> x{S(u), S(v)};
    for (int level = 0; level < derivatives_of<S>; ++level) {
      const Vec3<S> d = a.at(x[0]) - b.at(x[1]);
      const auto change = step<S>(dot(d, a.tangent(x[0])), -dot(d, b.tangent(x[1])));
      x = {x[0] - change[0], x[1] - change[1]};
    }
    return x;
  }

 private:
  template <class S>
  std::array<S, 2> step(const S& slope_u, const S& slope_v) const {
    return {inverse[0][0] * slope_u + inverse[0][1] * slope_v, inverse[1][0] * slope_u + inverse[1][1] * slope_v};
  }
};

template <class S>
CurveOf<double> plain(const CurveOf<S>& a) {
  return {plain(a.center), plain(a.first), plain(a.second), a.radius};
}

}  // namespace tappet
