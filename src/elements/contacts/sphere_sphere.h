// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elements/contacts/touch.h"

namespace tappet {

// Round surfaces of A and B whose centres (or axes) are d apart, from B to A. Outside, gap = |d| − r_A − r_B and the
// normal points along d. Inside, gap = r_B − r_A − |d| and the normal points against d. foot_B is where d begins.
template <class S, class D>
Touch<S> touch_outside(const Vec3<S>& center_A, const Vec3<S>& foot_B, const D& r_A, const D& r_B) {
  const Vec3<S> d = center_A - foot_B, n = direction_or_x(d);
  return {dot(n, d) - (r_A + r_B), center_A - r_A * n, foot_B + r_B * n, n};
}
template <class S, class D>
Touch<S> touch_inside(const Vec3<S>& center_A, const Vec3<S>& foot_B, const D& r_A, const D& r_B) {
  const Vec3<S> d = center_A - foot_B, n = -direction_or_x(d);
  return {dot(n, d) + (r_B - r_A), center_A - r_A * n, foot_B - r_B * n, n};
}

// Two round bodies that touch from outside: balls, or discs of planar bodies. Radii and centres are those of A, then of
// B.
template <class D>
struct RoundPairOf {
  std::array<D, 2> radii{1.0, 1.0};
  std::array<Vec3<D>, 2> centers{};

  template <class V>
  void describe(V& v) {
    v.required("radii", radii, positive);
    v.optional("centers", centers);
  }
  template <class V>
  void numbers(V& v) {
    v(radii, centers);
  }
  void attach(const Pose<double>& A, const Pose<double>& B, bool planar) {}
};
using RoundPair = RoundPairOf<double>;

template <class D>
struct SphereSphereOf : RoundPairOf<D> {
  static constexpr std::string_view name = "sphere-sphere";
  static constexpr std::string_view about = "bodies: [A, B]; a ball of each that touch from outside";

  std::array<bool, 2> through_origins() const { return {is_zero(this->centers[0]), is_zero(this->centers[1])}; }
  template <class S>
  Touch<S> touch(const Pose<S>& A, const Pose<S>& B, const S& t) const {
    return touch_outside(A.point(this->centers[0]), B.point(this->centers[1]), this->radii[0], this->radii[1]);
  }
};
using SphereSphere = SphereSphereOf<double>;

}  // namespace tappet
