// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elements/contacts/surface_function.h"
#include "elements/contacts/touch.h"

namespace tappet {

// The nearest points of an implicit surface. The gap is the value of the formula. Its slope along the normal is |∇g|,
// and its rate is ∂g/∂t if the formula depends on time. If the formula of a surface g = 0 is scaled, P_N is scaled
// inversely.
template <class S>
struct SurfaceTouch : Touch<S> {
  S slope, rate;
};

// A point of A and a curve (in the plane) or surface of B. It is the zero set of `gap`, a formula of t and of the
// position x, y, z of the point in the frame of B, which is positive outside. Slip is measured relative to the material
// of B.
struct PointOnCurve {
  static constexpr std::string_view name = "point-on-curve";
  static constexpr std::string_view about =
      "bodies: [A, B]; a point of A, and `gap`, a formula of its position x, y, z in the frame of B, which must not "
      "become negative";

  Vec3d at{};  // in A
  SurfaceFunction gap;

  template <class V>
  void describe(V& v) {
    v.optional("at", at);
    v.required("gap", gap);
  }
  void attach(const Pose<double>& A, const Pose<double>& B, bool planar) {}

  template <class S>
  SurfaceTouch<S> touch(const Pose<S>& A, const Pose<S>& B, const S& t) const {
    const Vec3<S> P = A.point(at);
    const auto value = gap(transposed_times(B.R, P - B.p), t);
    const Vec3<S> gradient = B.direction(value.gradient), n = direction_or_x(gradient);
    return {{value.g, P, P, n}, dot(n, gradient), value.rate};
  }
};

}  // namespace tappet
