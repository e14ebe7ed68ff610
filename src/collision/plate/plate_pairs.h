// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collision/narrow_phase.h"
#include "collision/plate/plate.h"

// What the searches for contacts of plates have in common.
namespace tappet::narrow {

inline Vec2 in_plane(const Vec3d& a) { return {a.x, a.y}; }
inline Vec3d in_space(const Vec2& a, double z = 0.0) { return {a.x, a.y, z}; }

// Names of contacts that are not those of a rim on a wall (WallFeature): of a point with a part of a plate; of an end
// of a piece of a rim, or of its lowest point, on a flat patch; of two edges, which may have several contacts.
inline std::uint64_t point_feature(bool of_B, std::uint64_t point, std::uint64_t part) {
  return std::uint64_t{2} << 62 | static_cast<std::uint64_t>(of_B) << 61 | point << 30 | part;
}
inline std::uint64_t rim_feature(bool of_B, std::uint64_t of_rim, std::uint64_t patch) {
  return point_feature(of_B, of_rim, patch) | std::uint64_t{1} << 60;
}
struct EdgesFeature {
  int which = 0;         // two edges may touch at several places
  bool swapped = false;  // a is an edge of the second shape of the pair
  std::uint64_t a = 0, b = 0;

  std::uint64_t number() const {
    return std::uint64_t{3} << 62 | static_cast<std::uint64_t>(which & 3) << 60 |
           static_cast<std::uint64_t>(swapped) << 59 | a << 30 | b;
  }
  static EdgesFeature of(std::uint64_t number) {
    return {static_cast<int>(number >> 60 & 3), (number >> 59 & 1) != 0, number >> 30 & 0x1fffffff,
            number & 0x3fffffff};
  }
};

// The frame of one shape, seen from that of another one.
inline Pose<double> motion_of(const Pose<double>& of, const Pose<double>& from) {
  const Mat3d& R = from.R;
  return {transposed_times(R, of.p - from.p),
          {transposed_times(R, of.R.x), transposed_times(R, of.R.y), transposed_times(R, of.R.z)}};
}
inline Pose<double> motion_of(const Placed& of, const Placed& from) { return motion_of(of.world, from.world); }

class Spots;  // edges.h

inline constexpr double almost_parallel = 0.01;  // sine: up to this, rims at the same height count as walls

// Each adds contacts of two plates: those of their walls if their axes are almost parallel; of the rims of A with flat
// faces of B and, unless the axes are almost parallel, with its flat walls; of edges with edges, which are rims and
// round walls; of sharp corners of A with B. `swapped` says that A is the second plate of the pair.
void plate_walls(const Placed& A, const Placed& B, double margin, const Spots& spots, std::vector<TouchPoint>& out);
void plate_patches(const Placed& A, const Placed& B, bool with_walls, bool swapped, double margin, const Spots& spots,
                   std::vector<TouchPoint>& out);
void plate_edges(const Placed& A, const Placed& B, bool with_walls, bool swapped, double margin, const Spots& spots,
                 std::vector<TouchPoint>& out);
void plate_corners(const Placed& A, const Placed& B, bool with_walls, bool swapped, double margin, const Spots& spots,
                   std::vector<TouchPoint>& out);

// How deep a plate may lie in a face of another solid, or its rim in another edge, and still be pushed out there.
double deepest_of(const Plate& plate);

}  // namespace tappet::narrow
