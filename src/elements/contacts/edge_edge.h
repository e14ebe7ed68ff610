// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elements/contacts/touch.h"

namespace tappet {

// Rounded edges of A and B that cross: endless cylinders about two lines. The normal is along the product of the two
// directions, so that A is on the side to which edge_A × edge_B points. The gap is valid while the edges are not
// parallel.
template <class D>
struct EdgeEdgeOf {
  static constexpr std::string_view name = "edge-edge";

  std::array<Vec3<D>, 2> points{};                                   // of the lines, in A and in B
  std::array<Vec3<D>, 2> edges{Vec3<D>{1, 0, 0}, Vec3<D>{0, 1, 0}};  // of length one
  std::array<D, 2> radii{0.0, 0.0};

  template <class V>
  void describe(V& v) {
    v.required("points", points);
    v.required("edge_A", edges[0], nonzero_vector);
    v.required("edge_B", edges[1], nonzero_vector);
    v.required("radii", radii, positive);
  }
  void attach(const Pose<double>& A, const Pose<double>& B, bool planar) {
    for (Vec3<D>& edge : edges) edge = normalized(edge);
  }

  template <class S>
  Touch<S> touch(const Pose<S>& A, const Pose<S>& B, const S& t) const {
    const Vec3<S> x = A.point(points[0]), y = B.point(points[1]);
    const Vec3<S> e = A.direction(edges[0]), g = B.direction(edges[1]), m = cross(e, g), d = x - y;
    const S square = dot(m, m), cosine = dot(e, g), along_e = dot(d, e), along_g = dot(d, g);
    const Vec3<S> n = (1.0 / sqrt(square)) * m;
    const Vec3<S> foot_A = x + ((cosine * along_g - along_e) / square) * e;
    const Vec3<S> foot_B = y + ((along_g - cosine * along_e) / square) * g;
    return {dot(n, d) - (radii[0] + radii[1]), foot_A - radii[0] * n, foot_B + radii[1] * n, n};
  }
};
using EdgeEdge = EdgeEdgeOf<double>;

}  // namespace tappet
