// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "problem/contact_problem.h"

namespace tappet {

ContactProblem sliding() {
  ContactProblem problem;
  problem.laws = {{Law::Kind::contact, 0, 3, 0.5}};
  problem.G.dense(3).eigen() << 1, 0, 0, 0, 2, 0, 0, 0, 2;
  problem.c = {-1.0, 3.0, -4.0};
  return problem;
}

TEST(residual, vanishes_at_a_solution_and_nowhere_near) {
  EXPECT_LT(residual(sliding(), {1.0, -0.3, 0.4}), 1e-15);
  EXPECT_GT(residual(sliding(), {1.0, -0.3, 0.39}), 1e-3);
  EXPECT_GT(residual(sliding(), {1.0, 0.3, -0.4}), 1e-1);
}

TEST(residual, by_hand_for_zero_impulse) {
  // P = 0: x = −ξ̂ = (1 − 2.5, −3, 4); ‖x_F‖ = 5 = t; s = (−1.5 + 2.5)/1.25 = 0.8; projection (0.8, 0.4·(−3,4)/5).
  const double expected = std::sqrt(0.8 * 0.8 + 0.4 * 0.4) / std::sqrt(26.0);
  EXPECT_NEAR(residual(sliding(), {0.0, 0.0, 0.0}), expected, 1e-15);
}

TEST(residual, does_not_depend_on_units) {
  const double e = residual(sliding(), {1.1, -0.2, 0.3});
  for (double mass : {1e-6, 1e6})
    for (double speed : {1e-6, 1e6}) {
      ContactProblem problem = sliding();
      problem.G.dense(3).eigen() = sliding().G.dense().eigen() / mass;
      problem.c.eigen() *= speed;
      Vec P{1.1, -0.2, 0.3};
      P.eigen() *= mass * speed;
      EXPECT_NEAR(residual(problem, P), e, 1e-12 * e);
    }
}

TEST(residual, of_joints_is_their_velocity) {
  ContactProblem problem;
  problem.laws = {{Law::Kind::bilateral, 0, 2, 0.0}};
  problem.G.dense(2).eigen() << 1, 0, 0, 1;
  problem.c = {3.0, 4.0};
  EXPECT_DOUBLE_EQ(residual(problem, {-3.0, 0.0}), 4.0 / 5.0);
  EXPECT_DOUBLE_EQ(residual(problem, {-3.0, -4.0}), 0.0);
}

TEST(residual, without_friction_coefficient_wants_no_friction) {
  ContactProblem problem = sliding();
  problem.laws[0].mu = 0.0;
  EXPECT_LT(residual(problem, {1.0, 0.0, 0.0}), 1e-15);
  EXPECT_GT(residual(problem, {1.0, 0.1, 0.0}), 1e-3);
}

}  // namespace tappet
