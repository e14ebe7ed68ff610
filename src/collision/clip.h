// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "collision/segments.h"

namespace tappet::narrow {

// Names for what of box A meets what of box B: a corner of A, a corner of B, or an edge of each.
constexpr int corner_of_A(int corner) { return corner; }
constexpr int corner_of_B(int corner) { return 8 + corner; }
constexpr int edge_feature(int edge_A, int edge_B) { return 16 + 12 * edge_A + edge_B; }

// Edge 0 … 11 of a box, along `axis` through `corner`.
constexpr int edge_index(int axis, int corner) {
  return 4 * axis + (corner >> (axis + 1) % 3 & 1) + 2 * (corner >> (axis + 2) % 3 & 1);
}
// The corner at the end s = ±1 of an edge.
constexpr int edge_end(int edge, double s) {
  const int axis = edge / 4;
  return (s > 0.0 ? 1 << axis : 0) | (edge & 1) << (axis + 1) % 3 | (edge >> 1 & 1) << (axis + 2) % 3;
}
Segment edge_of(const Placed& box, int edge);              // world
Segment edge_of(const Placed& box, int axis, int corner);  // world
int far_corner(const Placed& box, const Vec3d& world_direction);

// A face of one box clipped to the outline of a face of another.
struct Corner {
  Vec3d x;        // world, on the clipped face
  double height;  // above the outline's face
  int feature;    // in the names above
  // of the polygon's edge that starts here: an edge of the clipped face, or a side of the outline
  int edge = -1, side = -1;
};
struct Polygon {
  std::array<Corner, 12> corners;
  int size = 0;
};

// `normal` is the outward normal (world) of the face across `axis` of `outline`. The face of `clipped` that is most
// opposed to it is taken.
Polygon clipped_face(const Placed& outline, const Placed& clipped, int axis, const Vec3d& normal, bool outline_is_A);

}  // namespace tappet::narrow
