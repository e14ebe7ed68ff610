// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "problem/generator/generated_scene.h"
#include "problem/generator/generator.h"
#include "problems.h"
#include "solvers/cheap_members.h"
#include "solvers/iterative/apgd.h"
#include "solvers/make_solver.h"
#include "solvers/path/polish.h"

namespace tappet {

TEST(rocks, heaps_are_solved_with_and_without_their_bodies) {
  for (bool bodies : {true, false})
    for (double mu : {0.5, 1.0})
      for (unsigned seed = 0; seed < 3; ++seed) {
        ContactProblem problem = generate_problem("rocks", mu, seed, 60);
        if (!bodies) problem = test::without_factors(problem);
        Vec P(problem.size());
        const SolveReport report = make_solver("auto")->solve(problem, P);
        EXPECT_EQ(report.status, SolveStatus::converged) << "μ " << mu << " seed " << seed;
        EXPECT_LE(residual(problem, P), 1e-8) << "μ " << mu << " seed " << seed;
      }
}

TEST(rocks, the_implicit_flow_alone_solves_a_heap_from_zero) {
  const ContactProblem problem = generate_problem("rocks", 1.0, 1, 60);
  PathState state;
  state.deadline = std::chrono::steady_clock::now() + std::chrono::minutes(5);
  ASSERT_TRUE(state.prepare(problem));
  const Vec zero(state.problem.size());
  state.best_r = zero, state.best = state.problem.error(zero, state.problem.q);
  EXPECT_GT(state.best, 1e-2);
  Polish polish;
  polish.flow(state, zero, 2000);
  EXPECT_TRUE(state.done()) << state.best;
  Vec P;
  state.problem.to_original(state.best_r, P);
  EXPECT_LE(residual(problem, P), 1e-8);
}

// The path solver continues `apgd` piece by piece beside its paths. It must lead where `apgd` alone leads.
TEST(apgd, in_pieces_takes_the_same_steps_as_at_once) {
  const ContactProblem problem = generate_problem("rods", 0.3, 100, 5);
  Vec at_once(problem.size()), in_pieces(problem.size());
  const SolveReport report = Apgd({.max_iterations = 300}).solve(problem, at_once);
  EXPECT_EQ(report.iterations, 300);
  Apgd apgd({});
  ASSERT_TRUE(apgd.begin(problem, in_pieces));
  for (int steps : {1, 7, 120, 120, 300}) apgd.continue_to(steps, 60.0);
  apgd.best(in_pieces);
  EXPECT_EQ(in_pieces, at_once);
  EXPECT_LT(report.residual, 1e-2);
}

// A heap of rods that takes far longer than the budget comes first; the wall beside it is solved all the same.
TEST(islands, a_hard_one_does_not_keep_the_others_from_being_solved) {
  std::mt19937 random(102), other(1);
  GeneratedScene scene = rods(0.3, 8, random);
  const GeneratedScene beside = wall(2.0, 4, other);
  FreeMotion motion;
  const int rows = scene.problem(random, motion).size();
  scene.add(beside);
  const ContactProblem problem = scene.problem(random, motion);
  Vec P(problem.size()), xi(problem.size());
  const SolveReport report = make_solver("auto", {.budget_s = 2.0})->solve(problem, P);
  EXPECT_EQ(report.status, SolveStatus::not_converged);
  EXPECT_NEAR(report.residual, residual(problem, P), 1e-12);
  problem.G.multiply(P, xi);
  double sum = 0.0, scale = 0.0;
  const double per_impulse = velocity_per_impulse(problem);
  for (int i = 0; i < xi.size(); ++i) xi[i] += problem.c[i];
  for (const Law& law : problem.laws) {
    if (law.row < rows) continue;
    sum += squared_distance(problem, law, per_impulse, P.data() + law.row, xi.data() + law.row);
    for (int i = 0; i < law.rows; ++i) scale += problem.c[law.row + i] * problem.c[law.row + i];
  }
  EXPECT_LE(std::sqrt(sum / scale), 1e-6);
}

TEST(cheap_members, better_a_poor_point_and_leave_a_good_one) {
  const ContactProblem problem = generate_problem("wedge", 0.5, 3, 6);
  Vec P(problem.size());
  SolveReport report{SolveStatus::not_converged, 0, residual(problem, P)};
  const double before = report.residual;
  CheapMembers members({.tolerance = 1e-6});
  members.better(problem, 20.0, P, report);
  EXPECT_GT(before, 1e-1);
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_NEAR(report.residual, residual(problem, P), 1e-12);
  EXPECT_LE(report.residual, 1e-6);
  const Vec good = P;
  members.better(problem, 20.0, P, report);
  EXPECT_EQ(P, good);
}

// Two opposite contacts on one mass, both closing: impulses that grow without bound look better and better.
TEST(cheap_members, do_not_take_impulses_too_large_to_be_judged) {
  ContactProblem problem;
  problem.laws = {{Law::Kind::contact, 0, 1, 0.0}, {Law::Kind::contact, 1, 1, 0.0}};
  problem.G.dense(2).eigen() << 1, -1, -1, 1;
  problem.c = {-1.0, -1.0};
  Vec P(2);
  SolveReport report{SolveStatus::not_converged, 0, residual(problem, P)};
  CheapMembers({}).better(problem, 0.4, P, report);
  EXPECT_EQ(report.status, SolveStatus::not_converged);
  EXPECT_GT(residual(problem, P), 0.1);
}

}  // namespace tappet
