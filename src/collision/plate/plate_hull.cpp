// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// A convex solid, a box or a capsule A with a plate B.
#include <algorithm>

#include "collision/plate/patches.h"
#include "collision/plate/point_plate.h"

namespace tappet::narrow {
namespace {

void vertices_on_plate(const Placed& A, const Placed& B, double margin, const Spots& spots,
                       std::vector<TouchPoint>& out) {
  const Hull& hull = *A.shape.core;
  const PointOnPlate search(A, B, false, true, margin, spots, out);
  for (size_t v = 0; v < hull.vertices.size(); ++v)
    search.find(hull.vertices[v], hull.radius, v,
                [&](const Vec3d& d) { return allows_vertex(hull, static_cast<int>(v), d); });
}

void faces_on_plate(const Placed& A, const Placed& B, double margin, double deepest, const Spots& spots,
                    std::vector<TouchPoint>& out) {
  const Hull& hull = *A.shape.core;
  for (int f = 0; f < static_cast<int>(hull.faces.size()); ++f)
    rims_on_patch(
        B, A, patch_of(hull, f), true, margin, deepest, spots, [&](const Vec3d& x) { return covers_face(hull, f, x); },
        out);
}

// Corners of the plate B beside edges of A.
void corners_on_edges(const Placed& A, const Placed& B, const EdgeSearch& search, const Spots& spots,
                      std::vector<TouchPoint>& out) {
  const Hull& hull = *A.shape.core;
  const Plate& plate = plate_of(B.shape);
  const double reach = plate.rim() + hull.radius + search.margin;
  for_corners(plate, [&](const Piece& corner, bool upper, std::uint64_t number) {
    const Vec3d at = in_space(corner.center, plate.level(upper)), x = A.to_shape(B.world.point(at));
    for (size_t e = 0; e < hull.edges.size(); ++e) {
      Edge edge;
      edge_of_hull(hull, static_cast<int>(e), edge);
      const double place = dot(x - edge.curve.center, edge.axis);
      const Vec3d d = x - edge.curve.at(place);
      const double distance = norm(d);
      if (distance > reach || distance <= 0.0 || !allows(edge, place, (1.0 / distance) * d, search.size)) continue;
      const Vec3d normal = A.world.direction((1.0 / distance) * d), out_of_B = -transposed_times(B.world.R, normal);
      if (!allows_corner(corner, upper, out_of_B) ||
          !spots.is_new(A.world.point(edge.curve.at(place)) + hull.radius * normal, -normal))
        continue;
      TouchPoint& touch = out.emplace_back();
      touch.form = TouchPoint::Form::ball_edge;
      touch.body_A = B.body, touch.body_B = A.body, touch.collider_A = B.collider, touch.collider_B = A.collider;
      touch.point_A = B.local.point(at), touch.radius_A = plate.rim();
      touch.point_B = A.local.point(edge.curve.center), touch.radius_B = hull.radius;
      touch.normal = A.local.direction(edge.axis);
      touch.gap = distance - plate.rim() - hull.radius;
      touch.id = touch_id(A.collider, B.collider, point_feature(true, number, e));
    }
  });
}

// The edges of A that come within the margin of the box about B.
void edges_on_plate(const Placed& A, const Placed& B, const EdgeSearch& search, const Spots& spots,
                    std::vector<TouchPoint>& out) {
  const Hull& hull = *A.shape.core;
  const Plate& plate = plate_of(B.shape);
  const Pose<double> motion = motion_of(A, B);
  EdgePairs pairs(A, B, motion, search, spots, out);
  const double near = hull.radius + search.margin;
  for (size_t e = 0; e < hull.edges.size(); ++e) {
    Edge own, other;
    edge_of_hull(hull, static_cast<int>(e), own);
    const Edge edge = moved(own, motion);
    const Vec3d p = edge.curve.at(edge.from), q = edge.curve.at(edge.to);
    bool apart = false;
    for (int k = 0; k < 3; ++k)
      apart |= std::min(p[k], q[k]) > plate.mid()[k] + plate.half()[k] + near ||
               std::max(p[k], q[k]) < plate.mid()[k] - plate.half()[k] - near;
    if (apart) continue;
    for (int i = 0; i < static_cast<int>(plate.profile().pieces().size()); ++i)
      for (int which = 0; which < 3; ++which)
        if (edge_of_plate(plate, i, which, other)) pairs.add(edge, other);
  }
}

}  // namespace

void hull_plate(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {
  const Hull& hull = *A.shape.core;
  const Plate& plate = plate_of(B.shape);
  const double size = std::min(hull.reach, plate.profile().size()), deepest = hull.radius + deepest_of(plate);
  const Spots spots(size);
  vertices_on_plate(A, B, margin, spots, out);
  faces_on_plate(A, B, margin, deepest, spots, out);
  edges_on_plate(A, B, {margin, deepest, size}, spots, out);
  corners_on_edges(A, B, {margin, deepest, size}, spots, out);
}

}  // namespace tappet::narrow
