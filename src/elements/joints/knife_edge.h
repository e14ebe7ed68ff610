// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/pose.h>

#include "elements/keys.h"

namespace tappet {

// A blade of A on a plane of B (skate, knife, rudder). Its point moves only along the edge, or together with the plane.
// Row: the velocity relative to B across the edge [m/s], along the plane's normal × edge.
template <class D>
struct KnifeEdgeOf {
  static constexpr std::string_view name = "knife-edge";
  static constexpr std::string_view about = "bodies: [A, B]; an edge of A slides on B along itself, but not across";
  static constexpr int max_rows = 1;
  int rows() const { return 1; }

  Vec3<D> at{}, edge{1, 0, 0};  // in A
  Vec3<D> normal{0, 0, 1};      // in B

  template <class V>
  void describe(V& v) {
    v.optional("at", at);
    v.required("edge", edge, nonzero_vector);
    v.optional("normal", normal, nonzero_vector);
  }
  template <class V>
  void numbers(V& v) {
    v(at, edge);
    v.about_z(normal);
  }
  void attach(const Pose<double>& A, const Pose<double>& B, bool planar) {
    edge = normalized(edge);
    normal = normalized(normal);
  }

  template <class S>
  void velocity(const Pose<S>& A, const Twist<S>& a, const Pose<S>& B, const Twist<S>& b, const S& t, S* gamma) const {
    const Vec3<S> point = A.point(at), across = cross(B.direction(normal), A.direction(edge));
    gamma[0] = dot(across, velocity_at(A, a, point) - velocity_at(B, b, point));
  }
};
using KnifeEdge = KnifeEdgeOf<double>;

}  // namespace tappet
