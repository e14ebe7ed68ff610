// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elements/contacts/touch.h"
#include "math/terrain_foot.h"

namespace tappet {

// A ball, a wheel or a capsule of A on a terrain of B. A wheel is a circle with a tube around it, a capsule a part of a
// straight line. If the foot is beyond an end of the capsule, this end touches as a ball.
template <Track track>
struct OnTerrain {
  static constexpr std::string_view name = track == Track::point    ? "sphere-terrain"
                                           : track == Track::circle ? "wheel-terrain"
                                                                    : "capsule-terrain";

  Vec3d center{};  // in A
  // In A: of a wheel two perpendicular radii of the circle, of a capsule half of its axis.
  std::array<Vec3d, 2> spokes{};
  double tube = 1.0;  // radius of the ball or of the tube
  const HeightField* field = nullptr;
  Pose<double> place{};                  // of the terrain in B
  std::array<double, 3> start{0, 0, 0};  // where to look for the foot: x and y on the terrain, place on the track

  template <class S>
  Touch<S> touch(const Pose<S>& A, const Pose<S>& B, const S& t) const {
    const auto turned = [&](const Vec3<S>& d) { return transposed_times(place.R, d); };
    TrackOf<S> on{turned(transposed_times(B.R, A.point(center) - B.p) - place.p), {}};
    if constexpr (track != Track::point)
      for (int k = 0; k < 2; ++k) on.spokes[k] = turned(transposed_times(B.R, A.direction(spokes[k])));
    const auto foot = TerrainFoot<track>::find(*field, plain(on), start.data());
    if constexpr (track == Track::line) {
      const double u = foot.found ? std::clamp(foot.at[2], -1.0, 1.0) : start[2];
      if (!foot.found || u != foot.at[2]) {
        const TrackOf<S> end{place_on<track>(on, S(u)), {}};
        return touch_at(B, end, TerrainFoot<Track::point>::find(*field, plain(end), start.data()));
      }
    }
    return touch_at(B, on, foot);
  }

 private:
  template <class S>
  static TrackOf<double> plain(const TrackOf<S>& on) {
    return {tappet::plain(on.center), {tappet::plain(on.spokes[0]), tappet::plain(on.spokes[1])}};
  }
  template <class S, class Foot>
  Touch<S> touch_at(const Pose<S>& B, const TrackOf<S>& on, const Foot& foot) const {
    const auto nearest = foot.nearest(*field, on);
    const auto to_world = [&](const Vec3<S>& x) { return B.point(place.p + place.R * x); };
    return {nearest.distance - tube, to_world(nearest.point - tube * nearest.normal), to_world(nearest.ground),
            B.direction(place.R * nearest.normal)};
  }
};
using SphereOnTerrain = OnTerrain<Track::point>;
using WheelOnTerrain = OnTerrain<Track::circle>;
using CapsuleOnTerrain = OnTerrain<Track::line>;

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
