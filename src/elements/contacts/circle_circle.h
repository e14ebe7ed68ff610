// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elements/contacts/sphere_sphere.h"

namespace tappet {

// Discs of two planar bodies that touch from outside.
struct CircleOnCircle : SphereSphere {
  static constexpr std::string_view name = "circle-on-circle";
  static constexpr std::string_view about = "bodies: [A, B]; discs of two planar bodies that touch from outside";
};

// The disc of A in a round hole of B: a pin in its bore. radii: pin, bore.
struct CircleInCircle : RoundPair {
  static constexpr std::string_view name = "circle-in-circle";
  static constexpr std::string_view about = "bodies: [A, B]; a disc of A in a round hole of B";

  std::string check() const {
    return radii[0] < radii[1] ? "" : "expected the second of `radii`, the hole, the larger";
  }

  template <class S>
  Touch<S> touch(const Pose<S>& A, const Pose<S>& B, const S& t) const {
    return touch_inside(A.point(centers[0]), B.point(centers[1]), radii[0], radii[1]);
  }
};

}  // namespace tappet
