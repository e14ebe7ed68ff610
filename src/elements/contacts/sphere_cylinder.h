// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elements/contacts/sphere_sphere.h"

namespace tappet {

// A ball of A and an endless cylinder of B. radii: ball, cylinder.
template <class D>
struct BallAndCylinderOf {
  std::array<D, 2> radii{1.0, 1.0};
  Vec3<D> center{};                     // of the ball, in A
  Vec3<D> axis_point{}, axis{0, 0, 1};  // of the cylinder, in B

  template <class V>
  void describe(V& v) {
    v.required("radii", radii, positive);
    v.optional("center", center);
    v.optional("axis_point", axis_point);
    v.required("axis", axis, nonzero_vector);
  }
  template <class V>
  void numbers(V& v) {
    v(radii, center, axis_point);
    v.about_z(axis);
  }
  void attach(const Pose<double>& A, const Pose<double>& B, bool planar) { axis = normalized(axis); }
  std::array<bool, 2> through_origins() const { return {is_zero(center), false}; }

  template <class S>
  Vec3<S> foot(const Vec3<S>& center_A, const Pose<S>& B) const {
    const Vec3<S> P = B.point(axis_point), e = B.direction(axis);
    return P + dot(e, center_A - P) * e;
  }
};
using BallAndCylinder = BallAndCylinderOf<double>;

template <class D>
struct SphereInCylinderOf : BallAndCylinderOf<D> {
  static constexpr std::string_view name = "sphere-in-cylinder";
  static constexpr std::string_view about = "bodies: [A, B]; a ball of A in a cylinder of B";

  std::string check() const {
    return this->radii[0] < this->radii[1] ? "" : "expected the second of `radii`, the cylinder, the larger";
  }
  template <class S>
  Touch<S> touch(const Pose<S>& A, const Pose<S>& B, const S& t) const {
    const Vec3<S> c = A.point(this->center);
    return touch_inside(c, this->foot(c, B), this->radii[0], this->radii[1]);
  }
};
using SphereInCylinder = SphereInCylinderOf<double>;

template <class D>
struct SphereOnCylinderOf : BallAndCylinderOf<D> {
  static constexpr std::string_view name = "sphere-on-cylinder";
  static constexpr std::string_view about = "bodies: [A, B]; a ball of A outside a cylinder of B";

  template <class S>
  Touch<S> touch(const Pose<S>& A, const Pose<S>& B, const S& t) const {
    const Vec3<S> c = A.point(this->center);
    return touch_outside(c, this->foot(c, B), this->radii[0], this->radii[1]);
  }
};
using SphereOnCylinder = SphereOnCylinderOf<double>;

}  // namespace tappet
