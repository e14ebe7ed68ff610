// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elements/joints/attached.h"

namespace tappet {

// A hinge: the points coincide and B turns about the axis only. Rows: offset in the world [m], then the axis of B
// along the two normals of A (sine of the tilt).
struct Revolute {
  static constexpr std::string_view name = "revolute";
  static constexpr int max_rows = 5;
  int rows() const { return 5; }

  Anchor at, axis{.world = {0, 0, 1}};
  Attached attached;

  template <class V>
  void describe(V& v) {
    v.required("at", at);
    v.optional("axis", axis, nonzero_vector);
  }
  void attach(const Pose<double>& A, const Pose<double>& B, bool planar) { attached.attach(A, B, planar, at, axis); }
  template <class S>
  void residual(const Pose<S>& A, const Pose<S>& B, const S& t, S* g) const {
    const Vec3<S> d = attached.offset(A, B), axis_B = B.direction(attached.triad_B.z);
    for (int i = 0; i < 3; ++i) g[i] = d[i];
    g[3] = dot(A.direction(attached.triad_A.x), axis_B);
    g[4] = dot(A.direction(attached.triad_A.y), axis_B);
  }
};

}  // namespace tappet
