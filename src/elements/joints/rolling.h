// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/pose.h>

#include "elements/keys.h"

namespace tappet {

// A ball or, with `axis`, a thin disc of A rolls without slip on a plane of B: the material points at the touch have
// the same velocity. Rows [m/s]: along two tangents of the plane and, if keep_contact, along its normal. If there is
// also a contact that keeps the gap, set keep_contact to false.
template <class D>
struct RollingOf {
  static constexpr std::string_view name = "rolling";
  static constexpr std::string_view about = "bodies: [A, B]; a ball or disc of A rolls on a plane of B without slip";
  static constexpr int max_rows = 3;
  int rows() const { return keep_contact ? 3 : 2; }

  D radius = 1.0;
  Vec3<D> center{};             // in A
  std::optional<Vec3<D>> axis;  // of the disc, in A; the disc must not lie flat
  Vec3<D> normal{0, 0, 1};      // of the plane, in B
  bool keep_contact = true;
  std::array<Vec3<D>, 2> tangent{};

  template <class V>
  void describe(V& v) {
    v.required("radius", radius, positive);
    v.optional("center", center);
    v.optional("axis", axis, nonzero_vector);
    v.required("normal", normal, nonzero_vector);
    v.optional("keep_contact", keep_contact);
  }
  template <class V>
  void numbers(V& v) {
    v(radius, center, normal, keep_contact, tangent[0]);
    v.about_z(axis, tangent[1]);
  }
  void attach(const Pose<double>& A, const Pose<double>& B, bool planar) {
    normal = normalized(normal);
    tangent = normals(normal);
    if (axis) axis = normalized(*axis);
  }

  template <class S>
  void velocity(const Pose<S>& A, const Twist<S>& a, const Pose<S>& B, const Twist<S>& b, const S& t, S* gamma) const {
    const Vec3<S> n = B.direction(normal);
    Vec3<S> down = n;
    if (axis) {
      const Vec3<S> e = A.direction(*axis);
      down = normalized(n - dot(n, e) * e);
    }
    const Vec3<S> touch = A.point(center) - radius * down;
    const Vec3<S> slip = velocity_at(A, a, touch) - velocity_at(B, b, touch);
    gamma[0] = dot(B.direction(tangent[0]), slip);
    gamma[1] = dot(B.direction(tangent[1]), slip);
    if (keep_contact) gamma[2] = dot(n, slip);
  }
};
using Rolling = RollingOf<double>;

}  // namespace tappet
