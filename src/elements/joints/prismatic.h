// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elements/joints/attached.h"

namespace tappet {

// A slider: B moves along the axis fixed in A and does not turn relative to A. Rows: offset across the axis along the
// normals of A [m], then the three of the relative rotation. `displacement` is a formula of t that drives the slide of
// B relative to A.
template <class D>
struct PrismaticOf {
  static constexpr std::string_view name = "prismatic";
  static constexpr std::string_view about =
      "bodies: [A, B]; B slides along the axis; `displacement`, since the start, is that of B relative to A";
  static constexpr int max_rows = 6;
  int rows() const { return 5 + displacement.has_value(); }

  Anchor at, axis{.world = {0, 0, 1}};
  std::optional<DriveOf<D>> displacement;
  AttachedOf<D> attached;

  template <class V>
  void describe(V& v) {
    v.required("at", at);
    v.required("axis", axis, nonzero_vector);
    v.optional("displacement", displacement);
  }
  template <class V>
  void numbers(V& v) {
    v(attached, displacement);
  }
  void attach(const Pose<double>& A, const Pose<double>& B, bool planar) { attached.attach(A, B, planar, at, axis); }
  template <class S>
  void residual(const Pose<S>& A, const Pose<S>& B, const S& t, S* g) const {
    const Vec3<S> d = attached.offset(A, B);
    g[0] = dot(A.direction(attached.triad_A.x), d);
    g[1] = dot(A.direction(attached.triad_A.y), d);
    attached.aligned(A, B, g + 2);
    if (displacement) attached.driven_slide(A, B, *displacement, t, g + 5);
  }
  bool depends_on_time() const { return rows() > 5; }
};
using Prismatic = PrismaticOf<double>;

}  // namespace tappet
