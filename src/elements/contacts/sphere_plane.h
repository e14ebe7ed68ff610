// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elements/contacts/touch.h"

namespace tappet {

// A plane fixed in B: through `point`, A on the side of `normal`.
template <class D>
struct PlaneOf {
  Vec3<D> point{}, normal{0, 0, 1};

  template <class V>
  void describe(V& v) {
    v.optional("point", point);
    v.required("normal", normal, nonzero_vector);
  }
  template <class V>
  void numbers(V& v) {
    v(point, normal);
  }
  void attach() { normal = normalized(normal); }

  template <class S>
  Touch<S> touch(const Vec3<S>& center_A, const D& radius, const Pose<S>& B) const {
    const Vec3<S> n = B.direction(normal);
    const S gap = dot(n, center_A - B.point(point)) - radius;
    const Vec3<S> point_A = center_A - radius * n;
    return {gap, point_A, point_A - gap * n, n};
  }
};
using Plane = PlaneOf<double>;

// A ball of A (or, between planar bodies, a disc) and a plane of B.
template <class D>
struct SpherePlaneOf {
  static constexpr std::string_view name = "sphere-plane";
  static constexpr std::string_view about =
      "bodies: [A, B]; a ball of A on the side of B's plane that `normal` points to";

  Vec3<D> center{};  // in A
  D radius = 1.0;
  PlaneOf<D> plane;

  template <class V>
  void describe(V& v) {
    v.required("radius", radius, positive);
    v.optional("center", center);
    plane.describe(v);
  }
  template <class V>
  void numbers(V& v) {
    v(center, radius, plane);
  }
  void attach(const Pose<double>& A, const Pose<double>& B, bool planar) { plane.attach(); }
  std::array<bool, 2> through_origins() const { return {is_zero(center), false}; }

  template <class S>
  Touch<S> touch(const Pose<S>& A, const Pose<S>& B, const S& t) const {
    return plane.touch(A.point(center), radius, B);
  }
};
using SpherePlane = SpherePlaneOf<double>;

}  // namespace tappet
