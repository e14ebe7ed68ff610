// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/pose.h>

#include "elements/forces/lines.h"
#include "elements/keys.h"

namespace tappet {

// A torque −k (φ − φ₀) − c dφ/dt on B about an axis, and the opposite torque on A. φ is the turn of B relative to A
// about the axis, right-handed, as for a revolute joint. It is zero in the start pose. Between planar bodies φ counts
// any number of turns. Between others it is computed from the poses and lies from −π to π about φ₀, so more than half a
// turn away from rest the torque would jump.
template <class D>
struct TorsionalSpringDamperOf {
  static constexpr std::string_view name = "torsional-spring-damper";
  static constexpr std::string_view about =
      "bodies: [A, B]; at rest when B has turned relative to A by `angle` since the start, right-handed";
  static constexpr int frames = 2;

  D stiffness = 0.0, damping = 0.0, angle = 0.0;  // [N m/rad] [N m s/rad], φ₀ [rad]
  Vec3d axis{0, 0, 1};                            // world, at the start
  Mat3<D> triad_A = Mat3<D>::identity(), triad_B = Mat3<D>::identity();
  bool planar = false;
  D sense = 1.0;                         // of turns about z: −1 if the axis points against it
  D turn = 0.0;                          // φ₀ of planar bodies, counted from φ_A = φ_B
  D rest_cosine = 1.0, rest_sine = 0.0;  // of φ₀

  template <class V>
  void describe(V& v) {
    v.required("stiffness", stiffness, non_negative);
    v.optional("damping", damping, non_negative);
    v.optional("angle", angle);
    v.optional("axis", axis, nonzero_vector);
  }
  void attach(const Pose<double>& A, const Pose<double>& B, bool in_plane) {
    planar = in_plane;
    const Vec3d e = normalized(axis);
    const auto [n1, n2] = normals(e);
    triad_A = transpose(A.R) * Mat3d{n1, n2, e};
    triad_B = transpose(B.R) * Mat3d{n1, n2, e};
    sense = triad_A.z.z > 0.0 ? 1.0 : -1.0;
    turn = (B.phi - A.phi) * sense + angle;
    rest_cosine = cos(angle), rest_sine = sin(angle);
  }
  template <class V>
  void numbers(V& v) {
    v.in_plane(planar);
    v(stiffness, damping, sense, turn, rest_cosine, rest_sine);
    v.triads(triad_A, triad_B);
  }

  // φ − φ₀
  template <class S>
  S twist_angle(const Pose<S>& A, const Pose<S>& B) const {
    if (planar) return (B.phi - A.phi) * sense - turn;
    const Vec3<S> x = B.direction(triad_B.x), y = B.direction(triad_B.y);
    const Vec3<S> rest_x = A.direction(triad_A.x), rest_y = A.direction(triad_A.y);
    // sine and cosine of φ, then of φ − φ₀
    const S s = dot(x, rest_y) - dot(y, rest_x), c = dot(x, rest_x) + dot(y, rest_y);
    return atan2(s * rest_cosine - c * rest_sine, c * rest_cosine + s * rest_sine);
  }

  // The torque is the gradient of the angle times its law, −(k (φ − φ₀) + c φ̇) ∇φ. So it has a potential even if the
  // axes of the bodies tilt relative to each other.
  template <class S>
  void wrench(const Pose<S>& A, const Twist<S>& a, const Pose<S>& B, const Twist<S>& b, const S& t, Wrench<S>& on_A,
              Wrench<S>& on_B) const {
    Vec3<S> grad_A, grad_B;
    gradient(A, B, grad_A, grad_B);
    const S rate = dot(grad_A, a.w) + dot(grad_B, b.w);
    const S torque = -(stiffness * twist_angle(A, B) + damping * rate);
    on_A = {{}, torque * grad_A};
    on_B = {{}, torque * grad_B};
  }
  template <class S>
  S energy(const Pose<S>& A, const Pose<S>& B, const S& t) const {
    const S phi_S = twist_angle(A, B);
    return 0.5 * stiffness * (phi_S * phi_S);
  }

  int line_count() const { return 1; }
  Lines lines() const { return {line_count(), stiffness, damping}; }
  template <class S>
  void extension(const Pose<S>& A, const Pose<S>& B, S* l) const {
    l[0] = twist_angle(A, B);
  }

 private:
  template <class S>
  void gradient(const Pose<S>& A, const Pose<S>& B, Vec3<S>& grad_A, Vec3<S>& grad_B) const {
    const Vec3<S> x = B.direction(triad_B.x), y = B.direction(triad_B.y);
    const Vec3<S> rest_x = A.direction(triad_A.x), rest_y = A.direction(triad_A.y);
    const S s = dot(x, rest_y) - dot(y, rest_x), c = dot(x, rest_x) + dot(y, rest_y);
    // A turn ω of B changes s by ω·(x × rest_y − y × rest_x) and c by ω·(x × rest_x + y × rest_y). A turn of A has the
    // opposite effect.
    const Vec3<S> ds = cross(x, rest_y) - cross(y, rest_x), dc = cross(x, rest_x) + cross(y, rest_y);
    const Vec3<S> world = (1.0 / (s * s + c * c)) * (c * ds - s * dc);
    grad_A = transposed_times(A.R, -world);
    grad_B = transposed_times(B.R, world);
  }
};
using TorsionalSpringDamper = TorsionalSpringDamperOf<double>;

}  // namespace tappet
