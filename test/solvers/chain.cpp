// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "problem/fclib.h"
#include "problem/generator.h"
#include "solvers/registry.h"
#include "solvers/support.h"

namespace tappet {

// Masses × m, lengths × l, times × t: velocities × l/t, impulses × m l/t, G × 1/m.
ContactProblem in_units(const ContactProblem& problem, double mass, double speed) {
  ContactProblem other = problem;
  if (problem.G.form() == Delassus::Form::dense) {
    const Mat copy = problem.G.dense();
    other.G.dense(copy.rows()).eigen() = copy.eigen() / mass;
  } else {
    const SparseColumns copy = problem.G.sparse();
    SparseColumns& S = other.G.sparse(problem.size());
    S = copy;
    for (double& x : S.value) x /= mass;
  }
  for (double& x : other.c) x *= speed;
  return other;
}

TEST(path, units_do_not_matter) {
  for (const char* name :
       {"BoxesStack-52", "Confeti-54", "OneObject-24", "PerioBox-60", "synthetic-arch_0p20", "Rover-4"}) {
    const ContactProblem problem = read_fclib(TAPPET_TEST_DATA "/problems/" + std::string(name) + ".hdf5");
    Vec P(problem.size());
    const SolveReport here = make_solver("auto")->solve(problem, P);
    for (double mass : {1e-6, 1.0, 1e6})
      for (double speed : {1e-6, 1.0, 1e6}) {
        P.assign(problem.size(), 0.0);
        const SolveReport there = make_solver("auto")->solve(in_units(problem, mass, speed), P);
        EXPECT_EQ(there.status, SolveStatus::converged) << name;
        EXPECT_NEAR(there.iterations, here.iterations, 1) << name << ", mass × " << mass << ", speed × " << speed;
      }
  }
}

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

TEST(path, a_settled_stack_needs_few_iterations_a_step_from_a_warm_start) {
  ContactProblem problem = generate_problem("stack", 10.0, 1);
  const Vec weight = problem.c;  // the change of c by a step
  auto solver = make_solver("auto");
  Vec P(problem.size()), xi;
  int iterations = 0;
  for (int step = -20; step < 100; ++step) {  // settles in the first twenty
    const SolveReport report = solver->solve(problem, P);
    ASSERT_EQ(report.status, SolveStatus::converged) << step;
    if (step >= 0) iterations += report.iterations;
    respond(problem, P, xi);
    for (int i = 0; i < xi.size(); ++i) problem.c[i] = xi[i] + weight[i];
  }
  EXPECT_LE(iterations, 300);
}

TEST(path, bodies_and_contacts_factored_are_the_same_problem) {
  // A wall has far more rows than its bricks have velocities; without its factors W must be formed.
  const ContactProblem factored = generate_problem("wall", 2.0, 5);
  ASSERT_TRUE(factored.G.has_factors());
  ContactProblem formed = in_units(factored, 1.0, 1.0);
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
    problem = in_units(problem, 1.0, 1.0);
    Vec P(problem.size());
    const SolveReport report = make_solver(name, {.tolerance = 1e-6})->solve(problem, P);
    EXPECT_EQ(report.status, SolveStatus::converged) << name << " " << report.residual;
    for (const Law& law : problem.laws)
      if (law.kind == Law::Kind::contact && law.mu == 0.0) {
        EXPECT_EQ(P[law.row + 1], 0.0);
      }
  }
}

TEST(path, joints_that_contradict_each_other_are_not_called_solved) {
  ContactProblem problem = generate_problem("stack", 1.0, 0);
  problem = in_units(problem, 1.0, 1.0);
  for (size_t k = 0; k < 4; ++k) problem.laws[k].kind = Law::Kind::bilateral;
  for (int i = 0; i < 12; ++i) problem.c[i] = i % 5 - 2.0;  // twelve velocities asked of six
  Vec P(problem.size());
  const SolveReport report = make_solver("auto", {.budget_s = 2.0})->solve(problem, P);
  EXPECT_NE(report.status, SolveStatus::converged);
  EXPECT_NEAR(report.residual, residual(problem, P), 1e-9);
  EXPECT_GT(report.residual, 1e-3);
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
