// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "problem/generator/generator.h"
#include "problems.h"
#include "solvers/make_solver.h"
#include "solvers/support.h"

namespace tappet {

TEST(path, sixty_generated_problems_of_all_kinds_are_solved) {
  const auto solved = [](const char* kind, double difficulty, unsigned seed) {
    const ContactProblem problem = generate_problem(kind, difficulty, seed, std::string_view(kind) == "rods" ? 5 : 0);
    Vec P(problem.size());
    const SolveReport report = make_solver("auto")->solve(problem, P);
    EXPECT_EQ(report.status, SolveStatus::converged)
        << kind << " " << difficulty << " seed " << seed << " e " << report.residual;
    EXPECT_LE(residual(problem, P), 1e-8);
  };
  for (unsigned seed = 2; seed < 4; ++seed) {
    for (double ratio : {1.0, 1e2, 1e4, 1e5, 1e6}) solved("stack", ratio, seed);
    for (double points : {1.0, 2.0, 3.0, 4.0, 6.0}) solved("wall", points, seed);
    for (double mu : {0.1, 0.5, 1.0, 2.0, 4.0}) solved("rods", mu, seed);
    for (double thickness : {0.3, 0.2, 0.12, 0.1, 0.09}) solved("arch", thickness, seed);
    for (double links : {2.0, 10.0, 50.0, 100.0, 200.0}) solved("chain", links, seed);
    for (double ratio : {0.2, 0.6, 0.9, 0.99, 1.2}) solved("wedge", ratio, seed);
  }
}

// The mean number of iterations per step, over a hundred steps after the first twenty, in which it settles.
double iterations_once_settled(ContactProblem problem) {
  const Vec weight = problem.c;  // the change of c by a step
  auto solver = make_solver("auto");
  Vec P(problem.size()), xi;
  int iterations = 0;
  for (int step = -20; step < 100; ++step) {
    const SolveReport report = solver->solve(problem, P);
    EXPECT_EQ(report.status, SolveStatus::converged) << step;
    if (step >= 0) iterations += report.iterations;
    respond(problem, P, xi);
    for (int i = 0; i < xi.size(); ++i) problem.c[i] = xi[i] + weight[i];
  }
  return iterations / 100.0;
}

TEST(path, settled_heaps_need_at_most_three_iterations_a_step_from_a_warm_start) {
  for (const auto& [kind, difficulty] : {std::pair{"stack", 1.0}, {"stack", 10.0}, {"stack", 1e4}, {"wall", 2.0}})
    for (unsigned seed : {1, 2}) {
      const double mean = iterations_once_settled(generate_problem(kind, difficulty, seed));
      EXPECT_LE(mean, 3.0) << kind << " " << difficulty << " seed " << seed;
      RecordProperty(fmt::format("{}_{:g}_seed_{}", kind, difficulty, seed), fmt::format("{:.2f}", mean));
    }
}

TEST(path, bodies_and_contacts_factored_are_the_same_problem) {
  // A wall has far more rows than its bricks have velocities. Without its factors G must be formed.
  const ContactProblem factored = generate_problem("wall", 2.0, 5);
  ASSERT_TRUE(factored.G.has_factors());
  ContactProblem formed = test::without_factors(factored);
  ASSERT_FALSE(formed.G.has_factors());
  Vec P(factored.size()), Q(formed.size());
  const SolveReport a = make_solver("path")->solve(factored, P), b = make_solver("path")->solve(formed, Q);
  EXPECT_EQ(a.status, SolveStatus::converged);
  EXPECT_NEAR(a.iterations, b.iterations, 1);
  EXPECT_LE(residual(formed, P), 1e-8);
}

TEST(path, frictionless_contacts_and_joints_are_in) {
  for (const char* name : {"path", "apgd", "auto"}) {
    ContactProblem problem = generate_problem("arch", 0.2, 7, 9);
    for (size_t k = 0; k < problem.laws.size(); ++k) {
      Law& law = problem.laws[k];
      if (k < 2)
        law.kind = Law::Kind::bilateral;  // two points of the springing are pinned
      else if (k % 3 == 0)
        law.mu = 0.0;
    }
    problem = test::without_factors(problem);
    Vec P(problem.size());
    const SolveReport report = make_solver(name, {.tolerance = 1e-6})->solve(problem, P);
    EXPECT_EQ(report.status, SolveStatus::converged) << name << " " << report.residual;
    for (const Law& law : problem.laws)
      if (law.kind == Law::Kind::contact && law.mu == 0.0) {
        EXPECT_EQ(P[law.row + 1], 0.0);
      }
  }
}

TEST(path, joints_that_contradict_each_other_are_called_infeasible) {
  for (bool factored : {false, true}) {
    ContactProblem problem = generate_problem("wall", 2.0, 0);
    if (!factored) problem = test::without_factors(problem);
    for (size_t k = 0; k < 4; ++k) problem.laws[k].kind = Law::Kind::bilateral;
    for (int i = 0; i < 12; ++i) problem.c[i] = (i % 5 - 2.0) * 1e-3;  // twelve velocities required of one brick
    Vec P(problem.size());
    const SolveReport report = make_solver("auto")->solve(problem, P);
    EXPECT_EQ(report.status, SolveStatus::infeasible);
    EXPECT_NEAR(report.residual, residual(problem, P), 1e-9);
    EXPECT_GT(report.residual, 1e-3);
    EXPECT_LT(report.residual, 1.0);
  }
}

TEST(auto_solver, small_joints_that_contradict_each_other_are_called_infeasible) {
  ContactProblem problem = test::random_problem(2, 20, {2, 2}, {3, 2}, 0.4);
  Mat& G = problem.G.dense(problem.size());
  for (int j = 0; j < problem.size(); ++j) G(3, j) = G(1, j);
  for (int i = 0; i < problem.size(); ++i) G(i, 3) = G(i, 1);
  problem.c[3] = problem.c[1] + 1.0;
  Vec P(problem.size());
  const SolveReport report = make_solver("auto")->solve(problem, P);
  EXPECT_EQ(report.status, SolveStatus::infeasible);
  // The two rows differ by 1 for all impulses, and they have the same weight.
  const double per_impulse = velocity_per_impulse(problem);
  const double least = joint_weight(problem, per_impulse, 1) / std::sqrt(2.0) / norm(problem, per_impulse, problem.c);
  EXPECT_GE(report.residual, least * (1.0 - 1e-9));
  EXPECT_LE(report.residual, 1.5 * least);
  problem.c[3] = problem.c[1];
  P.set_zero();
  EXPECT_EQ(make_solver("auto")->solve(problem, P).status, SolveStatus::converged);
}

TEST(gauss_seidel, works_on_velocities_where_the_operator_is_not_formed) {
  const ContactProblem sparse = generate_problem("wedge", 0.5, 3, 6);
  ASSERT_EQ(sparse.G.form(), Delassus::Form::sparse);
  ContactProblem factored = sparse;
  factored.G.keep_factors_only();
  for (const char* name : {"gauss-seidel", "prox", "apgd", "admm", "path"}) {
    Vec P(sparse.size()), Q(sparse.size());
    const SolverOptions options{.tolerance = 1e-6, .max_iterations = std::string_view(name) == "prox" ? 200 : 0};
    const SolveReport a = make_solver(name, options)->solve(sparse, P),
                      b = make_solver(name, options)->solve(factored, Q);
    EXPECT_NEAR(a.residual, b.residual, 1e-5) << name;
    EXPECT_EQ(a.status, b.status) << name;
  }
}

}  // namespace tappet
