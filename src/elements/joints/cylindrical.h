// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elements/joints/attached.h"

namespace tappet {

// B slides along the axis fixed in A and turns about it. Rows: offset across the axis along the normals of A [m], then
// the tilt of the axis of B. `displacement` and `angle` are formulas of t that drive the slide and the turn of B
// relative to A.
template <class D>
struct CylindricalOf {
  static constexpr std::string_view name = "cylindrical";
  static constexpr std::string_view about =
      "bodies: [A, B]; B slides along the axis and turns about it; both drives, since the start, are those of B "
      "relative to A";
  static constexpr int max_rows = 6;
  int rows() const { return 4 + displacement.has_value() + angle.has_value(); }

  Anchor at, axis{.world = {0, 0, 1}};
  std::optional<DriveOf<D>> displacement, angle;
  AttachedOf<D> attached;

  template <class V>
  void describe(V& v) {
    v.required("at", at);
    v.required("axis", axis, nonzero_vector);
    v.optional("displacement", displacement);
    v.optional("angle", angle);
  }
  template <class V>
  void numbers(V& v) {
    v(attached, displacement, angle);
  }
  void attach(const Pose<double>& A, const Pose<double>& B, bool planar) { attached.attach(A, B, planar, at, axis); }
  template <class S>
  void residual(const Pose<S>& A, const Pose<S>& B, const S& t, S* g) const {
    const Vec3<S> d = attached.offset(A, B);
    g[0] = dot(A.direction(attached.triad_A.x), d);
    g[1] = dot(A.direction(attached.triad_A.y), d);
    attached.coaxial(A, B, g + 2);
    if (displacement) attached.driven_slide(A, B, *displacement, t, g + 4);
    if (angle) attached.driven_turn(A, B, *angle, t, g + rows() - 1);
  }
  bool depends_on_time() const { return rows() > 4; }
};
using Cylindrical = CylindricalOf<double>;

}  // namespace tappet
