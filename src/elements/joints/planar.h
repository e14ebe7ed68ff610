// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elements/joints/attached.h"

namespace tappet {

// B slides in a plane fixed in A with the normal `axis` and turns about that normal. Rows: offset along the normal of A
// [m], then the tilt of B.
template <class D>
struct PlanarJointOf {
  static constexpr std::string_view name = "planar";
  static constexpr std::string_view about = "bodies: [A, B]; B moves in a plane of A";
  static constexpr int max_rows = 3;
  int rows() const { return 3; }

  Anchor at, axis{.world = {0, 0, 1}};
  AttachedOf<D> attached;

  template <class V>
  void describe(V& v) {
    v.required("at", at);
    v.required("axis", axis, nonzero_vector);
  }
  template <class V>
  void numbers(V& v) {
    v(attached);
  }
  void attach(const Pose<double>& A, const Pose<double>& B, bool planar) { attached.attach(A, B, planar, at, axis); }
  template <class S>
  void residual(const Pose<S>& A, const Pose<S>& B, const S& t, S* g) const {
    g[0] = dot(A.direction(attached.triad_A.z), attached.offset(A, B));
    attached.coaxial(A, B, g + 1);
  }
};
using PlanarJoint = PlanarJointOf<double>;

}  // namespace tappet
