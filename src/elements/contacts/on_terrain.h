// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elements/contacts/touch.h"
#include "math/terrain_foot.h"

namespace tappet {

// A ball or a wheel of A on a terrain of B. A wheel is a circle with a tube around it.
template <bool is_wheel>
struct OnTerrain {
  static constexpr std::string_view name = is_wheel ? "wheel-terrain" : "sphere-terrain";

  Vec3d center{};                 // in A
  std::array<Vec3d, 2> spokes{};  // of a wheel: two perpendicular radii of the circle, in A
  double tube = 1.0;              // radius of the ball, or of the tube
  const HeightField* field = nullptr;
  Pose<double> place{};                  // of the terrain in B
  std::array<double, 3> start{0, 0, 0};  // where to look for the foot: x and y on the terrain, angle on the circle

  template <class S>
  Touch<S> touch(const Pose<S>& A, const Pose<S>& B, const S& t) const {
    const auto turned = [&](const Vec3<S>& d) { return transposed_times(place.R, d); };
    RingOf<S> ring{turned(transposed_times(B.R, A.point(center) - B.p) - place.p), {}};
    RingOf<double> now{plain(ring.center), {}};
    if constexpr (is_wheel)
      for (int k = 0; k < 2; ++k) {
        ring.spokes[k] = turned(transposed_times(B.R, A.direction(spokes[k])));
        now.spokes[k] = plain(ring.spokes[k]);
      }
    const auto foot = TerrainFoot<is_wheel>::find(*field, now, start.data());
    const auto nearest = foot.nearest(*field, ring);
    const auto to_world = [&](const Vec3<S>& x) { return B.point(place.p + place.R * x); };
    return {nearest.distance - tube, to_world(nearest.ring - tube * nearest.normal), to_world(nearest.ground),
            B.direction(place.R * nearest.normal)};
  }
};
using SphereOnTerrain = OnTerrain<false>;
using WheelOnTerrain = OnTerrain<true>;

// A wheel of A on a plane of B. The lowest point of the circle is along the part of −normal that is across the axis.
struct WheelOnPlane {
  static constexpr std::string_view name = "wheel-plane";

  Vec3d center{}, axis{0, 0, 1};  // in A; of length one
  double radius = 1.0, tube = 0.1;
  Vec3d point{}, normal{0, 0, 1};  // in B; of length one

  template <class V>
  void describe(V& v) {
    v.required("center", center);
    v.required("axis", axis, nonzero_vector);
    v.required("radius", radius, positive);
    v.required("tube", tube, positive);
    v.required("point", point);
    v.required("normal", normal, nonzero_vector);
  }
  void attach(const Pose<double>& A, const Pose<double>& B, bool planar) {
    axis = normalized(axis), normal = normalized(normal);
  }

  template <class S>
  Touch<S> touch(const Pose<S>& A, const Pose<S>& B, const S& t) const {
    const Vec3<S> c = A.point(center), a = A.direction(axis), n = B.direction(normal);
    const Vec3<S> lowest = c - radius * normalized(n - dot(n, a) * a);
    const S gap = dot(n, lowest - B.point(point)) - tube;
    const Vec3<S> point_A = lowest - tube * n;
    return {gap, point_A, point_A - gap * n, n};
  }
};

}  // namespace tappet
