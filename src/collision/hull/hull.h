// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/pose.h>

#include <memory>
#include <span>
#include <vector>

namespace tappet {

// A convex polyhedron, the core of a rounded solid: the solid is the set of points closer than `radius` to the core.
// Coplanar triangles are merged, so that every face is a whole polygon. A point and a segment are cores too. They have
// no faces.
struct Hull {
  struct Face {
    Vec3d normal;      // outward, of length one
    double offset;     // normal·x = offset
    int first, count;  // its corners are loop[first], … , counter-clockwise as seen from outside
  };
  // A side of a face, in the order of `loop`, from its corner to the next: the inside of the face is inward·x ≥ offset.
  struct Side {
    Vec3d inward;
    double offset;
    int edge;
  };
  struct Edge {
    int from, to;
    int left, right;  // faces; left is the one whose loop goes from `from` to `to`; −1 if there is none
    Vec3d along;      // of length one
  };
  struct Neighbour {
    int vertex, edge, face;  // the face is to the left of the edge that leaves
    Vec3d along;             // of length one, towards the neighbour
  };

  std::vector<Vec3d> vertices;
  std::vector<Face> faces;
  std::vector<int> loop;
  std::vector<Side> sides;
  std::vector<Edge> edges;
  std::vector<int> start;  // the neighbours of vertex v are around[start[v]] … around[start[v + 1] − 1]
  std::vector<Neighbour> around;
  double radius = 0.0;
  double reach = 0.0;  // the largest distance of a vertex from the origin

  std::span<const Neighbour> neighbours(int v) const {
    return {around.data() + start[v], around.data() + start[v + 1]};
  }
  // The vertex furthest along d. The search climbs from vertex to vertex, beginning at `from`.
  int support(const Vec3d& d, int from) const;
  // The face at a vertex whose normal is nearest to the unit vector d, −1 if there is none, and the cosine between
  // them.
  int face_towards(int vertex, const Vec3d& d, double& cosine) const;
  int edge_between(int v, int w) const;  // −1 if there is none

  static Hull point(double radius);
  static Hull segment(double half_length, double radius);  // along z
  static Hull box(const Vec3d& half);
};

// What a solid of density one weighs: its volume, its centre of mass, and its inertia about that centre.
struct VolumeMoments {
  double volume = 0.0;
  Vec3d center{};
  Mat3d inertia{};
};
VolumeMoments moments_of(const Hull& hull);  // of the core

// The convex hull of points. Faces whose planes agree within `tolerance` [m] are merged. Throws std::invalid_argument
// if the points lie in a plane, or if there is another reason why there is no hull.
Hull convex_hull(std::span<const Vec3d> points, double tolerance);

// The largest rounding that rounded() accepts is near this: the distance of the centre from the nearest face.
double inner_radius(const Hull& hull);
// The same solid with edges rounded by the given radius. The faces stay where they are and the core lies that much
// further inside. Throws std::invalid_argument if the radius is larger than the solid allows.
Hull rounded(const Hull& hull, double radius, double tolerance);

// Fills everything except vertices, faces and loop from these three.
void connect(Hull& hull);

}  // namespace tappet
