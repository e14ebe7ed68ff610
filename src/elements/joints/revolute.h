// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elements/joints/attached.h"

namespace tappet {

// A hinge: the points coincide and B turns only about the axis. Rows: offset in the world [m], then the axis of B along
// the two normals of A (sine of the tilt). `angle` is a formula of t that drives the turn of B relative to A.
template <class D>
struct RevoluteOf {
  static constexpr std::string_view name = "revolute";
  static constexpr std::string_view about =
      "bodies: [A, B]; B turns about the axis; `angle`, since the start, is the turn of B relative to A, right-handed";
  static constexpr int max_rows = 6;
  int rows() const { return 5 + angle.has_value(); }

  Anchor at, axis{.world = {0, 0, 1}};
  std::optional<DriveOf<D>> angle;
  AttachedOf<D> attached;

  template <class V>
  void describe(V& v) {
    v.required("at", at);
    v.optional("axis", axis, nonzero_vector);
    v.optional("angle", angle);
  }
  template <class V>
  void numbers(V& v) {
    v(attached, angle);
  }
  void attach(const Pose<double>& A, const Pose<double>& B, bool planar) { attached.attach(A, B, planar, at, axis); }
  template <class S>
  void residual(const Pose<S>& A, const Pose<S>& B, const S& t, S* g) const {
    const Vec3<S> d = attached.offset(A, B);
    for (int i = 0; i < 3; ++i) g[i] = d[i];
    attached.coaxial(A, B, g + 3);
    if (angle) attached.driven_turn(A, B, *angle, t, g + 5);
  }
  bool depends_on_time() const { return rows() > 5; }
};
using Revolute = RevoluteOf<double>;

}  // namespace tappet
