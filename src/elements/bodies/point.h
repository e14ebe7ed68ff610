// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/pose.h>

#include "elements/keys.h"

namespace tappet {

// A mass point with q and u of three numbers. It does not turn.
struct PointBody {
  static constexpr std::string_view name = "point";
  static constexpr std::string_view about = "a mass point; position and velocity in the world";
  static constexpr int nq = 3, nu = 3;
  static constexpr bool is_planar = false;
  static constexpr std::array<std::string_view, nq> coordinates{"x", "y", "z"};
  static constexpr std::array<std::string_view, nu> velocities{"vx", "vy", "vz"};
  static constexpr std::array<int, nu> twist{0, 1, 2};  // the component of the twist that each velocity is

  double mass = 1.0;
  Vec3d position{}, velocity{};

  template <class V>
  void describe(V& v) {
    v.required("mass", mass, positive);
    v.optional("position", position);
    v.optional("velocity", velocity);
  }

  void initial(double* q, double* u) const {
    for (int i = 0; i < 3; ++i) q[i] = position[i], u[i] = velocity[i];
  }
  template <class S>
  static Pose<S> pose(const S* q) {
    return {.p = {q[0], q[1], q[2]}};
  }
  static void rate(const double* q, const double* u, double* q_dot) { std::copy_n(u, nu, q_dot); }
  static void displace(const double* q, const double* w, double* q_new) {
    for (int i = 0; i < nq; ++i) q_new[i] = q[i] + w[i];
  }
  static void difference(const double* q_new, const double* q, double* w) {
    for (int i = 0; i < nq; ++i) w[i] = q_new[i] - q[i];
  }
  static void normalise(double* q) {}

  void mass_matrix(double* M) const {
    std::fill_n(M, nu * nu, 0.0);
    for (int i = 0; i < nu; ++i) M[i * nu + i] = mass;
  }
  void gyroscopic(const double* u, double* h) const { std::fill_n(h, nu, 0.0); }
  void gyroscopic_gradient(const double* u, double* C) const { std::fill_n(C, nu * nu, 0.0); }
  double kinetic_energy(const double* u) const { return 0.5 * mass * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]); }
};

}  // namespace tappet
