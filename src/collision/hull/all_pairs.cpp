// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "collision/hull/convex.h"
#include "collision/hull/hull_contacts.h"
#include "collision/hull/hull_pairs.h"

namespace tappet::narrow {
namespace {

// The features of one solid that may be within the margin of the other one. Every point of the other solid lies behind
// a plane across the normal between the two, so a feature that is far above this plane is far from the solid.
struct NearFeatures {
  std::vector<double> heights;  // of all vertices
  std::vector<int> vertices, edges, faces;

  template <class Height>
  void choose(const Hull& surface, double most, Height&& height) {
    heights.resize(surface.vertices.size());
    vertices.clear(), edges.clear(), faces.clear();
    for (size_t v = 0; v < heights.size(); ++v) {
      heights[v] = height(surface.vertices[v]);
      if (heights[v] <= most) vertices.push_back(static_cast<int>(v));
    }
    for (size_t e = 0; e < surface.edges.size(); ++e)
      if (std::min(heights[surface.edges[e].from], heights[surface.edges[e].to]) <= most)
        edges.push_back(static_cast<int>(e));
    for (size_t f = 0; f < surface.faces.size(); ++f)
      for (int k = 0; k < surface.faces[f].count; ++k)
        if (heights[surface.loop[surface.faces[f].first + k]] <= most) {
          faces.push_back(static_cast<int>(f));
          break;
        }
  }
};

struct Scratch {
  NearFeatures A, B;
  std::vector<Vec3d> points;
  std::vector<int> planes;
};

double height_of_support(const Hull& hull, const Vec3d& d) {
  double most = -1e300;
  for (const Vec3d& v : hull.vertices) most = std::max(most, dot(v, d));
  return most;
}

// Whether the solid near a vertex, or near an edge, lies ahead of it along the unit vector d, up to 11 degrees. In the
// middle of a face that is across d, the normal of the face tells ahead from behind.
bool lies_ahead(const Hull& hull, int vertex, const Vec3d& d) {
  double outward = 0.0;
  for (const Hull::Neighbour& k : hull.neighbours(vertex)) {
    if (dot(k.along, d) < -across) return false;
    outward += dot(hull.faces[k.face].normal, d);
  }
  return outward < 0.0;
}
bool lies_ahead(const Hull& hull, const Hull::Edge& edge, const Vec3d& d) {
  const Vec3d &left = hull.faces[edge.left].normal, &right = hull.faces[edge.right].normal;
  return dot(left, d) + dot(right, d) < 0.0 && dot(cross(left, edge.along), d) >= -across &&
         dot(cross(edge.along, right), d) >= -across;
}

bool is_over(const Hull& hull, const Hull::Face& face, const Vec3d& x, double tolerance) {
  for (int k = 0; k < face.count; ++k) {
    const Hull::Side& side = hull.sides[face.first + k];
    if (dot(side.inward, x) - side.offset < -tolerance) return false;
  }
  return true;
}

// The distances of features of the cores that count: none further apart than the margin, and none that is deeper in the
// other solid than the solids lie in each other, since it would be the far side of a feature.
struct Range {
  double least, most;
  bool contains(double distance) const { return distance >= least && distance <= most; }
};

// Calls add(vertex, face) for the vertices of one solid over the faces of the other one, once per plane.
template <class ToOther, class FromOther, class Add>
void each_vertex_face(const Hull& hull, const NearFeatures& near, const Features& other, const NearFeatures& near_other,
                      const Range& range, double tolerance, std::vector<int>& planes, ToOther&& to_other,
                      FromOther&& direction_from_other, Add&& add) {
  for (int v : near.vertices) {
    const Vec3d x = to_other(hull.vertices[v]);
    planes.clear();
    for (int f : near_other.faces) {
      const Hull::Face& face = other.surface.faces[f];
      if (!range.contains(dot(face.normal, x) - face.offset) || !is_over(other.surface, face, x, tolerance)) continue;
      if (std::find(planes.begin(), planes.end(), other.plane(f)) != planes.end()) continue;
      if (!lies_ahead(hull, v, direction_from_other(face.normal))) continue;
      planes.push_back(other.plane(f));
      add(v, f);
    }
  }
}

void each_edge_edge(const Hull& a, const NearFeatures& near_A, const Hull& b, const NearFeatures& near_B,
                    const Relative& T, const Vec3d& normal, const Range& range, HullContacts& contacts) {
  for (int i : near_A.edges)
    for (int j : near_B.edges) {
      const Hull::Edge &e = a.edges[i], &g = b.edges[j];
      const Vec3d m = cross(e.along, T.direction(g.along));
      const double sine = norm(m);
      if (sine < crossing) continue;
      const Vec3d n = (dot(m, normal) < 0.0 ? -1.0 / sine : 1.0 / sine) * m;
      if (!range.contains(dot(n, a.vertices[e.from] - T.point(b.vertices[g.from])))) continue;
      if (lies_ahead(a, e, n) && lies_ahead(b, g, -T.direction_back(n))) contacts.edge_edge(i, j, n, beside, 0.0);
    }
}

// The triangles, or the polygons of the core if there are none, as for a box.
Features features_of(const Shape& shape) {
  if (shape.kind == Shape::Kind::convex)
    if (const Facets& facets = convex_of(shape).facets(); !facets.empty()) return {facets.surface, facets.plane_of};
  return {*shape.core, {}};
}

}  // namespace

void all_pairs(const Placed& A, const Placed& B, double margin, WarmPair& warm, std::vector<TouchPoint>& out) {
  const Relative T = relative(A.world, B.world);
  const double radii = A.shape.core->radius + B.shape.core->radius;
  Separation at = separation(*A.shape.core, *B.shape.core, T, radii + margin, warm);
  if (at.state == Separation::State::beyond_reach) return;
  thread_local Scratch scratch;
  const Features features_A = features_of(A.shape), features_B = features_of(B.shape);
  const Hull &a = features_A.surface, &b = features_B.surface;
  const Vec3d in_B = T.direction_back(at.normal);
  const double above_B = dot(at.normal, T.p) + height_of_support(b, in_B), below_A = -height_of_support(a, -at.normal);
  const double most = radii + margin;
  const Range range{std::min(radii, at.distance) - margin, most};
  scratch.A.choose(a, most, [&](const Vec3d& x) { return dot(at.normal, x) - above_B; });
  scratch.B.choose(b, most, [&](const Vec3d& x) { return below_A - dot(at.normal, T.p) - dot(in_B, x); });
  HullContacts contacts(A, features_A, B, features_B, T, at.normal, margin, scratch.points, out);
  const double tolerance = on_the_side * contacts.size();
  each_vertex_face(
      a, scratch.A, features_B, scratch.B, range, tolerance, scratch.planes,
      [&](const Vec3d& x) { return T.point_back(x); }, [&](const Vec3d& n) { return T.direction(n); },
      [&](int v, int f) { contacts.vertex_face(v, f); });
  each_vertex_face(
      b, scratch.B, features_A, scratch.A, range, tolerance, scratch.planes, [&](const Vec3d& x) { return T.point(x); },
      [&](const Vec3d& n) { return T.direction_back(n); }, [&](int v, int f) { contacts.face_vertex(f, v); });
  each_edge_edge(a, scratch.A, b, scratch.B, T, at.normal, range, contacts);
  if (contacts.least() > at.distance - radii + 1e-14 * contacts.size()) {
    if (at.form == Separation::Form::unknown) name_features(*A.shape.core, *B.shape.core, T, warm, at);
    HullContacts(A, B, T, at.normal, margin, scratch.points, out).add_nearest(at);
  }
}

void all_vertices_plane(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {
  vertices_on_plane(A, features_of(A.shape).surface, B, margin, out);
}

}  // namespace tappet::narrow
