// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "solvers/auto.h"

namespace tappet {
namespace {

// Two carts of 1 and 10 kg on a rail (μ = 0.5, g dt = 1 m/s) are pushed against each other by 0.1 and 1 N s. They
// overlap by so much that they must move apart with δ. If both stuck, they would not. The heavy one has far more
// friction, so it sticks and the light one slips:
//   P_F1 = μ P_N1 = 0.5,  P_b = 0.1 + 0.5 + δ,  P_F2 = 1 − P_b
// The rows are N and F of each cart, and N of the buffer between them.
ContactProblem pushed_together(double delta) {
  constexpr double m1 = 1, m2 = 10;
  ContactProblem problem;
  problem.laws = {{.row = 0, .rows = 2, .mu = 0.5}, {.row = 2, .rows = 2, .mu = 0.5}, {.row = 4, .rows = 1}};
  Mat& G = problem.G.dense(5);
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 5; ++i) G(i, j) = 0;
  G(0, 0) = 1 / m1, G(1, 1) = 1 / m1, G(2, 2) = 1 / m2, G(3, 3) = 1 / m2, G(4, 4) = 1 / m1 + 1 / m2;
  G(1, 4) = G(4, 1) = 1 / m1, G(3, 4) = G(4, 3) = -1 / m2;  // the slip of the first cart counts to the left
  problem.c = Vec(5);
  const double u1 = 0.1 / m1, u2 = -1 / m2;  // to the right
  problem.c[0] = -1, problem.c[1] = -u1, problem.c[2] = -1, problem.c[3] = -u2, problem.c[4] = u2 - u1 - delta;
  return problem;
}

class ContradictingRows : public testing::TestWithParam<double> {};

TEST_P(ContradictingRows, are_solved_to_round_off) {
  const double delta = GetParam();
  const ContactProblem problem = pushed_together(delta);
  Vec P(5);
  P[0] = 1, P[1] = -0.2, P[2] = 10, P[3] = 0.7, P[4] = 0.3;  // both stick, as before they overlapped
  Auto solver{SolverOptions{}};
  const SolveReport report = solver.solve(problem, P);
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_LE(report.residual, 1e-14);
  EXPECT_NEAR(P[1], -0.5, 1e-14);
  EXPECT_NEAR(P[4], 0.6 + delta, 1e-14);
  EXPECT_NEAR(std::abs(P[3]), 0.4 - delta, 1e-14);
}

INSTANTIATE_TEST_SUITE_P(Overlap, ContradictingRows, testing::Values(1e-4, 1e-8, 1e-9, 1e-10),
                         [](const auto& info) { return "case_" + std::to_string(info.index); });

}  // namespace
}  // namespace tappet
