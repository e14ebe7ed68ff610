// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elements/joints/attached.h"

namespace tappet {

// Hooke's joint: the points coincide, and an axis fixed in A stays perpendicular to one fixed in B. `axis` is the one
// of A and `cross_axis` the one of B, both in the world at the start. Rows: offset in the world [m], then the cosine
// between the axes.
template <class D>
struct UniversalOf {
  static constexpr std::string_view name = "universal";
  static constexpr std::string_view about =
      "bodies: [A, B]; the points coincide, `axis` of A stays perpendicular to `cross_axis` of B";
  static constexpr int max_rows = 4;
  int rows() const { return 4; }

  Anchor at;
  Vec3d axis{1, 0, 0}, cross_axis{0, 1, 0};
  Vec3<D> axis_A{}, axis_B{};  // in the frames of the bodies
  AttachedOf<D> attached;

  template <class V>
  void describe(V& v) {
    v.required("at", at);
    v.required("axis", axis, nonzero_vector);
    v.required("cross_axis", cross_axis, nonzero_vector);
  }
  template <class V>
  void numbers(V& v) {
    v(attached, axis_A, axis_B);
  }
  void attach(const Pose<double>& A, const Pose<double>& B, bool planar) {
    attached.attach(A, B, planar, at, {.world = {0, 0, 1}});
    axis_A = transposed_times(A.R, normalized(axis));
    axis_B = transposed_times(B.R, normalized(cross_axis));
  }
  template <class S>
  void residual(const Pose<S>& A, const Pose<S>& B, const S& t, S* g) const {
    const Vec3<S> d = attached.offset(A, B);
    for (int i = 0; i < 3; ++i) g[i] = d[i];
    g[3] = dot(A.direction(axis_A), B.direction(axis_B));
  }
};
using Universal = UniversalOf<double>;

}  // namespace tappet
