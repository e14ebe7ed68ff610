// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elements/forces/lines.h"
#include "elements/keys.h"
#include "math/pose.h"

namespace tappet {

// A force −c times the rate of the distance between a point of A and a point of B, along the line between them. If the
// points coincide, the line has no direction, and the force resists the whole relative velocity.
struct Damper {
  static constexpr std::string_view name = "damper";
  static constexpr std::string_view about = "bodies: [A, B]; resists the rate of the distance between the points `at`";
  static constexpr int frames = 2;

  std::array<Vec3d, 2> at{};
  double damping = 0.0;  // [N s/m]

  template <class V>
  void describe(V& v) {
    v.optional("at", at);
    v.required("damping", damping, non_negative);
  }
  void attach(const Pose<double>& A, const Pose<double>& B, bool planar) {}

  template <class S>
  void wrench(const Pose<S>& A, const Twist<S>& a, const Pose<S>& B, const Twist<S>& b, const S& t, Wrench<S>& on_A,
              Wrench<S>& on_B) const {
    const Vec3<S> P = A.point(at[0]), Q = B.point(at[1]), d = P - Q;
    const Vec3<S> d_dot = velocity_at(A, a, P) - velocity_at(B, b, Q);
    const S l2 = dot(d, d);
    const Vec3<S> force = value_of(l2) < 1e-40 ? damping * d_dot : (damping * dot(d, d_dot) / l2) * d;  // on B
    on_B = wrench_at(B, Q, force);
    on_A = wrench_at(A, P, -force);
  }

  Lines lines() const { return {1, 0.0, damping}; }
  template <class S>
  void extension(const Pose<S>& A, const Pose<S>& B, S* l) const {
    const Vec3<S> d = A.point(at[0]) - B.point(at[1]);
    l[0] = value_of(dot(d, d)) < 1e-40 ? S(0.0) : norm(d);
  }
};

}  // namespace tappet
