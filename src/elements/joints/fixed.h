// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elements/joints/attached.h"

namespace tappet {

// B is attached to A as it is at the start. Rows: offset in the world [m], then the three of the relative rotation.
// `at` is where the points coincide. If it is not given, this is the origin of B.
template <class D>
struct FixedOf {
  static constexpr std::string_view name = "fixed";
  static constexpr std::string_view about = "bodies: [A, B]; they move as one body";
  static constexpr int max_rows = 6;
  int rows() const { return 6; }

  std::optional<Anchor> at;
  AttachedOf<D> attached;

  template <class V>
  void describe(V& v) {
    v.optional("at", at);
  }
  template <class V>
  void numbers(V& v) {
    v(attached);
  }
  void attach(const Pose<double>& A, const Pose<double>& B, bool planar) {
    attached.attach(A, B, planar, at.value_or(Anchor{.world = B.p}), {.world = {0, 0, 1}});
  }
  template <class S>
  void residual(const Pose<S>& A, const Pose<S>& B, const S& t, S* g) const {
    const Vec3<S> d = attached.offset(A, B);
    for (int i = 0; i < 3; ++i) g[i] = d[i];
    attached.aligned(A, B, g + 3);
  }
};
using Fixed = FixedOf<double>;

}  // namespace tappet
