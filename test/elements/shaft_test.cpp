// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "elements/flexible/shaft.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

namespace tappet {
namespace {

// The axle of Schindler 2014, Table 6.
Shaft axle(int elements, Shaft::MassMatrix mass) {
  Shaft shaft;
  shaft.length = 0.59, shaft.radius = 12.5e-3, shaft.density = 7850, shaft.modulus = 2.1e11,
  shaft.shear_modulus = 0.81e11;
  shaft.elements = elements, shaft.mass_matrix = mass;
  return shaft;
}
constexpr double L = 0.59, A = std::numbers::pi * 12.5e-3 * 12.5e-3, I = A * 12.5e-3 * 12.5e-3 / 4;

Eigen::MatrixXd mass(const Shaft& shaft) {
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(shaft.size(), shaft.size());
  shaft.mass([&](int i, int j, double value) { M(i, j) += value; });
  return M;
}
Eigen::MatrixXd stiffness(const Shaft& shaft) {
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(shaft.size(), shaft.size());
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(shaft.size());
  shaft.force_derivatives(zero.data(), zero.data(), -1.0, 0.0, [&](int i, int j, double value) { K(i, j) += value; });
  return K;
}

TEST(Shaft, a_cantilever_bends_and_twists_as_in_the_handbook) {
  const Shaft shaft = axle(4, Shaft::MassMatrix::consistent);
  const int n = shaft.size() - 5;  // node 0 clamped
  const double F = 100, T = 7, EI = 2.1e11 * I, GJ = 0.81e11 * 2 * I;
  Eigen::VectorXd load = Eigen::VectorXd::Zero(n);
  load[n - 5] = F, load[n - 4] = 2 * F, load[n - 1] = T;
  const Eigen::VectorXd x = stiffness(shaft).bottomRightCorner(n, n).ldlt().solve(load);
  EXPECT_NEAR(x[n - 5], F * L * L * L / (3 * EI), 1e-9);      // v
  EXPECT_NEAR(x[n - 2], F * L * L / (2 * EI), 1e-9);          // γ = v'
  EXPECT_NEAR(x[n - 4], 2 * F * L * L * L / (3 * EI), 1e-9);  // w
  EXPECT_NEAR(x[n - 3], -2 * F * L * L / (2 * EI), 1e-9);     // β = −w'
  EXPECT_NEAR(x[n - 1], T * L / GJ, 1e-9);                    // α
}

TEST(Shaft, a_free_beam_rings_at_its_bending_and_torsional_frequencies) {
  for (auto [kind, elements, tolerance] :
       {std::tuple{Shaft::MassMatrix::consistent, 10, 4e-3}, std::tuple{Shaft::MassMatrix::lumped, 40, 4e-3}}) {
    const Shaft shaft = axle(elements, kind);
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> modes(stiffness(shaft), mass(shaft));
    Eigen::VectorXd omega = modes.eigenvalues().cwiseMax(0.0).cwiseSqrt();
    // five rigid motions, then bending in two planes: ω = 4.730041² √(EI/ρAL⁴), less 0.5 % for rotary inertia
    EXPECT_LT(omega[4], 1.0);
    const double bending = 4.730041 * 4.730041 * std::sqrt(2.1e11 * I / (7850 * A)) / (L * L);
    EXPECT_NEAR(omega[5] / bending, 0.9973, tolerance);
    EXPECT_NEAR(omega[6] / omega[5], 1.0, 1e-6);
    const double torsion = std::numbers::pi / L * std::sqrt(0.81e11 / 7850);
    double nearest = 1e9;
    for (double w : omega) nearest = std::min(nearest, std::abs(w / torsion - 1));
    EXPECT_LT(nearest, 5e-3);
  }
}

TEST(Shaft, lumped_masses_let_explicit_schemes_take_longer_steps) {
  const auto fastest = [](const Shaft& shaft) {
    return std::sqrt(Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(stiffness(shaft), mass(shaft))
                         .eigenvalues()
                         .maxCoeff());
  };
  EXPECT_GT(fastest(axle(10, Shaft::MassMatrix::consistent)), 3 * fastest(axle(10, Shaft::MassMatrix::lumped)));
}

TEST(Shaft, damping_takes_energy_and_leaves_the_spin) {
  Shaft shaft = axle(3, Shaft::MassMatrix::lumped);
  shaft.mass_damping = 60, shaft.torsional_damping = 1e-3, shaft.damping = 1e-6;
  Eigen::VectorXd q = Eigen::VectorXd::Zero(shaft.size()), u(shaft.size()), h = q;
  for (int i = 0; i < shaft.size(); ++i) u[i] = i % 5 == Shaft::alpha ? 100.0 : 0.0;
  shaft.forces(q.data(), u.data(), h.data());
  EXPECT_EQ(h.norm(), 0.0);
  for (int i = 0; i < shaft.size(); ++i) u[i] = std::sin(1.0 + i);
  shaft.forces(q.data(), u.data(), h.data());
  EXPECT_LT(h.dot(u), 0.0);
}

}  // namespace
}  // namespace tappet
