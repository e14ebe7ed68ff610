// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/pose.h>

#include "elements/forces/lines.h"
#include "elements/keys.h"

namespace tappet {

// A force −c times the rate of the distance between a point of A and a point of B, along the line between them. If the
// points coincide, the line has no direction, and the force resists the whole relative velocity.
template <class D>
struct DamperOf {
  static constexpr std::string_view name = "damper";
  static constexpr std::string_view about = "bodies: [A, B]; resists the rate of the distance between the points `at`";
  static constexpr int frames = 2;

  std::array<Vec3<D>, 2> at{};
  D damping = 0.0;  // [N s/m]

  template <class V>
  void describe(V& v) {
    v.optional("at", at);
    v.required("damping", damping, non_negative);
  }
  template <class V>
  void numbers(V& v) {
    v(at, damping);
  }
  void attach(const Pose<double>& A, const Pose<double>& B, bool planar) {}

  template <class S>
  void wrench(const Pose<S>& A, const Twist<S>& a, const Pose<S>& B, const Twist<S>& b, const S& t, Wrench<S>& on_A,
              Wrench<S>& on_B) const {
    const Vec3<S> P = A.point(at[0]), Q = B.point(at[1]), d = P - Q;
    const Vec3<S> d_dot = velocity_at(A, a, P) - velocity_at(B, b, Q);
    const S l2 = dot(d, d);
    const auto meet = less(l2, 1e-40);
    const Vec3<S> along = (damping * dot(d, d_dot) / select(meet, S(1.0), l2)) * d, whole = damping * d_dot;
    Vec3<S> force;  // on B
    for (int i = 0; i < 3; ++i) force[i] = select(meet, whole[i], along[i]);
    on_B = wrench_at(B, Q, force);
    on_A = wrench_at(A, P, -force);
  }

  int line_count() const { return 1; }
  Lines lines() const { return {line_count(), 0.0, damping}; }
  template <class S>
  void extension(const Pose<S>& A, const Pose<S>& B, S* l) const {
    const Vec3<S> d = A.point(at[0]) - B.point(at[1]);
    const S l2 = dot(d, d);
    const auto meet = less(l2, 1e-40);
    l[0] = select(meet, S(0.0), sqrt(select(meet, S(1.0), l2)));
  }
};
using Damper = DamperOf<double>;

}  // namespace tappet
