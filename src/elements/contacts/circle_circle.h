// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elements/contacts/sphere_sphere.h"

namespace tappet {

// Discs of two planar bodies that touch from outside.
template <class D>
struct CircleOnCircleOf : SphereSphereOf<D> {
  static constexpr std::string_view name = "circle-on-circle";
  static constexpr std::string_view about = "bodies: [A, B]; discs of two planar bodies that touch from outside";
  static constexpr std::string_view kernel = SphereSphereOf<D>::name;  // the same function
};
using CircleOnCircle = CircleOnCircleOf<double>;

// The disc of A in a round hole of B: a pin in its bore. radii: pin, bore.
template <class D>
struct CircleInCircleOf : RoundPairOf<D> {
  static constexpr std::string_view name = "circle-in-circle";
  static constexpr std::string_view about = "bodies: [A, B]; a disc of A in a round hole of B";
  static constexpr bool kernel_in_plane_only = true;

  std::string check() const {
    return this->radii[0] < this->radii[1] ? "" : "expected the second of `radii`, the hole, the larger";
  }

  template <class S>
  Touch<S> touch(const Pose<S>& A, const Pose<S>& B, const S& t) const {
    return touch_inside(A.point(this->centers[0]), B.point(this->centers[1]), this->radii[0], this->radii[1]);
  }
};
using CircleInCircle = CircleInCircleOf<double>;

}  // namespace tappet
