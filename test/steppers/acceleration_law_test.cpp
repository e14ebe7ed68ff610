// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/shared/acceleration_law.h"

#include <gtest/gtest.h>

#include "steppers/support.h"

namespace tappet {
namespace {

// A block of mass 2 kg on a table with μ = 0.25, pulled by 3 N along the table: γ̇ = λ/m + c with c = (−g, F/m).
constexpr const char* block = R"yaml(
coordinates:
  x: {position: 0, velocity: 0}
  y: {position: 0, velocity: 0}
lagrangian:
  kinetic: x'^2 + y'^2
contacts:
  table: {gap: y, slip: x, mu: 0.25}
run: {scheme: event-driven, dt: 0.01, end: 1}
)yaml";

constexpr double m = 2.0, g = 9.81, mu = 0.25, pull = 3.0;

class AccelerationLawTest : public testing::Test {
 protected:
  void SetUp() override {
    G.set_zero();
    G(0, 0) = G(1, 1) = 1 / m;
    c[0] = -g, c[1] = pull / m;
  }
  SolveReport solve(ContactMode::Kind kind, double direction = 0.0) {
    const std::vector<ContactMode> modes{{kind, {direction, 0.0, 0.0}}};
    return law.solve({0}, modes, G, c, *solver, lambda);
  }

  const Mechanism system{parse_model(block, "block.yaml")};
  AccelerationLaw law{system};
  std::unique_ptr<ContactSolver> solver = test::solver();
  Mat G{2, 2};
  Vec c = Vec(2), lambda = Vec(2);
};

TEST_F(AccelerationLawTest, friction_holds_a_block_that_may_stick) {
  EXPECT_EQ(solve(ContactMode::Kind::sticks).status, SolveStatus::converged);
  EXPECT_EQ(law.size(), 2);
  EXPECT_NEAR(lambda[0], m * g, 1e-9);  // the limit is 4.905 N
  EXPECT_NEAR(lambda[1], -pull, 1e-9);
}

TEST_F(AccelerationLawTest, friction_that_does_not_suffice_is_on_its_limit) {
  c[1] = 8.0 / m;
  solve(ContactMode::Kind::sticks);
  EXPECT_NEAR(lambda[0], m * g, 1e-9);
  EXPECT_NEAR(lambda[1], -mu * m * g, 1e-9);
}

TEST_F(AccelerationLawTest, friction_of_a_block_that_slips_is_against_its_direction) {
  for (const double direction : {1.0, -1.0}) {
    solve(ContactMode::Kind::slips, direction);
    EXPECT_EQ(law.size(), 1);
    EXPECT_NEAR(lambda[0], m * g, 1e-9);
    EXPECT_NEAR(lambda[1], -direction * mu * m * g, 1e-9);
  }
}

// A rod that slips pushes its tip into the table: G_NF ≠ 0. Then (G_NN − μ d G_NF) λ_N = −c_N.
TEST_F(AccelerationLawTest, friction_acts_back_on_the_normal_force) {
  G(0, 1) = G(1, 0) = 0.6;
  solve(ContactMode::Kind::slips, 1.0);
  const double normal = g / (1 / m - mu * 0.6);
  EXPECT_NEAR(lambda[0], normal, 1e-9 * normal);
  EXPECT_NEAR(lambda[1], -mu * normal, 1e-9 * normal);
}

TEST_F(AccelerationLawTest, nothing_pulls_a_block_that_rises) {
  c[0] = 1.0, lambda[0] = lambda[1] = 5.0;
  solve(ContactMode::Kind::slips, 1.0);
  EXPECT_EQ(lambda[0], 0.0);
  EXPECT_EQ(lambda[1], 0.0);
}

TEST_F(AccelerationLawTest, an_open_contact_has_no_force) {
  lambda[0] = lambda[1] = 5.0;
  solve(ContactMode::Kind::open);
  EXPECT_EQ(law.size(), 0);
  EXPECT_EQ(lambda[0], 0.0);
  EXPECT_EQ(lambda[1], 0.0);
}

// Where the modes are taken for granted the force may pull: its sign says that the contact opens.
TEST_F(AccelerationLawTest, hold_keeps_the_mode_whatever_the_sign_of_its_force) {
  c[0] = 1.0;
  law.set_modes({0}, {{ContactMode::Kind::sticks, {}}});
  law.pose(c, [&](int j, Vec& column) {
    for (int i = 0; i < 2; ++i) column[i] = G(i, law.row(j));
  });
  law.hold();
  law.expand(lambda);
  EXPECT_NEAR(lambda[0], -m, 1e-12);
  EXPECT_NEAR(lambda[1], -pull, 1e-12);
}

}  // namespace
}  // namespace tappet
