// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/path/proximal/proximal_path.h"

#include <gtest/gtest.h>

#include "end_of_path.h"
#include "problem/generator/generator.h"
#include "problems.h"
#include "solvers/make_solver.h"
#include "solvers/path/relaxed_path.h"

namespace tappet {

namespace {

// From zero as the centre.
double end_of_path(const ContactProblem& problem) {
  ProximalPath path;
  return test::end_of_path(problem, [&](PathState& state, ExactPath::Judge& judge) {
    path.follow(state, Vec(state.problem.size()), 1000, judge);
  });
}

}  // namespace

TEST(proximal_path, leads_to_coulombs_law_for_contacts_of_every_number_of_rows_and_joints) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    EXPECT_LE(end_of_path(test::random_problem(seed, 12, {}, {3, 3, 3}, 0.5)), 1e-8) << seed;
    EXPECT_LE(end_of_path(test::random_problem(seed, 12, {2}, {1, 2, 3, 4}, 0.3)), 1e-8) << seed;
    EXPECT_LE(end_of_path(test::random_problem(seed, 20, {5, 6}, {3, 3, 1}, 0.3)), 1e-8) << seed;  // pins and welds
    EXPECT_LE(end_of_path(test::random_problem(seed, 6, {}, {3, 3, 3, 3}, 0.7)), 1e-8) << seed;    // dependent rows
  }
}

TEST(proximal_path, solves_heaps_on_its_own) {
  for (unsigned seed = 0; seed < 3; ++seed) {
    EXPECT_LE(end_of_path(generate_problem("rods", 0.5, seed, 3)), 1e-8) << seed;
    EXPECT_LE(end_of_path(generate_problem("rocks", 0.75, seed, 20)), 1e-8) << seed;
  }
}

// All other paths of this heap fold and end in saddles. Without the proximal path it took more than 2400
// factorisations.
TEST(proximal_path, solves_a_heap_of_rods_that_the_other_paths_do_not_solve) {
  const ContactProblem problem = generate_problem("rods", 0.3, 105, 7);
  Vec P(problem.size());
  const SolveReport report = make_solver("auto", {.budget_s = 600.0})->solve(problem, P);
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_LE(residual(problem, P), 1e-8);
  EXPECT_LE(report.factorisations, 2000);
}

// Curves from several centres take turns and share one factorisation.
TEST(proximal_path, continues_where_it_stopped_after_another_path_was_followed) {
  const ContactProblem problem = generate_problem("rods", 0.5, 1, 3);
  const double interrupted = test::end_of_path(problem, [&](PathState& state, ExactPath::Judge& judge) {
    const Vec zero(state.problem.size());
    Vec other = state.problem.q;
    for (double& x : other) x = std::abs(x);
    ProximalPath first, second, never;
    first.follow(state, zero, 5, judge);
    struct : ExactPath::Judge {
      bool done(const Vec&) override { return false; }
    } blind;
    for (int turn = 0; turn < 200; ++turn) {
      turn == 0 ? second.follow(state, other, 5, blind) : second.resume(5, blind);
      never.resume(5, blind);
      first.resume(5, judge);
    }
  });
  EXPECT_LE(interrupted, 1e-8);
}

// The centre is the best point of a relaxed path. After 160 steps the curve comes to a place where corrections lead
// across even the shortest step.
TEST(proximal_path, is_not_given_up_where_the_equations_are_nearly_singular) {
  const ContactProblem problem = generate_problem("rods", 0.3, 109, 7);
  const double end = test::end_of_path(problem, [&](PathState& state, ExactPath::Judge& judge) {
    const std::vector<double> zero(16 * state.problem.laws.size(), 0.0);
    state.factor(nullptr, zero.data(), 1e-10, 1e-10);
    Vec size = state.problem.q;
    state.solve(size);
    RelaxedPath relaxed;
    relaxed.follow(state, size.eigen().norm(), RelaxedPath::paces[1], 800, judge);
    EXPECT_GT(state.best, 1e-5);
    state.restore();
    const Vec centre = state.best_r;
    ProximalPath path;
    path.follow(state, centre, 600, judge);
  });
  EXPECT_LE(end, 1e-8);
}

// One curve alone would take more than 4000 factorisations.
TEST(proximal_path, solves_a_heap_of_rods_from_the_second_centre) {
  const ContactProblem problem = generate_problem("rods", 0.3, 107, 8);
  Vec P(problem.size());
  const SolveReport report = make_solver("auto", {.budget_s = 600.0})->solve(problem, P);
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_LE(residual(problem, P), 1e-8);
  EXPECT_LE(report.factorisations, 4000);
}

}  // namespace tappet
