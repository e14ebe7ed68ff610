// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "slider_crank.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace tappet {
namespace {

class SliderCrankMechanics : public testing::Test {
 protected:
  SliderCrankMechanics() : mechanics(crank.graph, crank.system), work(mechanics.workspace()) { sample(); }
  void sample() {
    for (double& x : q) x = std::uniform_real_distribution<double>(-3, 3)(random);
    for (double& x : u) x = std::uniform_real_distribution<double>(-100, 100)(random);
  }
  using P = SliderCrank;
  SliderCrank crank;
  FormulaMechanics mechanics;
  FormulaMechanics::Workspace work;
  std::mt19937 random{11};
  double q[3], u[3];
};

TEST_F(SliderCrankMechanics, has_mass_and_forces_of_the_paper) {  // (23), (24)
  for (int i = 0; i < 20; ++i, sample()) {
    double M[9], h[3], M_alone[9], h_alone[3];
    mechanics.mass_and_forces(0, q, u, M, h, work);
    mechanics.mass(0, q, M_alone, work);
    mechanics.forces(0, q, u, h_alone, work);
    const double k = P::l1 * P::l2 * (P::m2 / 2 + P::m3), s = std::sin(q[0] - q[1]), c = std::cos(q[0] - q[1]);
    const double M11 = P::J1 + P::l1 * P::l1 * (P::m1 / 4 + P::m2 + P::m3);
    const double M22 = P::J2 + P::l2 * P::l2 * (P::m2 / 4 + P::m3);
    const double expected_M[] = {M11, k * c, 0, k * c, M22, 0, 0, 0, P::J3};
    const double expected_h[] = {-k * s * u[1] * u[1] - P::g * P::l1 * std::cos(q[0]) * (P::m1 / 2 + P::m2 + P::m3),
                                 k * s * u[0] * u[0] - P::g * P::l2 * std::cos(q[1]) * (P::m2 / 2 + P::m3), 0};
    for (int e = 0; e < 9; ++e) {
      EXPECT_NEAR(M[e], expected_M[e], 1e-17);
      EXPECT_EQ(M[e], M_alone[e]);
    }
    for (int e = 0; e < 3; ++e) {
      EXPECT_NEAR(h[e], expected_h[e], 1e-13);
      EXPECT_EQ(h[e], h_alone[e]);
    }
  }
}

TEST_F(SliderCrankMechanics, has_the_energies_of_its_formulas) {
  double M[9], T = 0;
  mechanics.mass(0, q, M, work);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) T += 0.5 * u[i] * M[3 * j + i] * u[j];
  EXPECT_NEAR(mechanics.kinetic(0, q, u, work), T, 1e-12 * T);
  EXPECT_NEAR(
      mechanics.potential(0, q, work),
      P::g * P::l1 * std::sin(q[0]) * (P::m1 / 2 + P::m2 + P::m3) + P::g * P::l2 * std::sin(q[1]) * (P::m2 / 2 + P::m3),
      1e-15);
}

TEST_F(SliderCrankMechanics, has_gaps_and_directions_of_the_paper) {      // (25)–(34)
  const double sign_crank[] = {-1, -1, 1, 1}, sign_a[] = {1, -1, -1, 1};  // normal
  const double slip_a[] = {-1, 1, -1, 1}, slip_b[] = {-1, -1, 1, 1};
  double g[4];
  mechanics.gaps(0, q, g, work);
  for (int k = 0; k < 4; ++k) {
    const double s1 = std::sin(q[0]), s2 = std::sin(q[1]), s3 = std::sin(q[2]), c1 = std::cos(q[0]),
                 c2 = std::cos(q[1]), c3 = std::cos(q[2]);
    EXPECT_NEAR(g[k], P::d / 2 + sign_crank[k] * (P::l1 * s1 + P::l2 * s2) + sign_a[k] * P::a * s3 - P::b * c3, 1e-16);
    double W[6], chi[2], value[2];
    ASSERT_EQ(mechanics.columns(k).size(), 3u);
    ASSERT_EQ(mechanics.rows(k), 2);
    mechanics.directions(k, 0, q, W, chi, work);
    mechanics.value(k, 0, q, value, work);
    EXPECT_EQ(value[0], g[k]);
    const double expected[] = {sign_crank[k] * P::l1 * c1,
                               sign_crank[k] * P::l2 * c2,
                               sign_a[k] * P::a * c3 + P::b * s3,
                               -P::l1 * s1,
                               -P::l2 * s2,
                               -slip_a[k] * P::a * s3 + slip_b[k] * P::b * c3};
    for (int e = 0; e < 6; ++e) EXPECT_NEAR(W[e], expected[e], 1e-16);
    EXPECT_EQ(chi[0], 0.0);
    EXPECT_EQ(chi[1], 0.0);
    double zeta[2];
    mechanics.accelerations(k, 0, q, u, zeta, work);  // (35): Q_N v²
    const double curvature = -sign_crank[k] * (P::l1 * s1 * u[0] * u[0] + P::l2 * s2 * u[1] * u[1]) +
                             (-sign_a[k] * P::a * s3 + P::b * c3) * u[2] * u[2];
    EXPECT_NEAR(zeta[0], curvature, 1e-11);
  }
}

TEST_F(SliderCrankMechanics, knows_what_is_constant) {
  EXPECT_TRUE(mechanics.mass_depends_on_q());
  EXPECT_FALSE(mechanics.mass_depends_on_t());
  EXPECT_FALSE(mechanics.mass_is_constant());
  EXPECT_TRUE(mechanics.forces_depend_on_q());
  EXPECT_TRUE(mechanics.forces_depend_on_u());
  EXPECT_FALSE(mechanics.forces_depend_on_t());
  EXPECT_FALSE(mechanics.has_chi(0));
  EXPECT_FALSE(mechanics.directions_are_constant(0));
}

TEST_F(SliderCrankMechanics, cancels_the_inertial_terms_that_cancel) {
  int operations = mechanics.operations_of_mass_and_forces() + mechanics.operations_of_gaps();
  for (int k = 0; k < 4; ++k) operations += mechanics.operations_of_directions(k);
  RecordProperty("operations", operations);
  EXPECT_LE(mechanics.operations_of_mass_and_forces(), 15);
  EXPECT_LE(operations, 120);
}

}  // namespace
}  // namespace tappet
