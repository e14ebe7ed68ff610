// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elements/contacts/touch.h"
#include "math/ring_foot.h"

namespace tappet {

// The round rim of a plate A, which is a circle with a tube around it, on a round wall of B, which is an endless
// cylinder. Both radii have a sign. A convex arc of an outline has a positive one, a hollow arc a negative one: the rim
// of a hole of A around a pin of B (ring < 0), or the rim of a pin of A in a bore of B (radius < 0).
struct RingOnCylinder {
  static constexpr std::string_view name = "ring-cylinder";

  Vec3d center{}, axis{0, 0, 1};  // of the circle, in A; of length one
  double ring = 1.0, tube = 0.1;
  Vec3d axis_point{}, cylinder{0, 0, 1};  // in B; of length one
  double radius = 1.0;

  template <class V>
  void describe(V& v) {
    v.required("center", center);
    v.required("axis", axis, nonzero_vector);
    v.required("ring", ring);
    v.required("tube", tube, positive);
    v.required("axis_point", axis_point);
    v.required("cylinder", cylinder, nonzero_vector);
    v.required("radius", radius);
  }
  void attach(const Pose<double>& A, const Pose<double>& B, bool planar) {
    axis = normalized(axis), cylinder = normalized(cylinder);
  }

  template <class S>
  Touch<S> touch(const Pose<S>& A, const Pose<S>& B, const S& t) const {
    const auto spokes = normals(axis);
    const Vec3<S> c = A.point(center);
    const RingAndLine<S> at{c - B.point(axis_point), A.direction(spokes[0]), A.direction(spokes[1]),
                            B.direction(cylinder)};
    const RingAndLine<double> now{plain(at.offset), plain(at.spoke_1), plain(at.spoke_2), plain(at.along)};
    const S angle = RingFoot::find(now, ring, ring >= 0.0 && radius >= 0.0).angle_at(at);
    const Vec3<S> to_foot = ring * at.spoke(angle), d = at.across(at.offset + to_foot);
    const double side = radius >= 0.0 ? 1.0 : -1.0;
    const Vec3<S> n = side * direction_or_x(d);
    const S gap = dot(n, d) - (radius + tube);
    const Vec3<S> point_A = c + to_foot - tube * n;
    return {gap, point_A, point_A - gap * n, n};
  }
};

// A ball of A on the round rim of a plate B.
struct SphereOnRing {
  static constexpr std::string_view name = "sphere-ring";

  Vec3d center{};  // of the ball, in A
  double radius = 1.0;
  Vec3d middle{}, axis{0, 0, 1};  // of the circle, in B; the axis is of length one
  double ring = 1.0, tube = 0.1;

  template <class V>
  void describe(V& v) {
    v.required("center", center);
    v.required("radius", radius, positive);
    v.required("middle", middle);
    v.required("axis", axis, nonzero_vector);
    v.required("ring", ring, positive);
    v.required("tube", tube, positive);
  }
  void attach(const Pose<double>& A, const Pose<double>& B, bool planar) { axis = normalized(axis); }

  template <class S>
  Touch<S> touch(const Pose<S>& A, const Pose<S>& B, const S& t) const {
    const Vec3<S> c = A.point(center), m = B.point(middle), a = B.direction(axis), d = c - m;
    const Vec3<S> foot = m + ring * direction_or_x(d - dot(d, a) * a), n = direction_or_x(c - foot);
    return {dot(n, c - foot) - (radius + tube), c - radius * n, foot + tube * n, n};
  }
};

}  // namespace tappet
