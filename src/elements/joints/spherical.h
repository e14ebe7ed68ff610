// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elements/joints/attached.h"

namespace tappet {

// The points coincide. Rows: world components of the offset from A to B [m].
template <class D>
struct SphericalOf {
  static constexpr std::string_view name = "spherical";
  static constexpr std::string_view about = "bodies: [A, B]; a point of A and one of B coincide";
  static constexpr int max_rows = 3;
  int rows() const { return 3; }

  Anchor at;
  AttachedOf<D> attached;

  template <class V>
  void describe(V& v) {
    v.required("at", at);
  }
  template <class V>
  void numbers(V& v) {
    v(attached);
  }
  void attach(const Pose<double>& A, const Pose<double>& B, bool planar) {
    attached.attach(A, B, planar, at, {.world = {0, 0, 1}});
  }
  template <class S>
  void residual(const Pose<S>& A, const Pose<S>& B, const S& t, S* g) const {
    const Vec3<S> d = attached.offset(A, B);
    for (int i = 0; i < 3; ++i) g[i] = d[i];
  }
};
using Spherical = SphericalOf<double>;

}  // namespace tappet
