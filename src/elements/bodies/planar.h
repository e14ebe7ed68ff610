// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/pose.h>

#include "elements/keys.h"

namespace tappet {

// A rigid body in the plane z = 0: its centre of mass and the angle about z.
struct PlanarBody {
  static constexpr std::string_view name = "planar";
  static constexpr std::string_view about =
      "a rigid body in the plane z = 0; position of its centre of mass, angle about z";
  static constexpr int nq = 3, nu = 3;
  static constexpr bool is_planar = true;
  static constexpr std::array<std::string_view, nq> coordinates{"x", "y", "phi"};
  static constexpr std::array<std::string_view, nu> velocities{"vx", "vy", "wz"};
  static constexpr std::array<int, nu> twist{0, 1, 5};

  double mass = 1.0, inertia = 1.0;  // inertia about the centre of mass
  Vec3d position{}, velocity{};      // z = 0
  double angle = 0.0, spin = 0.0;

  struct InPlane {
    static constexpr std::string_view text = "two numbers";
    bool operator()(const Vec3d& a) const { return finite(a) && a.z == 0.0; }
  };

  template <class V>
  void describe(V& v) {
    v.required("mass", mass, positive);
    v.required("inertia", inertia, positive);
    v.optional("position", position, InPlane{});
    v.optional("angle", angle);
    v.optional("velocity", velocity, InPlane{});
    v.optional("spin", spin);
  }

  void initial(double* q, double* u) const {
    q[0] = position.x, q[1] = position.y, q[2] = angle;
    u[0] = velocity.x, u[1] = velocity.y, u[2] = spin;
  }
  template <class S>
  static Pose<S> pose(const S* q) {
    return {{q[0], q[1], S(0.0)}, rotation_about_z(q[2]), q[2]};
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
    M[0] = M[4] = mass;
    M[8] = inertia;
  }
  void gyroscopic(const double* u, double* h) const { std::fill_n(h, nu, 0.0); }
  void gyroscopic_gradient(const double* u, double* C) const { std::fill_n(C, nu * nu, 0.0); }
  double kinetic_energy(const double* u) const {
    return 0.5 * (mass * (u[0] * u[0] + u[1] * u[1]) + inertia * u[2] * u[2]);
  }
};

}  // namespace tappet
