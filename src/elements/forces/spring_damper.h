// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/pose.h>

#include "elements/forces/lines.h"
#include "elements/keys.h"

namespace tappet {

// A line between a point of A and a point of B that pulls with k (ℓ − L) + c dℓ/dt. If its length is L = 0, it is
// linear: −k d − c ḋ on A with d from B to A, and it damps every direction of ḋ alike. Otherwise the points must not
// coincide.
template <class D>
struct SpringDamperOf {
  static constexpr std::string_view name = "spring-damper";
  static constexpr std::string_view about =
      "bodies: [A, B]; pulls the points `at` together if their distance exceeds `length`, and resists its rate";
  static constexpr int frames = 2;

  std::array<Vec3<D>, 2> at{};
  D stiffness = 0.0, damping = 0.0, length = 0.0;  // [N/m] [N s/m] [m]

  template <class V>
  void describe(V& v) {
    v.optional("at", at);
    v.required("stiffness", stiffness, non_negative);
    v.required("damping", damping, non_negative);
    v.optional("length", length, non_negative);
  }
  template <class V>
  void numbers(V& v) {
    v(at, stiffness, damping);
    v.unless_zero(length);
  }
  void attach(const Pose<double>& A, const Pose<double>& B, bool planar) {}

  template <class S>
  void wrench(const Pose<S>& A, const Twist<S>& a, const Pose<S>& B, const Twist<S>& b, const S& t, Wrench<S>& on_A,
              Wrench<S>& on_B) const {
    const Vec3<S> P = A.point(at[0]), Q = B.point(at[1]), d = P - Q;
    const Vec3<S> d_dot = velocity_at(A, a, P) - velocity_at(B, b, Q);
    Vec3<S> force;  // on B
    if (is_linear()) {
      force = stiffness * d + damping * d_dot;
    } else {
      const S l = norm(d);
      force = ((stiffness * (l - length) + damping * (dot(d, d_dot) / l)) / l) * d;
    }
    on_B = wrench_at(B, Q, force);
    on_A = wrench_at(A, P, -force);
  }
  template <class S>
  S energy(const Pose<S>& A, const Pose<S>& B, const S& t) const {
    const Vec3<S> d = A.point(at[0]) - B.point(at[1]);
    if (is_linear()) return 0.5 * stiffness * dot(d, d);
    const S stretch = norm(d) - length;
    return 0.5 * stiffness * (stretch * stretch);
  }

  // The stretch of the line, or, if its length is 0, the offset itself.
  bool is_linear() const { return known_zero(length); }
  int line_count() const { return is_linear() ? 3 : 1; }
  Lines lines() const { return {line_count(), stiffness, damping}; }
  template <class S>
  void extension(const Pose<S>& A, const Pose<S>& B, S* l) const {
    const Vec3<S> d = A.point(at[0]) - B.point(at[1]);
    if (is_linear())
      for (int i = 0; i < 3; ++i) l[i] = d[i];
    else
      l[0] = norm(d);
  }
};
using SpringDamper = SpringDamperOf<double>;

}  // namespace tappet
