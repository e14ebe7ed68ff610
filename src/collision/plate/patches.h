// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "collision/plate/edges.h"
#include "collision/profile/facing.h"
#include "collision/profile/outline.h"

// The rims of a plate on flat surfaces.
namespace tappet::narrow {

inline constexpr double lying = 0.2;    // sine of the angle between a plane and the face of a plate that lies on it
inline constexpr double tilted = 1e-4;  // above this sine an arc of a rim has a lowest point

// A place of a rim that may touch a plane: a point of its curve, or the lowest point of one of its arcs.
struct RimPlace {
  Vec3d point;          // of the curve
  Vec3d center;         // of the arc
  double ring = -1.0;   // the radius of the arc; −1: the point is fixed in the plate
  double height = 0.0;  // of the point above the plane
  std::uint64_t number = 0;
};

// Calls take(RimPlace) for those that are not higher above a plane than `most`. The unit normal and the offset of the
// plane are in the frame of the plate. If the plate lies almost flat, points of its rims carry it. Unless it lies quite
// flat, the lowest points of its rounded corners do.
template <class Take>
void rim_places(const Plate& plate, const Vec3d& normal, double offset, double most, Take&& take) {
  const double across = norm(in_plane(normal));
  const auto pieces = plate.profile().pieces();
  const auto& points = plate.rim_points();
  for (const bool upper : {false, true}) {
    const double level = plate.level(upper);
    const std::uint64_t end = upper ? 1 : 0;
    for (size_t k = 0; across < lying && k < points.size(); ++k) {
      const Vec3d at = in_space(points[k], level);
      const double height = dot(normal, at) - offset;
      if (height <= most) take(RimPlace{at, at, -1.0, height, 4 * k + end});
    }
    if (across <= tilted || (upper ? normal.z : -normal.z) > lying) continue;
    const Vec2 down = (-1.0 / across) * in_plane(normal);
    for (size_t k = 0; k < pieces.size(); ++k) {
      if (!pieces[k].is_round() || !faces(plate.profile(), pieces[k], down, angle_slack, parallel)) continue;
      const double ring = plate.ring(pieces[k]);
      const Vec3d center = in_space(pieces[k].center, level), at = center + ring * in_space(down);
      const double height = dot(normal, at) - offset;
      if (height <= most) take(RimPlace{at, center, ring, height, 4 * k + 2 + end});
    }
  }
}

// Calls f(arc, upper, number) for the corners of the rims that are no more rounded than the rims: points.
template <class F>
void for_corners(const Plate& plate, F&& f) {
  const auto pieces = plate.profile().pieces();
  Edge edge;
  for (size_t k = 0; k < pieces.size(); ++k)
    if (pieces[k].is_arc && !edge_of_plate(plate, static_cast<int>(k), 0, edge))
      for (const bool upper : {false, true}) f(pieces[k], upper, 2 * k + (upper ? 1 : 0));
}
// Whether a plate may push outward along a direction at such a corner.
inline bool allows_corner(const Piece& corner, bool upper, const Vec3d& out) {
  const double across = norm(in_plane(out));
  return (upper ? out.z : -out.z) >= -lying &&
         (across <= lying || corner.side_of((1.0 / across) * in_plane(out), parallel) == 0);
}

// A contact of a place of a rim with a plane of B. The point and the normal of the plane are in the frame of B.
void add_rim_place(const Placed& A, const RimPlace& place, const Placed& B, const Vec3d& point, const Vec3d& normal,
                   double gap, std::uint64_t feature, std::vector<TouchPoint>& out);

// Whether a point is over the flat part of a face of a plate. One on its border may be beyond it by round-off.
inline bool is_over(const Plate& plate, const Vec2& x, double slack) {
  const Vec2 to_middle = in_plane(plate.mid()) - x;
  if (std::abs(to_middle.x) > plate.half().x + slack || std::abs(to_middle.y) > plate.half().y + slack) return false;
  const double away = norm(to_middle);
  if (plate.rim() > slack || away <= slack) return depth_in(plate.profile(), x) >= plate.rim() - slack;
  return depth_in(plate.profile(), x + (2.0 * slack / away) * to_middle) > 0.0;
}

// A flat part of the surface of B, in its frame.
struct Patch {
  Vec3d point, normal;
  std::uint64_t number = 0;
};
// Calls f(patch, covers, depth) for the two faces of a plate and, if they are wanted, for its flat walls. covers(x)
// tells whether a point of its plane is on the patch; no other part lies deeper behind it than `depth`.
template <class F>
void for_patches(const Plate& plate, bool with_walls, F&& f) {
  const PlanarProfile& profile = plate.profile();
  const double slack = end_share * profile.size();
  for (const bool upper : {false, true}) {
    const Patch face{{0.0, 0.0, upper ? plate.high() : plate.low()}, {0.0, 0.0, upper ? 1.0 : -1.0}, upper ? 1u : 0u};
    f(
        face, [&](const Vec3d& x) { return is_over(plate, in_plane(x), slack); }, 1e300);
  }
  for (size_t k = 0; with_walls && k < profile.pieces().size(); ++k) {
    const Piece& wall = profile.pieces()[k];
    if (!wall.is_segment()) continue;
    const auto covers = [&](const Vec3d& x) {
      return above(wall, in_plane(x), slack) && x.z >= plate.level(false) - slack && x.z <= plate.level(true) + slack;
    };
    f(Patch{in_space(wall.from), in_space(wall.n0), 2 + k}, covers, wall.depth);
  }
}
// The same for a face of a convex solid.
inline Patch patch_of(const Hull& hull, int face) {
  const Hull::Face& f = hull.faces[face];
  return {hull.vertices[hull.loop[f.first]] + hull.radius * f.normal, f.normal, static_cast<std::uint64_t>(face)};
}
inline bool covers_face(const Hull& hull, int face, const Vec3d& x) {
  const Hull::Face& f = hull.faces[face];
  for (int k = f.first; k < f.first + f.count; ++k)
    if (dot(hull.sides[k].inward, x) < hull.sides[k].offset - end_share * hull.reach) return false;
  return true;
}
// Whether a convex solid may push outward along a direction at a vertex. All its edges must lead away, or almost.
inline bool allows_vertex(const Hull& hull, int vertex, const Vec3d& out) {
  for (const Hull::Neighbour& k : hull.neighbours(vertex))
    if (dot(out, k.along) > lying) return false;
  return true;
}

// The contacts of the rims of a plate A with a patch of B, not deeper than `deepest`, at places x of B where covers(x)
// holds. `swapped` says that A is the second shape of the pair.
template <class Covers>
void rims_on_patch(const Placed& A, const Placed& B, const Patch& patch, bool swapped, double margin, double deepest,
                   const Spots& spots, Covers&& covers, std::vector<TouchPoint>& out) {
  const Plate& plate = plate_of(A.shape);
  const Pose<double> motion = motion_of(A, B);
  const Vec3d n = transposed_times(motion.R, patch.normal);
  const double offset = dot(patch.normal, patch.point - motion.p);
  rim_places(plate, n, offset, margin + plate.rim(), [&](const RimPlace& place) {
    const double gap = place.height - plate.rim();
    if (gap < -deepest) return;
    const Vec3d x = motion.point(place.point), foot = x - place.height * patch.normal;
    if (!covers(foot)) return;
    const Vec3d normal = B.world.direction(patch.normal);
    if (spots.is_new(B.world.point(foot), swapped ? -normal : normal))
      add_rim_place(A, place, B, foot, patch.normal, gap, rim_feature(swapped, place.number, patch.number), out);
  });
}

}  // namespace tappet::narrow
