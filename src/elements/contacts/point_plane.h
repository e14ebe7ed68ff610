// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elements/contacts/sphere_plane.h"

namespace tappet {

// A point of A and a plane of B.
template <class D>
struct PointPlaneOf {
  static constexpr std::string_view name = "point-plane";
  static constexpr std::string_view about =
      "bodies: [A, B]; a point of A on the side of B's plane that `normal` points to";

  Vec3<D> at{};  // in A
  PlaneOf<D> plane;

  template <class V>
  void describe(V& v) {
    v.optional("at", at);
    plane.describe(v);
  }
  template <class V>
  void numbers(V& v) {
    v(at, plane);
  }
  void attach(const Pose<double>& A, const Pose<double>& B, bool planar) { plane.attach(); }

  template <class S>
  Touch<S> touch(const Pose<S>& A, const Pose<S>& B, const S& t) const {
    return plane.touch(A.point(at), D(0.0), B);
  }
};
using PointPlane = PointPlaneOf<double>;

}  // namespace tappet
