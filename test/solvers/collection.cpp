// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/collection.h"

#include "solvers/make_solver.h"

namespace tappet {

class Collection : public testing::TestWithParam<test::Known> {};
INSTANTIATE_TEST_SUITE_P(, Collection, testing::ValuesIn(test::collection), test::test_name);

TEST_P(Collection, auto_solves_it_from_a_cold_start) {
  const ContactProblem problem = GetParam().read();
  Vec P(problem.size());
  const SolveReport report = make_solver("auto")->solve(problem, P);
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_LE(residual(problem, P), 1e-8);
  EXPECT_LE(report.factorisations, GetParam().factorisations);
}

}  // namespace tappet
