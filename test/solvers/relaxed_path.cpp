// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/path/relaxed_path.h"

#include <gtest/gtest.h>

#include "end_of_path.h"
#include "problem/generator/generator.h"
#include "problems.h"
#include "solvers/make_solver.h"

namespace tappet {

namespace {

double end_of_path(const ContactProblem& problem) {
  RelaxedPath path;
  return test::end_of_path(problem, [&](PathState& state, ExactPath::Judge& judge) {
    path.follow(state, 1.0, RelaxedPath::first_pace[0], 500, judge);
  });
}

}  // namespace

TEST(relaxed_path, leads_to_coulombs_law_for_contacts_of_every_number_of_rows_and_joints) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    EXPECT_LE(end_of_path(test::random_problem(seed, 12, {}, {3, 3, 3}, 0.5)), 1e-6) << seed;
    EXPECT_LE(end_of_path(test::random_problem(seed, 12, {2}, {1, 2, 3, 4}, 0.3)), 1e-6) << seed;
    EXPECT_LE(end_of_path(test::random_problem(seed, 6, {}, {3, 3, 3, 3}, 0.7)), 1e-6) << seed;  // dependent rows
  }
}

TEST(relaxed_path, passes_folds_of_heaps_of_rods) {
  // Without it, none of these is solved within a thousand factorisations, and the first is never solved.
  for (unsigned seed : {0, 2, 4, 6}) {
    const ContactProblem problem = generate_problem("rods", 0.3, seed, 6);
    Vec P(problem.size());
    const SolveReport report = make_solver("auto")->solve(problem, P);
    EXPECT_EQ(report.status, SolveStatus::converged) << seed;
    EXPECT_LE(residual(problem, P), 1e-8) << seed;
    EXPECT_LE(report.factorisations, 1000) << seed;
  }
}

}  // namespace tappet
