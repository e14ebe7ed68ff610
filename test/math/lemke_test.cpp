// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "math/lemke.h"

#include <gtest/gtest.h>

#include <random>

namespace tappet {

TEST(lemke, a_problem_with_a_known_solution) {
  Mat M(2, 2);
  M.eigen() << 2, 1, 1, 2;
  Vec z, w;
  const auto report = Lemke().solve(M, {-5, -6}, z, w);  // z = (4/3, 7/3)
  EXPECT_EQ(report.end, Lemke::End::solution);
  EXPECT_NEAR(z[0], 4.0 / 3, 1e-15);
  EXPECT_NEAR(z[1], 7.0 / 3, 1e-15);
}

TEST(lemke, a_nonnegative_q_needs_no_pivot) {
  Mat M(1, 1);
  M(0, 0) = -1;
  Vec z, w;
  EXPECT_EQ(Lemke().solve(M, {0.0}, z, w).pivots, 0);
}

TEST(lemke, an_infeasible_problem_ends_in_a_ray) {
  Mat M(2, 2);
  M.eigen() << 1, -1, -1, 1;
  Vec z, w;
  EXPECT_EQ(Lemke().solve(M, {-1, -1}, z, w).end, Lemke::End::ray);
}

TEST(lemke, degenerate_problems_do_not_cycle) {
  // Murty's example of exponential pivoting, and ties everywhere.
  for (int n = 1; n <= 8; ++n) {
    Mat M(n, n);
    M.set_zero();
    for (int i = 0; i < n; ++i) {
      M(i, i) = 1;
      for (int j = 0; j < i; ++j) M(i, j) = 2;
    }
    Vec q(n, -1.0), z, w;
    const auto report = Lemke().solve(M, q, z, w);
    EXPECT_EQ(report.end, Lemke::End::solution);
    EXPECT_NEAR(z[0], 1.0, 1e-12);
    EXPECT_LT(report.residual, 1e-12);
  }
}

TEST(lemke, random_semidefinite_problems_in_the_range_are_solved_in_any_units) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  Lemke lemke;
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + trial % 20, rank = 1 + trial % 7;
    Mat A(rank, n), M(n, n);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < rank; ++i) A(i, j) = normal(random);
    Vec u(rank), q(n), z, w;
    for (double& x : u) x = normal(random);
    const double mass = std::pow(10.0, trial % 13 - 6);
    M.eigen() = A.eigen().transpose() * A.eigen() / mass;
    q.eigen() = A.eigen().transpose() * u.eigen();
    const auto report = lemke.solve(M, q, z, w);
    EXPECT_EQ(report.end, Lemke::End::solution) << trial;
    EXPECT_LT(report.residual, 1e-10) << trial;
  }
}

}  // namespace tappet
