// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/iterative/local.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "problems.h"

namespace tappet {

TEST(local, a_ball_dropped_on_the_floor_takes_its_momentum) {
  const double G = 0.5, c = -3.0;  // 2 kg at −3 m/s
  double P;
  solve_contact(1, 0.0, &G, 1, &c, &P);
  EXPECT_DOUBLE_EQ(P, 6.0);
}

TEST(local, a_departing_contact_takes_nothing) {
  const double G[] = {1, 0, 0, 1}, c[] = {0.1, -5};
  double P[] = {1, 1};
  solve_contact(2, 0.5, G, 2, c, P);
  EXPECT_EQ(P[0], 0.0);
  EXPECT_EQ(P[1], 0.0);
}

TEST(local, planar_slip_saturates_friction_against_the_motion) {
  const double G[] = {1, 0, 0, 1}, c[] = {-1, 5};
  double P[2];
  solve_contact(2, 0.5, G, 2, c, P);
  EXPECT_DOUBLE_EQ(P[0], 1.0);
  EXPECT_DOUBLE_EQ(P[1], -0.5);
}

TEST(local, spatial_slip_of_an_isotropic_contact_opposes_the_velocity) {
  const double G[] = {1, 0, 0, 0, 2, 0, 0, 0, 2}, c[] = {-1, 3, -4};
  double P[3];
  solve_contact(3, 0.5, G, 3, c, P);
  EXPECT_NEAR(P[0], 1.0, 1e-15);
  EXPECT_NEAR(P[1], -0.3, 1e-15);
  EXPECT_NEAR(P[2], 0.4, 1e-15);
}

TEST(local, every_single_contact_is_solved_to_round_off) {
  for (int rows = 1; rows <= 4; ++rows)
    for (double mu : {0.0, 0.1, 1.0, 4.0})
      for (unsigned seed = 0; seed < 500; ++seed) {
        const int velocities = seed % 2 ? 6 : std::max(2, rows - 1);  // the second one makes rows depend on each other
        const ContactProblem problem = test::random_problem(seed, velocities, {}, {rows}, mu);
        Vec P(rows);
        solve_contact(rows, mu, problem.G.dense().data(), rows, problem.c.data(), P.data());
        EXPECT_LT(residual(problem, P), velocities == 6 ? 1e-13 : 1e-9)
            << rows << " rows, mu " << mu << ", seed " << seed;
      }
}

}  // namespace tappet
