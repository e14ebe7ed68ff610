// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Finds touch points of two boxes. The axis of largest separation (three normals of each box, nine products of edges)
// decides how they face each other. If it is the normal of a face, the opposite face of the other box is clipped to the
// outline of this face. Two edges, or a corner beside an edge, take the nearest points. A face is preferred if it is
// equally near up to round-off, so that a box at rest keeps its points. Features are named by what of A meets what of B
// (corners of A, corners of B, pairs of edges), no matter which of the two has the face.
#include <algorithm>
#include <array>
#include <cmath>

#include "collision/clip.h"
#include "collision/segments.h"

namespace tappet::narrow {
namespace {

// cosine: if they agree this well, the normal of a face is preferred to that of an edge
constexpr double same_direction = 0.999;

struct Axis {
  double separation = -1e300;
  Vec3d normal{};  // from B to A, world
  int i = -1, j = -1;
};

struct Pair {
  const Placed &A, &B;
  double margin, tiny;  // tiny: round-off of lengths of this size
  Vec3d apart;          // from B to A, world
  std::vector<TouchPoint>& out;
};

double extent_along(const Placed& box, const Vec3d& n) {
  return std::abs(dot(n, box.world.R.x)) * box.shape.half.x + std::abs(dot(n, box.world.R.y)) * box.shape.half.y +
         std::abs(dot(n, box.world.R.z)) * box.shape.half.z;
}

void try_axis(const Pair& p, const Vec3d& n, int i, int j, Axis& best) {
  const double along = dot(n, p.apart);
  const double separation = std::abs(along) - extent_along(p.A, n) - extent_along(p.B, n);
  if (separation > best.separation) best = {separation, along < 0.0 ? -n : n, i, j};
}

Axis best_face(const Pair& p, const Placed& of) {
  Axis best;
  for (int k = 0; k < 3; ++k) try_axis(p, of.world.R[k], k, k, best);
  return best;
}

Axis best_edges(const Pair& p) {
  Axis best;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const Vec3d n = cross(p.A.world.R[i], p.B.world.R[j]);
      const double length = norm(n);
      // if edges are parallel, a face or corners are enough
      if (length > 1e-4) try_axis(p, (1.0 / length) * n, i, j, best);
    }
  return best;
}

// Adds a plane contact of the world points x of A and y of B.
void add(const Pair& p, const Vec3d& x, const Vec3d& y, const Vec3d& normal, int feature) {
  const double gap = dot(normal, x - y);
  if (gap <= p.margin)
    add_ball_plane(p.A, p.A.to_shape(x), 0.0, p.B, p.B.to_shape(y), transposed_times(p.B.world.R, normal), gap, feature,
                   p.out);
}

// Adds the clipped face. On the box that has the face it is the projection, on the other box the point itself.
void add_polygon(const Pair& p, const Polygon& polygon, const Axis& face, bool face_of_A) {
  for (int k = 0; k < polygon.size; ++k) {
    const Vec3d& at = polygon.corners[k].x;
    const Vec3d on_face = at - (face_of_A ? -polygon.corners[k].height : polygon.corners[k].height) * face.normal;
    add(p, face_of_A ? on_face : at, face_of_A ? at : on_face, face.normal, polygon.corners[k].feature);
  }
}

// Adds the edges along axis i of A and j of B that lie furthest towards each other.
void add_crossing_edges(const Pair& p, const Axis& axis) {
  const int a = far_corner(p.A, -axis.normal), b = far_corner(p.B, axis.normal);
  const Segment x = edge_of(p.A, axis.i, a), y = edge_of(p.B, axis.j, b);
  const Nearest at = nearest(x, y);
  add(p, x.at(at.s), y.at(at.t), axis.normal, edge_feature(edge_index(axis.i, a), edge_index(axis.j, b)));
}

// Adds the corner of the other box that lies furthest behind a face.
void add_corner(const Pair& p, const Axis& face, bool face_of_A) {
  const Placed& other = face_of_A ? p.B : p.A;
  const int corner = far_corner(other, face_of_A ? face.normal : -face.normal);
  const Vec3d at = other.world.point(corner_of(other.shape, corner));
  const Vec3d on_face = at - (face_of_A ? -face.separation : face.separation) * face.normal;
  add(p, face_of_A ? on_face : at, face_of_A ? at : on_face, face.normal,
      face_of_A ? corner_of_B(corner) : corner_of_A(corner));
}

struct NearestEdges {
  double distance = 1e300;
  Vec3d x, y;
  int feature = 0;
};

// Whether this edge can come within the margin of the other box.
bool near(const Segment& edge, const Placed& box, double margin) {
  const Vec3d mid = box.to_shape(edge.mid), half = transposed_times(box.world.R, edge.half);
  for (int k = 0; k < 3; ++k)
    if (std::abs(mid[k]) - std::abs(half[k]) > box.shape.half[k] + margin) return false;
  return true;
}

NearestEdges nearest_edges(const Pair& p) {
  NearestEdges best;
  std::array<Segment, 12> of_B;
  std::array<bool, 12> counts;
  for (int e = 0; e < 12; ++e) {
    of_B[e] = edge_of(p.B, e);
    counts[e] = near(of_B[e], p.A, p.margin);
  }
  for (int e = 0; e < 12; ++e) {
    const Segment x = edge_of(p.A, e);
    if (!near(x, p.B, p.margin)) continue;
    for (int f = 0; f < 12; ++f) {
      if (!counts[f]) continue;
      const Nearest at = nearest(x, of_B[f]);
      const Vec3d a = x.at(at.s), b = of_B[f].at(at.t);
      const double distance = norm(a - b);
      if (distance >= best.distance - p.tiny) continue;
      const int feature = std::abs(at.s) == 1.0   ? corner_of_A(edge_end(e, at.s))
                          : std::abs(at.t) == 1.0 ? corner_of_B(edge_end(f, at.t))
                                                  : edge_feature(e, f);
      best = {distance, a, b, feature};
    }
  }
  return best;
}

}  // namespace

void box_box(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {
  const Vec3d &a = A.shape.half, &b = B.shape.half;
  const double size = std::min({a.x, a.y, a.z, b.x, b.y, b.z});
  const Pair p{A, B, margin, 1e-9 * size, A.world.p - B.world.p, out};
  const Axis face_A = best_face(p, A), face_B = best_face(p, B);
  if (std::max(face_A.separation, face_B.separation) > margin) return;
  const Axis edges = best_edges(p);
  if (edges.separation > margin) return;

  const double tie = 1e-6 * size;
  const bool of_A = face_A.separation >= face_B.separation - tie;
  const Axis& face = of_A ? face_A : face_B;
  const double separation = std::max({face_A.separation, face_B.separation, edges.separation});
  const bool through = separation <= 0.0;
  const bool by_edges = edges.separation > face.separation + tie && dot(edges.normal, face.normal) <= same_direction;
  if (through && by_edges) return add_crossing_edges(p, edges);

  const Polygon polygon =
      of_A ? clipped_face(A, B, face.i, -face.normal, true) : clipped_face(B, A, face.i, face.normal, false);
  double lowest = 1e300;
  for (int k = 0; k < polygon.size; ++k) lowest = std::min(lowest, polygon.corners[k].height);
  if (lowest <= separation + (through ? tie : p.tiny)) return add_polygon(p, polygon, face, of_A);
  if (through) {
    // The lowest point of the clipped face lies beside the outline.
    add_polygon(p, polygon, face, of_A);
    return edges.i >= 0 ? add_crossing_edges(p, edges) : add_corner(p, face, of_A);
  }

  const NearestEdges nearest = nearest_edges(p);
  if (lowest <= nearest.distance + p.tiny) return add_polygon(p, polygon, face, of_A);
  if (nearest.distance > margin) return;
  const Vec3d n = nearest.distance > 10.0 * p.tiny ? (1.0 / nearest.distance) * (nearest.x - nearest.y) : face.normal;
  if (dot(n, face.normal) <= same_direction) return add(p, nearest.x, nearest.y, n, nearest.feature);
  add(p, nearest.x, nearest.y, face.normal, nearest.feature);
  add_polygon(p, polygon, face, of_A);
}

}  // namespace tappet::narrow
