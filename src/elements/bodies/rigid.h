// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/pose.h>

#include "elements/keys.h"

namespace tappet {

// A rigid body in space: q = centre of mass in the world and unit quaternion (w, x, y, z) body → world,
// u = velocity of the centre of mass in the world and angular velocity in the body frame.
//   m v̇ = f,   J ω̇ = m − ω × Jω,   q̇ = B(q) u: ṗ = v, quaternion rate ½ q ⊗ (0, ω)
struct RigidBody {
  static constexpr std::string_view name = "rigid";
  static constexpr std::string_view about =
      "a rigid body in space; position of its centre of mass and velocity in the world, inertia and spin in its own "
      "frame";
  static constexpr int nq = 7, nu = 6;
  static constexpr bool is_planar = false;
  static constexpr std::array<std::string_view, nq> coordinates{"x", "y", "z", "qw", "qx", "qy", "qz"};
  static constexpr std::array<std::string_view, nu> velocities{"vx", "vy", "vz", "wx", "wy", "wz"};
  static constexpr std::array<int, nu> twist{0, 1, 2, 3, 4, 5};

  double mass = 1.0;
  Mat3d inertia = Mat3d::identity();  // J about the centre of mass in the body frame
  Vec3d position{}, velocity{}, spin{};
  Quatd rotation{};

  template <class V>
  void describe(V& v) {
    v.required("mass", mass, positive);
    v.required("inertia", inertia, positive_definite);
    v.optional("position", position);
    v.optional("rotation", rotation, unit_quaternion);
    v.optional("velocity", velocity);
    v.optional("spin", spin);
  }

  static Quatd quaternion(const double* q) { return {q[3], q[4], q[5], q[6]}; }
  static void put(const Quatd& p, double* q) { q[3] = p.w, q[4] = p.x, q[5] = p.y, q[6] = p.z; }

  void initial(double* q, double* u) const {
    for (int i = 0; i < 3; ++i) q[i] = position[i], u[i] = velocity[i], u[3 + i] = spin[i];
    put(normalized(rotation), q);
  }
  template <class S>
  static Pose<S> pose(const S* q) {
    return {.p = {q[0], q[1], q[2]}, .R = rotation_matrix(Quat<S>{q[3], q[4], q[5], q[6]})};
  }
  static void rate(const double* q, const double* u, double* q_dot) {
    std::copy_n(u, 3, q_dot);
    put(quaternion(q) * Quatd{0.0, 0.5 * u[3], 0.5 * u[4], 0.5 * u[5]}, q_dot);
  }
  // q ⊕ w: p + w_p, quaternion ⊗ exp(w_θ/2), with unit norm to round-off. q_new may be q.
  static void displace(const double* q, const double* w, double* q_new) {
    const Quatd p = retract(quaternion(q), {w[3], w[4], w[5]});
    for (int i = 0; i < 3; ++i) q_new[i] = q[i] + w[i];
    put(p, q_new);
  }
  // The w with q ⊕ w = q_new. Its rotation is at most π.
  static void difference(const double* q_new, const double* q, double* w) {
    const Vec3d turn = log_map(conjugate(quaternion(q)) * quaternion(q_new));
    for (int i = 0; i < 3; ++i) w[i] = q_new[i] - q[i], w[3 + i] = turn[i];
  }
  static void normalise(double* q) { put(normalized(quaternion(q)), q); }

  void mass_matrix(double* M) const {
    std::fill_n(M, nu * nu, 0.0);
    for (int i = 0; i < 3; ++i) {
      M[i * nu + i] = mass;
      for (int j = 0; j < 3; ++j) M[(3 + i) * nu + 3 + j] = inertia(i, j);
    }
  }
  void gyroscopic(const double* u, double* h) const {
    const Vec3d w{u[3], u[4], u[5]}, torque = cross(inertia * w, w);
    for (int i = 0; i < 3; ++i) h[i] = 0.0, h[3 + i] = torque[i];
  }
  // ∂(Jω × ω)/∂ω = hat(Jω) − hat(ω) J
  void gyroscopic_gradient(const double* u, double* C) const {
    const Vec3d w{u[3], u[4], u[5]};
    const Mat3d D = hat(inertia * w) + -1.0 * (hat(w) * inertia);
    std::fill_n(C, nu * nu, 0.0);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) C[(3 + i) * nu + 3 + j] = D(i, j);
  }
  double kinetic_energy(const double* u) const {
    const Vec3d v{u[0], u[1], u[2]}, w{u[3], u[4], u[5]};
    return 0.5 * (mass * dot(v, v) + dot(w, inertia * w));
  }
};

}  // namespace tappet
