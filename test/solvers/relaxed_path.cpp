// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/path/relaxed_path.h"

#include <gtest/gtest.h>

#include "problem/generator/generator.h"
#include "problems.h"
#include "solvers/make_solver.h"

namespace tappet {

namespace {

// The error at the end of the path itself, without any polish.
double end_of_path(const ContactProblem& problem) {
  PathState state;
  state.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  EXPECT_TRUE(state.prepare(problem));
  state.best = 1e300;
  struct : ExactPath::Judge {
    PathState* state;
    Vec u;
    bool done(const Vec& r) override {
      state->problem.multiply(r, u);
      for (int i = 0; i < u.size(); ++i) u[i] += state->problem.q[i];
      state->offer(r, u);
      return false;
    }
  } judge;
  judge.state = &state;
  RelaxedPath path;
  path.follow(state, 1.0, RelaxedPath::first_pace[0], 500, judge);
  return state.best;
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
