// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elements/contacts/touch.h"
#include "math/feet/curve_feet.h"

namespace tappet {

// Two rounded edges, each a line or a circle with a tube around it: edges of plates and of convex solids, the axes of
// round walls and of capsules. The normal is along the product of the tangents, from B to A, so that the gap goes
// through zero with a continuous derivative even if both tubes are sharp. Where the tangents of circles are almost
// parallel, the normal is along the distance. The radius of a tube of B is negative if A is inside it, as a rim in a
// bore.
struct CurveOnCurve {
  static constexpr std::string_view name = "curve-curve";

  std::array<Vec3d, 2> centers{};                             // of circles, or points of lines, in A and in B
  std::array<Vec3d, 2> axes{Vec3d{1, 0, 0}, Vec3d{0, 1, 0}};  // of circles, or directions of lines; of length one
  std::array<double, 2> rings{0.0, 0.0};                      // radii of circles; zero: a line
  std::array<double, 2> tubes{0.0, 0.0};
  std::array<double, 2> start{0.0, 0.0};  // places near the feet: lengths, or angles from normals(axis)[0]

  template <class V>
  void describe(V& v) {
    v.required("centers", centers);
    v.required("axis_A", axes[0], nonzero_vector);
    v.required("axis_B", axes[1], nonzero_vector);
    v.required("rings", rings, non_negative);
    v.required("tubes", tubes);
    v.optional("start", start);
  }
  void attach(const Pose<double>& A, const Pose<double>& B, bool planar) {
    for (Vec3d& axis : axes) axis = normalized(axis);
  }

  template <class S>
  Touch<S> touch(const Pose<S>& A, const Pose<S>& B, const S& t) const {
    constexpr double crossing = 0.1;  // sine of the angle between the tangents
    const CurveOf<S> a = curve(A, 0), b = curve(B, 1);
    const auto [u, v] = CurveFeet::find(plain(a), plain(b), start[0], start[1]).at(a, b);
    const Vec3<S> x = a.at(u), y = b.at(v), e = a.tangent(u), g = b.tangent(v), product = cross(e, g);
    const bool crosses = (a.is_line() && b.is_line()) ||
                         value_of(dot(product, product)) > crossing * crossing * value_of(dot(e, e) * dot(g, g));
    const bool inside = tubes[1] < 0.0;
    const Vec3<S> apart = direction_or_x(x - y);
    const Vec3<S> n = inside ? -apart : crosses ? normalized(product) : apart;
    const S gap = dot(n, x - y) - (tubes[0] + tubes[1]);
    const Vec3<S> point_A = x - tubes[0] * n;
    return {gap, point_A, point_A - gap * n, n};
  }

 private:
  template <class S>
  CurveOf<S> curve(const Pose<S>& body, int which) const {
    const Vec3<S> center = body.point(centers[which]);
    if (rings[which] == 0.0) return {center, body.direction(axes[which]), {}, 0.0};
    const auto spokes = normals(axes[which]);
    return {center, body.direction(spokes[0]), body.direction(spokes[1]), rings[which]};
  }
};

}  // namespace tappet
