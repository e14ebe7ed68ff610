// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "collision/clip.h"

#include <algorithm>
#include <cmath>

namespace tappet::narrow {
namespace {

// The face of a box: its corners in order, and the edge from each to the next.
struct Face {
  int corners[4], edges[4];
};
Face face_of(int axis, bool positive) {
  const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, base = positive ? 1 << axis : 0;
  Face face{{base, base | u, base | u | v, base | v}, {}};
  for (int k = 0; k < 4; ++k) face.edges[k] = edge_index((axis + (k % 2 == 0 ? 1 : 2)) % 3, face.corners[k]);
  return face;
}

// The sides of the outline: sides 0 and 1 lie across (axis + 1) % 3, sides 2 and 3 across (axis + 2) % 3.
struct Outline {
  int axis, base;  // base: the corner bit of the face
  bool is_A;

  int across(int side) const { return (axis + 1 + side / 2) % 3; }
  int bit(int side) const { return side % 2 == 0 ? 0 : 1 << across(side); }
  int edge(int side) const { return edge_index((axis + 2 - side / 2) % 3, base | bit(side)); }

  // The feature at the point where an edge of the polygon leaves over a side: an edge of each box, or a corner of the
  // outline.
  int feature(const Corner& leaving, int side) const {
    if (leaving.side >= 0) {
      const int corner = base | bit(leaving.side) | bit(side);
      return is_A ? corner_of_A(corner) : corner_of_B(corner);
    }
    return is_A ? edge_feature(edge(side), leaving.edge) : edge_feature(leaving.edge, edge(side));
  }
};

// A point within `tie` of the line of the side counts as lying on it. It keeps its feature and makes no new corner.
void clip(const Outline& outline, int side, const Vec3d& direction, double limit, double tie, Polygon& polygon) {
  Polygon kept;
  for (int k = 0; k < polygon.size; ++k) {
    const Corner &here = polygon.corners[k], &next = polygon.corners[(k + 1) % polygon.size];
    const double beyond = dot(direction, here.x) - limit, beyond_next = dot(direction, next.x) - limit;
    if (beyond <= tie) {
      kept.corners[kept.size++] = here;
      if (beyond >= -tie && beyond_next > tie)
        kept.corners[kept.size - 1].edge = -1, kept.corners[kept.size - 1].side = side;
    }
    if ((beyond < -tie && beyond_next > tie) || (beyond > tie && beyond_next < -tie)) {
      Corner crossing = here;
      const double s = beyond / (beyond - beyond_next);
      crossing.x = here.x + s * (next.x - here.x);
      crossing.height = here.height + s * (next.height - here.height);
      crossing.feature = outline.feature(here, side);
      if (beyond < 0.0) crossing.edge = -1, crossing.side = side;
      kept.corners[kept.size++] = crossing;
    }
  }
  polygon = kept;
}

}  // namespace

Segment edge_of(const Placed& box, int edge) { return edge_of(box, edge / 4, edge_end(edge, -1.0)); }

Segment edge_of(const Placed& box, int axis, int corner) {
  Vec3d mid = corner_of(box.shape, corner);
  mid[axis] = 0.0;
  return {box.world.point(mid), box.shape.half[axis] * box.world.R[axis]};
}

int far_corner(const Placed& box, const Vec3d& d) {
  return (dot(d, box.world.R.x) > 0.0 ? 1 : 0) | (dot(d, box.world.R.y) > 0.0 ? 2 : 0) |
         (dot(d, box.world.R.z) > 0.0 ? 4 : 0);
}

Polygon clipped_face(const Placed& outline, const Placed& clipped, int axis, const Vec3d& normal, bool outline_is_A) {
  int opposed = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(dot(normal, clipped.world.R[k])) > std::abs(dot(normal, clipped.world.R[opposed])) + 1e-9) opposed = k;
  const Face face = face_of(opposed, dot(normal, clipped.world.R[opposed]) < 0.0);
  const bool positive = dot(normal, outline.world.R[axis]) > 0.0;
  const double level = dot(normal, outline.world.p) + outline.shape.half[axis];

  Polygon polygon;
  for (int k = 0; k < 4; ++k) {
    const Vec3d x = clipped.world.point(corner_of(clipped.shape, face.corners[k]));
    const int feature = outline_is_A ? corner_of_B(face.corners[k]) : corner_of_A(face.corners[k]);
    polygon.corners[polygon.size++] = {x, dot(normal, x) - level, feature, face.edges[k], -1};
  }
  const Vec3d& h = outline.shape.half;
  const double tie = 1e-6 * std::min({h.x, h.y, h.z, clipped.shape.half.x, clipped.shape.half.y, clipped.shape.half.z});
  const Outline sides{axis, positive ? 1 << axis : 0, outline_is_A};
  for (int side = 0; side < 4 && polygon.size > 0; ++side) {
    const int across = sides.across(side);
    const Vec3d direction = side % 2 == 0 ? -outline.world.R[across] : outline.world.R[across];
    clip(sides, side, direction, dot(direction, outline.world.p) + h[across], tie, polygon);
  }
  return polygon;
}

}  // namespace tappet::narrow
