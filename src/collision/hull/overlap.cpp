// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "collision/hull/nearest.h"

namespace tappet::narrow {
namespace {

// Faces of one hull against the furthest vertex of the other. `take` is told the separation, the face and the vertex.
template <class ToOther, class Height, class Take>
void try_faces(const Hull& of, const Hull& other, int from, ToOther&& to_other, Height&& height, Take&& take) {
  for (size_t f = 0; f < of.faces.size(); ++f) {
    const Hull::Face& face = of.faces[f];
    from = other.support(-to_other(face.normal), from);
    take(height(other.vertices[from], face.normal) - face.offset, static_cast<int>(f), from);
  }
}

// Whether the arc of normals from a1 to a2 on the unit sphere crosses the one from b1 to b2, where the edge e is along
// a1 × a2 and g along b1 × b2. Only then do the two edges carry a face of A − B.
bool arcs_cross(const Vec3d& a1, const Vec3d& a2, const Vec3d& e, const Vec3d& b1, const Vec3d& b2, const Vec3d& g) {
  const double b1_e = dot(b1, e), b2_e = dot(b2, e), a1_g = dot(a1, g), a2_g = dot(a2, g);
  return b1_e * b2_e < 0.0 && a1_g * a2_g < 0.0 && b1_e * a2_g > 0.0;
}

struct Best {
  Separation* result;
  double tie;

  // A face is preferred to edges unless the edges are better by more than the tie.
  bool better(double distance, bool edges) const { return distance > result->distance + (edges ? tie : 0.0); }
};

void try_edges(const Hull& A, const Hull& B, const Relative& T, const Best& best) {
  Separation& result = *best.result;
  for (size_t j = 0; j < B.edges.size(); ++j) {
    const Hull::Edge& f = B.edges[j];
    const bool solid_B = f.left >= 0;
    const Vec3d at_B = T.point(B.vertices[f.from]), g = T.point(B.vertices[f.to]) - at_B;
    const Vec3d b1 = solid_B ? -T.direction(B.faces[f.left].normal) : Vec3d{},
                b2 = solid_B ? -T.direction(B.faces[f.right].normal) : Vec3d{};
    for (size_t i = 0; i < A.edges.size(); ++i) {
      const Hull::Edge& h = A.edges[i];
      const Vec3d& at_A = A.vertices[h.from];
      const Vec3d e = A.vertices[h.to] - at_A;
      const bool solid_A = h.left >= 0;
      if (solid_A && solid_B && !arcs_cross(A.faces[h.left].normal, A.faces[h.right].normal, e, b1, b2, g)) continue;
      // A segment has all normals across it.
      if (!solid_A && solid_B && dot(b1, e) * dot(b2, e) >= 0.0) continue;
      if (solid_A && !solid_B && dot(A.faces[h.left].normal, g) * dot(A.faces[h.right].normal, g) >= 0.0) continue;
      Vec3d n = cross(e, g);
      const double squared = dot(n, n);
      if (squared < 1e-8 * dot(e, e) * dot(g, g)) continue;
      n = (1.0 / std::sqrt(squared)) * n;
      // Outward of B, hence from B to A; of a segment, whichever side the other hull tells.
      const double out = solid_B ? -dot(n, b1 + b2) : -dot(n, A.faces[h.left].normal + A.faces[h.right].normal);
      if (out < 0.0) n = -n;
      const double distance = dot(n, at_A - at_B);
      if (!best.better(distance, true)) continue;
      result.distance = distance, result.normal = n;
      result.form = Separation::Form::edge_edge;
      result.a = static_cast<int>(i), result.b = static_cast<int>(j);
      result.at_A = h.from, result.at_B = f.from;
    }
  }
}

}  // namespace

Separation smallest_overlap(const Hull& A, const Hull& B, const Relative& T, const WarmPair& warm) {
  Separation result{.state = Separation::State::found, .distance = -1e300};
  const Best best{&result, 1e-7 * std::min(A.reach > 0.0 ? A.reach : B.reach, B.reach > 0.0 ? B.reach : A.reach)};
  try_faces(
      B, A, warm.at_A, [&](const Vec3d& n) { return T.direction(n); },
      [&](const Vec3d& x, const Vec3d& n) { return dot(n, T.point_back(x)); },
      [&](double distance, int face, int vertex) {
        if (!best.better(distance, false)) return;
        result.distance = distance, result.normal = T.direction(B.faces[face].normal);
        result.form = Separation::Form::vertex_face, result.a = vertex, result.b = face;
        result.at_A = vertex, result.at_B = B.loop[B.faces[face].first];
      });
  try_faces(
      A, B, warm.at_B, [&](const Vec3d& n) { return T.direction_back(n); },
      [&](const Vec3d& x, const Vec3d& n) { return dot(n, T.point(x)); },
      [&](double distance, int face, int vertex) {
        if (!best.better(distance, true)) return;
        result.distance = distance, result.normal = -A.faces[face].normal;
        result.form = Separation::Form::face_vertex, result.a = face, result.b = vertex;
        result.at_A = A.loop[A.faces[face].first], result.at_B = vertex;
      });
  try_edges(A, B, T, best);
  return result;
}

}  // namespace tappet::narrow
