// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "problem/generator/generated_scene.h"
#include "problems.h"
#include "solvers/auto.h"
#include "solvers/make_solver.h"
#include "support/allocations.h"

namespace tappet {
namespace {

using Form = Delassus::Form;

// Walls and stacks side by side; those with few boxes have fewer than 64 rows.
ContactProblem side_by_side(const std::vector<int>& courses, const std::vector<int>& boxes = {}) {
  std::mt19937 random(5);
  GeneratedScene scene;
  for (int size : courses) scene.add(wall(2.0, size, random));
  for (int size : boxes) scene.add(stack(1.0, size, random));
  FreeMotion motion;
  return scene.problem(random, motion);
}

// Velocities of all rows: unlike the impulses of walls they are the same for all solutions of nearly all problems.
Vec velocities(const ContactProblem& problem, const Vec& P) {
  Vec xi(problem.size());
  problem.G.multiply(P, xi);
  for (int i = 0; i < xi.size(); ++i) xi[i] += problem.c[i];
  return xi;
}

ContactProblem in_form(const ContactProblem& problem, Form form) {
  ContactProblem other = problem;
  if (form == Form::factored) other.G.keep_factors_only();
  return other;
}

}  // namespace

TEST(islands, each_is_solved_as_if_it_were_alone) {
  const ContactProblem problem = side_by_side({5, 6, 7}, {2, 3, 4, 5});
  for (const Form form : {Form::sparse, Form::factored})
    for (const double tolerance : {1e-10, 1e-5}) {
      const ContactProblem whole = in_form(problem, form);
      const SolverOptions options{.tolerance = tolerance};
      Vec P;
      const SolveReport report = make_solver("auto", options)->solve(whole, P);
      ASSERT_EQ(report.status, SolveStatus::converged);
      EXPECT_EQ(report.islands, 7);
      EXPECT_LE(residual(whole, P), tolerance);
      EXPECT_EQ(report.residual, residual(whole, P));
      Islands islands;
      ASSERT_EQ(islands.find(whole), 7);
      const Vec xi = velocities(whole, P);
      for (int i = 0; i < 7; ++i) {
        ContactProblem part;
        Delassus::Places places;
        places.start(whole.G);
        part.G.take_part(whole.G, whole.laws, islands.laws(i), Form::sparse, places);
        for (int k : islands.laws(i)) {
          Law law = whole.laws[k];
          for (int r = 0; r < law.rows; ++r)
            part.c.resize(part.c.size() + 1), part.c[part.c.size() - 1] = whole.c[law.row + r];
          law.row = part.c.size() - law.rows;
          part.laws.push_back(law);
        }
        Vec P_part;
        ASSERT_EQ(make_solver("path", options)->solve(part, P_part).status, SolveStatus::converged);
        const Vec xi_part = velocities(part, P_part);
        double difference = 0.0, size = 0.0;
        int row = 0;
        for (int k : islands.laws(i))
          for (int r = 0; r < whole.laws[k].rows; ++r, ++row) {
            difference = std::max(difference, std::abs(xi[whole.laws[k].row + r] - xi_part[row]));
            size = std::max(size, std::abs(part.c[row]));
          }
        EXPECT_LE(difference, 1e3 * tolerance * size) << "island " << i;
      }
    }
}

TEST(islands, have_the_same_bits_on_one_and_two_threads) {
  for (const double tolerance : {1e-8, 1e-4})
    for (const Form form : {Form::sparse, Form::factored}) {
      const ContactProblem problem = in_form(side_by_side({6, 7, 6, 8}, std::vector<int>(40, 3)), form);
      Vec P[2];
      for (int threads : {1, 2}) {
        const Execution execution(threads);
        auto solver = make_solver("auto", {.tolerance = tolerance});
        ContactProblem next = problem;
        next.G.use(execution);
        for (int step = 0; step < 3; ++step) {
          for (double& c : next.c) c *= 1.01;
          ASSERT_EQ(solver->solve(next, P[threads - 1]).status, SolveStatus::converged);
        }
      }
      EXPECT_EQ(P[0], P[1]);
    }
}

TEST(islands, one_that_cannot_be_solved_fails_the_whole_and_leaves_the_others_solved) {
  ContactProblem problem = side_by_side({6}, {4, 4, 4});
  // Two rows of a joint that require different velocities for the same motion of a separate body.
  const int n = problem.size();
  SparseColumns columns = problem.G.sparse();
  for (int r = 0; r < 2; ++r)
    for (int s = 0; s < 2; ++s) {
      if (s == 0) columns.start.push_back(columns.start.back() + 2);
      columns.row.push_back(n + s), columns.value.push_back(1.0);
    }
  problem.G.sparse(n + 2) = columns;
  problem.laws.push_back({Law::Kind::bilateral, n, 2, 0.0});
  problem.c.resize(n + 2);
  problem.c[n] = 1.0, problem.c[n + 1] = -1.0;
  Vec P;
  const SolveReport report = make_solver("auto")->solve(problem, P);
  EXPECT_EQ(report.islands, 5);
  EXPECT_EQ(report.status, SolveStatus::infeasible);
  EXPECT_GT(report.residual, 1e-3);
  Vec rest = velocities(problem, P);
  rest[n] = rest[n + 1] = 0.0;
  EXPECT_LE(residual(problem, P, rest), 1e-8);
}

TEST(islands, a_problem_that_does_not_fall_apart_keeps_its_bits) {
  for (const Form form : {Form::sparse, Form::factored})
    for (const double tolerance : {1e-8, 1e-4}) {
      const ContactProblem problem = in_form(side_by_side({8}), form);
      const SolverOptions options{.tolerance = tolerance};
      Vec P_apart, P_together;
      Auto apart(options), together(options, Auto::Islands::together);
      const SolveReport report = apart.solve(problem, P_apart);
      EXPECT_EQ(report.islands, 1);
      EXPECT_EQ(report.iterations, together.solve(problem, P_together).iterations);
      EXPECT_EQ(P_apart, P_together);
    }
}

TEST(islands, ask_for_no_memory_once_warm) {
  for (const Form form : {Form::sparse, Form::factored}) {
    ContactProblem problem = in_form(side_by_side({6, 7}, {2, 3, 4}), form);
    auto solver = make_solver("auto");
    Vec P;
    for (int step = 0; step < 3; ++step) problem.c[0] *= 1.001, solver->solve(problem, P);
    problem.c[0] *= 1.001;
    const long before = test::allocations();
    EXPECT_EQ(solver->solve(problem, P).status, SolveStatus::converged);
    EXPECT_EQ(test::allocations() - before, 0);
  }
}

TEST(islands, a_large_one_meets_its_own_factors_again) {
  // If only a little of c has changed, the factors of the previous step are enough.
  ContactProblem problem = side_by_side({8, 9});
  auto solver = make_solver("auto", {.tolerance = 1e-6});
  Vec P;
  EXPECT_GT(solver->solve(problem, P).factorisations, 0);
  solver->solve(problem, P);
  for (double& c : problem.c) c *= 1.0 + 1e-3;
  const SolveReport again = solver->solve(problem, P);
  EXPECT_EQ(again.status, SolveStatus::converged);
  EXPECT_EQ(again.factorisations, 0);
}

TEST(islands, bad_input_is_told_as_of_the_whole) {
  ContactProblem problem = side_by_side({5, 5});
  problem.c[7] = std::nan("");
  Vec P;
  EXPECT_EQ(make_solver("auto")->solve(problem, P).status, SolveStatus::bad_input);
}

}  // namespace tappet
