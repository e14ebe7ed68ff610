// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "support/allocations.h"

#include <gtest/gtest.h>

#include "problem/generator/generator.h"
#include "problems.h"
#include "solvers/make_solver.h"

namespace tappet {

TEST(allocations, auto_asks_for_no_memory_once_warm) {
  std::vector<ContactProblem> problems;
  for (const auto& rows : {std::vector{1}, {2}, {3}, {2, 2}, {2, 2, 2, 2}, {3, 3}, {3, 3, 3, 3}, {4, 2}})
    for (unsigned seed = 0; seed < 10; ++seed)
      problems.push_back(test::random_problem(seed, seed % 2 ? 20 : 4,
                                              seed % 3 ? std::vector<int>{2} : std::vector<int>{}, rows, 0.3));
  auto solver = make_solver("auto");
  Vec P;
  for (const auto& problem : problems) P.assign(problem.size(), 0.0), solver->solve(problem, P);
  std::vector<long> counts;
  counts.reserve(problems.size());
  for (const auto& problem : problems) {
    P.assign(problem.size(), 0.0);
    const long before = test::allocations();
    const SolveReport report = solver->solve(problem, P);
    if (report.solver == 0) counts.push_back(test::allocations() - before);
  }
  EXPECT_GT(counts.size(), problems.size() * 3 / 4);
  for (long count : counts) EXPECT_EQ(count, 0);
}

TEST(allocations, path_asks_for_no_memory_for_a_problem_of_the_same_structure) {
  for (bool factored : {false, true}) {
    ContactProblem problem = generate_problem("wall", 2.0, 1);
    if (!factored) problem = test::without_factors(problem);
    auto solver = make_solver("path");
    Vec P(problem.size());
    for (int repeat = 0; repeat < 3; ++repeat) P.set_zero(), solver->solve(problem, P);
    P.set_zero();
    problem.c[0] *= 1.01;
    const long before = test::allocations();
    EXPECT_EQ(solver->solve(problem, P).status, SolveStatus::converged);
    EXPECT_EQ(test::allocations() - before, 0) << (factored ? "over the bodies" : "over the contacts");
  }
}

TEST(allocations, the_operator_is_assembled_without_memory_once_warm) {
  struct Unit final : Inertia {
    std::vector<int> velocities{0, 1, 2, 3, 4, 5};
    int size() const override { return 6; }
    void solve(std::span<double>) const override {}
    int block_count() const override { return 2; }
    int block_of(int velocity) const override { return velocity / 3; }
    std::span<const int> block(int b) const override { return std::span(velocities).subspan(3 * b, 3); }
    void solve_block(int, std::span<double>) const override {}
    bool symmetric() const override { return true; }
  } inertia;
  BlockRows W;
  const std::vector<int> columns{0, 1, 2, 3};
  for (int k = 0; k < 3; ++k) W.append(2, columns)[k] = 1.0;
  for (auto form : {Delassus::Form::dense, Delassus::Form::sparse}) {
    Delassus G;
    G.assemble(inertia, W, form);
    const long before = test::allocations();
    G.assemble(inertia, W, form);
    EXPECT_EQ(test::allocations(), before);
  }
}

}  // namespace tappet
