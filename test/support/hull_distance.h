// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include "collision/narrow_phase.h"

namespace tappet::test {

inline double nearest_to_segment(const Vec3d& x, const Vec3d& p, const Vec3d& q) {
  const Vec3d d = q - p;
  return norm(x - p - std::clamp(dot(x - p, d) / dot(d, d), 0.0, 1.0) * d);
}
inline double between_segments(const Vec3d& p, const Vec3d& d, const Vec3d& q, const Vec3d& e) {
  double least = std::min({nearest_to_segment(p, q, q + e), nearest_to_segment(p + d, q, q + e),
                           nearest_to_segment(q, p, p + d), nearest_to_segment(q + e, p, p + d)});
  const Vec3d n = cross(d, e);
  const double nn = dot(n, n);
  if (nn < 1e-24 * dot(d, d) * dot(e, e)) return least;
  const double s = dot(cross(q - p, e), n) / nn, t = dot(cross(q - p, d), n) / nn;
  if (s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0) least = std::min(least, std::abs(dot(n, q - p)) / std::sqrt(nn));
  return least;
}
// The distance of two rounded solids whose cores are apart: all vertices against all faces and all edges against all
// edges, in the world. It shares no code with the search for contacts.
inline double by_brute_force(const Placed& A, const Placed& B) {
  double least = 1e300;
  const auto vertices_on_faces = [&](const Placed& V, const Placed& F) {
    for (const Vec3d& v : V.shape.core->vertices) {
      const Vec3d x = F.to_shape(V.world.point(v));
      for (const Hull::Face& face : F.shape.core->faces) {
        bool inside = true;
        for (int k = 0; k < face.count; ++k) {
          const Hull::Side& side = F.shape.core->sides[face.first + k];
          inside &= dot(side.inward, x) >= side.offset;
        }
        const double height = dot(face.normal, x) - face.offset;
        if (inside && height >= 0.0) least = std::min(least, height);
      }
    }
  };
  vertices_on_faces(A, B), vertices_on_faces(B, A);
  for (const Hull::Edge& e : A.shape.core->edges)
    for (const Hull::Edge& f : B.shape.core->edges) {
      const Vec3d p = A.world.point(A.shape.core->vertices[e.from]),
                  d = A.world.point(A.shape.core->vertices[e.to]) - p;
      const Vec3d q = B.world.point(B.shape.core->vertices[f.from]),
                  g = B.world.point(B.shape.core->vertices[f.to]) - q;
      least = std::min(least, between_segments(p, d, q, g));
    }
  return least - A.shape.core->radius - B.shape.core->radius;
}

// Whether an edge of one core passes through the other or lies in it.
inline bool cores_overlap(const Placed& A, const Placed& B) {
  const auto passes = [](const Placed& E, const Placed& F) {
    const Hull& hull = *F.shape.core;
    for (const Hull::Edge& edge : E.shape.core->edges) {
      const Vec3d p = F.to_shape(E.world.point(E.shape.core->vertices[edge.from])),
                  d = F.to_shape(E.world.point(E.shape.core->vertices[edge.to])) - p;
      double from = 0.0, to = 1.0;  // the part of the edge that is inside all faces
      for (const Hull::Face& face : hull.faces) {
        const double height = dot(face.normal, p) - face.offset, slope = dot(face.normal, d);
        if (slope == 0.0 && height > 0.0) to = -1.0;
        if (slope > 0.0) to = std::min(to, -height / slope);
        if (slope < 0.0) from = std::max(from, -height / slope);
      }
      if (from < to) return true;
    }
    return false;
  };
  return passes(A, B) || passes(B, A);
}

}  // namespace tappet::test
