// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "elements/flexible/beam.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

namespace tappet {
namespace {

Beam beam(int elements, int degree) {
  Beam b;
  b.length = 0.7, b.axial_stiffness = 1e4, b.bending_stiffness = 14.2, b.line_density = 0.71;
  b.elements = elements, b.degree = degree, b.quadrature = degree + 2, b.angle = 0.4;
  return b;
}

std::vector<double> bent(const Beam& b) {
  std::vector<double> q(b.size()), u(b.size());
  b.initial(q.data(), u.data());
  for (int i = 0; i < b.size(); ++i) q[i] += 0.02 * std::sin(3.0 * i + 1);
  return q;
}

TEST(Spline, functions_sum_to_one_and_reproduce_the_line) {
  const Spline s{3, 4};
  for (int e = 0; e < 4; ++e)
    for (double x : {0.0, 0.3, 1.0}) {
      const auto v = s.at(e, (e + x) / 4);
      double sum = 0, line = 0, slope = 0, curvature = 0;
      for (int i = 0; i <= 3; ++i) {
        sum += v.N[i], line += v.N[i] * s.greville(e + i);
        slope += v.N_x[i] * s.greville(e + i), curvature += v.N_xx[i] * s.greville(e + i);
      }
      EXPECT_NEAR(sum, 1, 1e-14);
      EXPECT_NEAR(line, (e + x) / 4, 1e-14);
      EXPECT_NEAR(slope, 1, 1e-13);
      EXPECT_NEAR(curvature, 0, 1e-11);
    }
}

TEST(Beam, forces_are_the_gradient_of_the_energy_and_their_derivatives_its_hessian) {
  const Beam b = beam(3, 3);
  std::vector<double> q = bent(b);
  const int n = b.size();
  std::vector<double> h(n, 0.0), plus(n), minus(n);
  b.forces(q.data(), q.data(), h.data());
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
  b.force_derivatives(q.data(), q.data(), 1.0, 1.0, [&](int i, int j, double k) { K(i, j) += k; });
  const double eps = 1e-6;
  for (int j = 0; j < n; ++j) {
    const double at = q[j];
    std::fill(plus.begin(), plus.end(), 0.0), std::fill(minus.begin(), minus.end(), 0.0);
    q[j] = at + eps;
    b.forces(q.data(), q.data(), plus.data());
    const double up = b.strain_energy(q.data());
    q[j] = at - eps;
    b.forces(q.data(), q.data(), minus.data());
    const double down = b.strain_energy(q.data());
    q[j] = at;
    EXPECT_NEAR(-(up - down) / (2 * eps), h[j], 1e-5 * (1 + std::abs(h[j])));
    for (int i = 0; i < n; ++i) EXPECT_NEAR((plus[i] - minus[i]) / (2 * eps), K(i, j), 1e-6 * K.cwiseAbs().maxCoeff());
  }
}

TEST(Beam, weighs_what_it_weighs_and_moves_rigidly_without_strain) {
  const Beam b = beam(4, 2);
  std::vector<double> q(b.size()), u(b.size()), h(b.size(), 0.0);
  b.initial(q.data(), u.data());
  EXPECT_NEAR(b.strain_energy(q.data()), 0, 1e-20);
  b.weight({0, -9.81, 0}, h.data());
  double weight = 0;
  for (int i = 1; i < b.size(); i += 2) weight += h[i];
  EXPECT_NEAR(weight, -9.81 * 0.71 * 0.7, 1e-13);
  for (int i = 0; i < b.size() / 2; ++i)
    u[2 * i] = -q[2 * i + 1], u[2 * i + 1] = q[2 * i];                     // unit spin about its start
  EXPECT_NEAR(b.kinetic_energy(u.data()), 0.5 * 0.71 * 0.343 / 3, 1e-13);  // ρ L³/6
}

// A clamped beam under a small force at its tip sinks by F L³/(3 EI).
TEST(Beam, clamped_beam_bends_like_a_cantilever) {
  Beam b = beam(8, 3);
  b.angle = 0, b.axial_stiffness = 1e7;
  const int n = b.size();
  std::vector<double> q(n), u(n);
  b.initial(q.data(), u.data());
  const double F = 1e-3;
  for (int iteration = 0; iteration < 6; ++iteration) {  // Newton on the balance; the first two control points are held
    Eigen::VectorXd h = Eigen::VectorXd::Zero(n);
    b.forces(q.data(), u.data(), h.data());
    h[n - 1] += F;
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
    b.force_derivatives(q.data(), u.data(), -1.0, 0.0, [&](int i, int j, double k) { K(i, j) += k; });
    const Eigen::VectorXd step = K.bottomRightCorner(n - 4, n - 4).lu().solve(h.tail(n - 4));
    for (int i = 4; i < n; ++i) q[i] += step[i - 4];
  }
  EXPECT_NEAR(q[n - 1] / (F * 0.343 / (3 * 14.2)), 1.0, 1e-5);
}

TEST(Beam, angle_of_a_node_has_the_derivatives_it_states) {
  const Beam b = beam(3, 2);
  std::vector<double> q = bent(b), w(b.size()), moved(b.size());
  for (int i = 0; i < b.size(); ++i) w[i] = std::cos(2.0 * i);
  const double eps = 1e-4;
  for (int node : {0, 1, 3}) {
    const auto angle = [&](double s) {
      for (int i = 0; i < b.size(); ++i) moved[i] = q[i] + s * w[i];
      return b.node_pose(node, moved.data()).phi;
    };
    std::vector<double> J(6 * 6);
    b.node_jacobian(node, q.data(), J.data());
    double first = 0;
    const auto columns = b.node_columns(node);
    for (size_t c = 0; c < columns.size(); ++c) first += J[5 * 6 + c] * w[columns[c]];
    EXPECT_NEAR(first, (angle(eps) - angle(-eps)) / (2 * eps), 1e-5 * (1 + std::abs(first)));
    const double second = b.node_turn(node, q.data(), w.data(), w.data());
    EXPECT_NEAR(second, (angle(eps) - 2 * angle(0) + angle(-eps)) / (eps * eps), 1e-4 * (1 + std::abs(second)));
    const double third = b.node_turn(node, q.data(), w.data(), w.data(), w.data());
    const double h = 1e-3;
    EXPECT_NEAR(third, (angle(2 * h) - 2 * angle(h) + 2 * angle(-h) - angle(-2 * h)) / (2 * h * h * h),
                2e-2 * (1 + std::abs(third)));
  }
}

}  // namespace
}  // namespace tappet
