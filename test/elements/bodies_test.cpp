// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "random_element.h"

namespace tappet::test {
namespace {

// The classical fourth-order method on q̇ = B(q) u, M u̇ = h(u): a body by itself.
struct FreeBody {
  RigidBody body;
  double q[7], u[6];

  explicit FreeBody(const RigidBody& b) : body(b) { body.initial(q, u); }

  void slope(const double* q_now, const double* u_now, double* q_dot, double* u_dot) const {
    double h[6];
    body.rate(q_now, u_now, q_dot);
    body.gyroscopic(u_now, h);
    const Mat3d& J = body.inertia;
    const double det = dot(J.x, cross(J.y, J.z));
    const Vec3d torque{h[3], h[4], h[5]};
    const Mat3d adjugate{cross(J.y, J.z), cross(J.z, J.x), cross(J.x, J.y)};
    for (int i = 0; i < 3; ++i) u_dot[i] = h[i] / body.mass, u_dot[3 + i] = dot(adjugate[i], torque) / det;
  }
  void step(double dt) {
    double k_q[4][7], k_u[4][6], q_k[7], u_k[6];
    const double c[] = {0.0, 0.5, 0.5, 1.0}, b[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    for (int k = 0; k < 4; ++k) {
      for (int i = 0; i < 7; ++i) q_k[i] = q[i] + (k ? dt * c[k] * k_q[k - 1][i] : 0.0);
      for (int i = 0; i < 6; ++i) u_k[i] = u[i] + (k ? dt * c[k] * k_u[k - 1][i] : 0.0);
      slope(q_k, u_k, k_q[k], k_u[k]);
    }
    for (int k = 0; k < 4; ++k) {
      for (int i = 0; i < 7; ++i) q[i] += dt * b[k] * k_q[k][i];
      for (int i = 0; i < 6; ++i) u[i] += dt * b[k] * k_u[k][i];
    }
  }
};

RigidBody tumbling() {
  RigidBody body;
  body.inertia = Mat3d::diagonal({1.0, 2.0, 3.0});
  body.spin = {1.2, 0.0, 1.5};
  return body;
}

// cases/12, "asymmetric": Jacobi's closed form at t = 1 and 5.
TEST(RigidBody, tumbles_as_in_the_closed_form) {
  FreeBody free(tumbling());
  for (int k = 0; k < 1000; ++k) free.step(1e-3);
  EXPECT_NEAR(free.u[3], 0.1766437758134802, 1e-12);
  EXPECT_NEAR(free.u[4], 1.1869275363165002, 1e-12);
  EXPECT_NEAR(free.u[5], 1.3343166819929022, 1e-12);
  EXPECT_NEAR(free.q[3], 0.62160595636586757, 1e-12);
  EXPECT_NEAR(free.q[4], 0.28370580203229356, 1e-12);
  EXPECT_NEAR(free.q[5], 0.26477964137335693, 1e-12);
  EXPECT_NEAR(free.q[6], 0.68044749570990758, 1e-12);
}

TEST(RigidBody, free_motion_conserves_energy_and_angular_momentum_in_space) {
  RigidBody body = tumbling();
  body.inertia = {{2.0, 0.3, -0.1}, {0.3, 1.5, 0.2}, {-0.1, 0.2, 1.0}};
  FreeBody free(body);
  const auto momentum = [&] {
    return RigidBody::pose(free.q).R * (body.inertia * Vec3d{free.u[3], free.u[4], free.u[5]});
  };
  const double energy = body.kinetic_energy(free.u);
  const Vec3d L = momentum();
  for (int k = 0; k < 5000; ++k) free.step(1e-3);
  EXPECT_NEAR(body.kinetic_energy(free.u), energy, 1e-11);
  EXPECT_LT(norm(momentum() - L), 1e-11);
}

TEST(RigidBody, gyroscopic_torque_has_no_power_and_its_gradient_is_exact) {
  Dice dice(1);
  RigidBody body;
  body.inertia = {{2.0, 0.3, -0.1}, {0.3, 1.5, 0.2}, {-0.1, 0.2, 1.0}};
  for (int k = 0; k < 10; ++k) {
    double u[6], h[6], C[36];
    for (double& x : u) x = dice();
    body.gyroscopic(u, h);
    body.gyroscopic_gradient(u, C);
    EXPECT_NEAR(h[3] * u[3] + h[4] * u[4] + h[5] * u[5], 0.0, 1e-15);
    for (int j = 0; j < 6; ++j) {
      const auto along = difference([&](double s) {
        double v[6];
        std::vector<double> h_s(6);
        std::copy_n(u, 6, v);
        v[j] += s;
        body.gyroscopic(v, h_s.data());
        return h_s;
      });
      for (int i = 0; i < 6; ++i) EXPECT_NEAR(C[6 * i + j], along[i], 1e-12);
    }
  }
}

TEST(Bodies, displacing_follows_the_rate_moves_the_pose_by_the_twist_and_difference_undoes_it) {
  for_each<Bodies>([]<class B>() {
    Dice dice(7);
    for (int k = 0; k < 10; ++k) {
      double q[B::nq], u[B::nu], w[B::nu], q_dot[B::nq], q_new[B::nq];
      B().initial(q, u);
      for (double& x : w) x = dice();
      B::displace(q, w, q);
      for (double& x : u) x = dice();
      B::rate(q, u, q_dot);
      const auto displaced_by = [&](double s) {
        std::vector<double> q_s(B::nq);
        for (int i = 0; i < B::nu; ++i) w[i] = s * u[i];
        B::displace(q, w, q_s.data());
        return q_s;
      };
      expect_near(std::vector<double>(q_dot, q_dot + B::nq), difference(displaced_by), 1e-12, std::string(B::name));
      Twist<double> twist{};
      for (int i = 0; i < B::nu; ++i) twist[B::twist[i]] = 0.3 * u[i];
      std::copy_n(displaced_by(0.3).data(), B::nq, q_new);
      const Pose<double> a = tappet::displaced(B::pose(q), twist), b = B::pose(q_new);
      EXPECT_LT(norm(a.p - b.p), 1e-15);
      for (int c = 0; c < 3; ++c) EXPECT_LT(norm(a.R[c] - b.R[c]), 1e-15 * 4);
      B::difference(q_new, q, w);
      for (int i = 0; i < B::nu; ++i) EXPECT_NEAR(w[i], 0.3 * u[i], 1e-15 * 4);
    }
  });
}

TEST(Bodies, kinetic_energy_is_the_quadratic_form_of_the_mass_matrix) {
  for_each<Bodies>([]<class B>() {
    Dice dice(8);
    B body;
    body.mass = 2.5;
    double u[B::nu], M[B::nu * B::nu], sum = 0.0;
    for (double& x : u) x = dice();
    body.mass_matrix(M);
    for (int i = 0; i < B::nu; ++i)
      for (int j = 0; j < B::nu; ++j) sum += 0.5 * u[i] * M[i * B::nu + j] * u[j];
    EXPECT_NEAR(body.kinetic_energy(u), sum, 1e-15);
  });
}

}  // namespace
}  // namespace tappet::test
