// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "collision/hull/hull_pairs.h"

#include <algorithm>
#include <cmath>

#include "collision/hull/hull_contacts.h"

namespace tappet::narrow {
namespace {

// The part of a hull that faces the other one: a face, an edge or a vertex. Corners are in the frame of A, and for hull
// A also in the frame of B.
struct Patch {
  const Hull* hull = nullptr;
  int face = -1, edge = -1;
  std::vector<int> corners;
  std::vector<Vec3d> here, there;  // in the frame of its own hull, in that of the other hull
  std::vector<double> gaps;        // of the corners over the face of the other patch; empty if it has none
  std::vector<double> within;      // of corner i from side j of that face, inward, at i · (number of its sides) + j
  int sides_there = 0;

  int size() const { return static_cast<int>(corners.size()); }
  int edges() const { return face >= 0 ? size() : edge >= 0 ? 1 : 0; }
  int edge_at(int k) const { return face >= 0 ? side(k).edge : edge; }
  const Hull::Side& side(int k) const { return hull->sides[hull->faces[face].first + k]; }
  int next(int k) const { return k + 1 < size() ? k + 1 : 0; }
  bool runs_backwards(int k) const { return hull->edges[edge_at(k)].from != corners[k]; }

  // d: the outward unit normal in the frame of the hull, at a vertex furthest along it.
  template <class ToOther>
  void choose(const Hull& of, int vertex, const Vec3d& d, ToOther&& to_other) {
    hull = &of, edge = -1;
    double cosine;
    face = of.face_towards(vertex, d, cosine);
    if (face >= 0 && cosine > beside) {
      const Hull::Face& f = of.faces[face];
      corners.assign(of.loop.begin() + f.first, of.loop.begin() + f.first + f.count);
    } else {
      face = -1;
      choose_edge(vertex, d);
    }
    here.resize(corners.size()), there.resize(corners.size());
    for (size_t k = 0; k < corners.size(); ++k) {
      here[k] = of.vertices[corners[k]];
      there[k] = to_other(here[k]);
    }
  }
  void choose_edge(int vertex, const Vec3d& d) {
    double least = across;
    for (const Hull::Neighbour& k : hull->neighbours(vertex)) {
      const double sine = std::abs(dot(k.along, d));
      if (sine < least) least = sine, edge = k.edge;
    }
    corners.assign(1, vertex);
    if (edge >= 0) corners = {hull->edges[edge].from, hull->edges[edge].to};
  }
  void measure(const Patch& other, double radii) {
    gaps.clear();
    if (other.face < 0) return;
    const Hull::Face& f = other.hull->faces[other.face];
    const Hull::Side* sides = other.hull->sides.data() + f.first;
    sides_there = f.count;
    gaps.resize(there.size()), within.resize(there.size() * f.count);
    double* to = within.data();
    for (size_t i = 0; i < there.size(); ++i) {
      gaps[i] = dot(f.normal, there[i]) - f.offset - radii;
      for (int j = 0; j < f.count; ++j) *to++ = dot(sides[j].inward, there[i]) - sides[j].offset;
    }
  }
  double inside(int i, int j) const { return within[i * sides_there + j]; }
  // Whether the side that begins at corner k may come within the margin of the other face.
  bool side_is_near(int k, double margin) const {
    return gaps.empty() || std::min(gaps[k], gaps[next(k)]) <= 1.05 * margin;
  }
  // Whether corner i lies over the face of the other patch.
  bool is_over(int i, double tolerance) const {
    for (int j = 0; j < sides_there; ++j)
      if (inside(i, j) < -tolerance) return false;
    return true;
  }
};

struct Scratch {
  Patch A, B;
  std::vector<Vec3d> points;
};

// Where side i of one patch crosses side j of the other.
void add_crossing(const Patch& a, int i, const Patch& b, int j, const Vec3d& n, HullContacts& contacts) {
  const int i2 = a.next(i), j2 = b.next(j);
  double on_a = -1.0, on_b = -1.0;  // where the crossing is on the edge, seen along the normal of the other's face
  if (b.face >= 0) {
    const double from = a.inside(i, j), to = a.inside(i2, j);
    if ((from < 0.0) == (to < 0.0)) return;
    on_a = from / (from - to);
  }
  if (a.face >= 0) {
    const double from = b.inside(j, i), to = b.inside(j2, i);
    if ((from < 0.0) == (to < 0.0)) return;
    on_b = from / (from - to);
  }
  const Vec3d e = a.here[i2] - a.here[i], g = b.there[j2] - b.there[j], m = cross(e, g);
  if (dot(m, m) > crossing * crossing * dot(e, e) * dot(g, g)) {
    const bool back_a = a.runs_backwards(i), back_b = b.runs_backwards(j);
    contacts.edge_edge(a.edge_at(i), a.here[back_a ? i2 : i], back_a ? -e : e, b.edge_at(j), b.there[back_b ? j2 : j],
                       back_b ? -g : g, n, beside, 1e-6);
  } else if (b.face >= 0) {
    contacts.point_face(a.here[i] + on_a * e, b.face, a.edge_at(i), b.edge_at(j));
  } else {
    contacts.face_point(a.face, b.here[j] + on_b * (b.here[j2] - b.here[j]), a.edge_at(i), b.edge_at(j));
  }
}

// The corners of the common patch.
void add_patch(const Patch& a, const Patch& b, const Vec3d& n, HullContacts& contacts) {
  const double tolerance = on_the_side * contacts.size();
  if (b.face >= 0)
    for (int i = 0; i < a.size(); ++i)
      if (a.gaps[i] <= contacts.margin() && a.is_over(i, tolerance)) contacts.vertex_face(a.corners[i], b.face);
  if (a.face >= 0)
    for (int j = 0; j < b.size(); ++j)
      if (b.gaps[j] <= contacts.margin() && b.is_over(j, tolerance)) contacts.face_vertex(a.face, b.corners[j]);
  for (int i = 0; i < a.edges(); ++i) {
    if (!a.side_is_near(i, contacts.margin())) continue;
    for (int j = 0; j < b.edges(); ++j)
      if (b.side_is_near(j, contacts.margin())) add_crossing(a, i, b, j, n, contacts);
  }
}

// Two edges side by side: the ends of what they have in common.
void add_parallel_edges(const Patch& a, const Patch& b, HullContacts& contacts) {
  const Vec3d e = a.here[1] - a.here[0], g = b.there[1] - b.there[0], m = cross(e, g);
  if (dot(m, m) > 0.01 * dot(e, e) * dot(g, g)) return;
  const auto beside_edge = [](const Vec3d& x, const Vec3d& from, const Vec3d& along) {
    const double t = dot(x - from, along);
    return t >= 0.0 && t <= dot(along, along);
  };
  for (int i = 0; i < 2; ++i)
    if (beside_edge(a.here[i], b.there[0], g)) contacts.vertex_edge(a.corners[i], b.edge);
  for (int j = 0; j < 2; ++j)
    if (beside_edge(b.there[j], a.here[0], e)) contacts.edge_vertex(a.edge, b.corners[j]);
}

}  // namespace

void hull_hull(const Placed& A, const Placed& B, double margin, WarmPair& warm, std::vector<TouchPoint>& out) {
  const Hull &hull_A = *A.shape.core, &hull_B = *B.shape.core;
  const Relative T = relative(A.world, B.world);
  Separation at = separation(hull_A, hull_B, T, hull_A.radius + hull_B.radius + margin, warm);
  if (at.state == Separation::State::beyond_reach) return;
  thread_local Scratch scratch;
  HullContacts contacts(A, B, T, at.normal, margin, scratch.points, out);
  Patch &a = scratch.A, &b = scratch.B;
  a.choose(hull_A, at.at_A, -at.normal, [&](const Vec3d& x) { return T.point_back(x); });
  b.choose(hull_B, at.at_B, T.direction_back(at.normal), [&](const Vec3d& x) { return T.point(x); });
  a.measure(b, contacts.radii()), b.measure(a, contacts.radii());
  if (a.face >= 0 || b.face >= 0)
    add_patch(a, b, at.normal, contacts);
  else if (a.edge >= 0 && b.edge >= 0)
    add_parallel_edges(a, b, contacts);
  if (contacts.least() > at.distance - contacts.radii() + 1e-14 * contacts.size()) {
    if (at.form == Separation::Form::unknown) name_features(hull_A, hull_B, T, warm, at);
    contacts.add_nearest(at);
  }
}

void hull_plane(const Placed& A, const Placed& B, double margin, std::vector<TouchPoint>& out) {
  vertices_on_plane(A, *A.shape.core, B, margin, out);
}

}  // namespace tappet::narrow
