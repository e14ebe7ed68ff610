// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "problems.h"
#include "solvers/make_solver.h"

namespace tappet {

using test::random_problem;

class EverySolver : public testing::TestWithParam<std::string> {};

TEST_P(EverySolver, nothing_to_solve_is_solved) {
  Vec P;
  EXPECT_EQ(make_solver(GetParam())->solve({}, P).status, SolveStatus::converged);
}

TEST_P(EverySolver, contacts_of_every_kind_reach_the_tolerance) {
  for (const auto& rows : {std::vector{1, 1, 1}, {2}, {2, 2}, {3, 3}, {1, 2, 3}, {4, 2}})
    for (unsigned seed = 0; seed < 20; ++seed) {
      const ContactProblem problem = random_problem(seed, 20, {}, rows, 0.3);
      Vec P(problem.size());
      const SolveReport report = make_solver(GetParam(), {.tolerance = 1e-9})->solve(problem, P);
      EXPECT_EQ(report.status, SolveStatus::converged)
          << rows.size() << " contacts of " << rows[0] << ", seed " << seed;
      EXPECT_LE(residual(problem, P), 1e-9);
      EXPECT_NEAR(residual(problem, P), report.residual, 1e-15);
    }
}

TEST_P(EverySolver, joints_and_contacts_in_one_problem_reach_the_tolerance) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const ContactProblem problem = random_problem(seed, 30, {2, 1, 3}, {2, 3}, 0.5);
    Vec P(problem.size());
    EXPECT_EQ(make_solver(GetParam())->solve(problem, P).status, SolveStatus::converged) << seed;
    EXPECT_LE(residual(problem, P), 1e-8);
  }
}

TEST_P(EverySolver, a_warm_start_at_the_solution_is_kept) {
  const ContactProblem problem = random_problem(3, 12, {2}, {2, 3}, 0.4);
  Vec P(problem.size());
  auto solver = make_solver(GetParam());
  solver->solve(problem, P);
  const Vec before = P;
  EXPECT_EQ(solver->solve(problem, P).status, SolveStatus::converged);
  for (int i = 0; i < P.size(); ++i) EXPECT_NEAR(P[i], before[i], 1e-6);
}

TEST_P(EverySolver, numbers_that_are_not_finite_are_refused) {
  for (double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    ContactProblem problem = random_problem(1, 6, {}, {2, 2}, 0.4);
    Vec P(4);
    problem.c[2] = bad;
    EXPECT_EQ(make_solver(GetParam())->solve(problem, P).status, SolveStatus::bad_input);
    EXPECT_NE(fault(problem).find("c[2]"), std::string::npos);
    problem.c[2] = 1.0;
    problem.laws[1].mu = bad;
    EXPECT_NE(fault(problem).find("mu"), std::string::npos);
  }
}

TEST_P(EverySolver, never_calls_an_infeasible_problem_converged) {
  // Two opposite frictionless contacts on one mass that both close. No impulse can stop both.
  ContactProblem problem;
  problem.laws = {{Law::Kind::contact, 0, 1, 0.0}, {Law::Kind::contact, 1, 1, 0.0}};
  problem.G.dense(2).eigen() << 1, -1, -1, 1;
  problem.c = {-1.0, -1.0};
  Vec P(2);
  const SolveReport report = make_solver(GetParam(), {.max_iterations = 1000})->solve(problem, P);
  EXPECT_NE(report.status, SolveStatus::converged);
  EXPECT_NEAR(report.residual, residual(problem, P), 1e-12 * report.residual);
  EXPECT_GT(report.residual, 0.1);
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const SolverEntry& entry : solver_names()) all.emplace_back(entry.name);
  return all;
}
INSTANTIATE_TEST_SUITE_P(, EverySolver, testing::ValuesIn(names()), [](const auto& info) {
  std::string name = info.param;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

TEST(auto_solver, small_problems_end_at_round_off) {
  auto solver = make_solver("auto");
  for (const auto& rows : {std::vector{2, 2}, {2, 2, 2, 2}, {3, 3, 3}, {3, 3, 3, 3}, {4, 4}})
    for (double mu : {0.1, 0.8})
      for (unsigned seed = 0; seed < 100; ++seed) {
        const ContactProblem problem = random_problem(seed, 20, {2}, rows, mu);
        Vec P(problem.size());
        EXPECT_LT(solver->solve(problem, P).residual, 1e-13)
            << rows.size() << " " << rows[0] << " " << mu << " " << seed;
      }
}

TEST(auto_solver, dependent_rows_are_solved) {
  auto solver = make_solver("auto");
  int converged = 0, total = 0;
  for (const auto& rows : {std::vector{2, 2, 2, 2}, {3, 3, 3, 3}, {1, 1, 1, 1, 1, 1}, {2, 3, 4, 3}})
    for (double mu : {0.1, 0.8})
      for (unsigned seed = 0; seed < 50; ++seed, ++total) {
        const ContactProblem problem = random_problem(seed, 3, {}, rows, mu);
        Vec P(problem.size());
        converged += solver->solve(problem, P).status == SolveStatus::converged;
      }
  EXPECT_GE(converged, total);
}

// A box on four corners, pressed down and pushed in x: G from the rigid body, hyperstatic (12 rows, rank 6).
ContactProblem box(double push) {
  ContactProblem problem;
  Mat W(6, 12);
  int k = 0;
  for (double x : {-1.0, 1.0})
    for (double y : {-1.0, 1.0}) {
      const double r[3] = {x, y, -0.5};
      const int axis[3] = {2, 0, 1};  // N, F1, F2
      for (int a = 0; a < 3; ++a) {
        double n[3] = {};
        n[axis[a]] = 1.0;
        double* w = W.column(3 * k + a);
        for (int i = 0; i < 3; ++i) w[i] = n[i];
        for (int i = 0; i < 3; ++i) w[3 + i] = r[(i + 1) % 3] * n[(i + 2) % 3] - r[(i + 2) % 3] * n[(i + 1) % 3];
      }
      problem.laws.push_back({Law::Kind::contact, 3 * k++, 3, 0.5});
    }
  problem.G.dense(12).eigen() = W.eigen().transpose() * W.eigen();
  Vec u{push, 0, -1, 0, 0, 0};
  problem.c.resize(12);
  problem.c.eigen() = W.eigen().transpose() * u.eigen();
  return problem;
}

TEST(auto_solver, a_pressed_box_shares_its_weight_equally) {
  const ContactProblem problem = box(0.0);
  Vec P(12);
  EXPECT_LT(make_solver("auto")->solve(problem, P).residual, 1e-14);
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(P[3 * k], 0.25, 1e-14);
    EXPECT_NEAR(P[3 * k + 1], 0.0, 1e-14);
    EXPECT_NEAR(P[3 * k + 2], 0.0, 1e-14);
  }
}

TEST(auto_solver, a_pushed_box_stays_symmetric_about_its_path) {
  for (double push : {0.2, 0.6, 3.0}) {
    const ContactProblem problem = box(push);
    Vec P(12);
    EXPECT_LT(make_solver("auto")->solve(problem, P).residual, 1e-13) << push;
    for (int k : {0, 2}) {  // mirror images in y
      EXPECT_NEAR(P[3 * k], P[3 * k + 3], 1e-12);
      EXPECT_NEAR(P[3 * k + 1], P[3 * k + 4], 1e-12);
      EXPECT_NEAR(P[3 * k + 2], -P[3 * k + 5], 1e-12);
    }
  }
}

TEST(auto_solver, dependent_joints_take_the_shortest_impulses) {
  ContactProblem problem;  // the same row twice
  problem.laws = {{Law::Kind::bilateral, 0, 1, 0.0}, {Law::Kind::bilateral, 1, 1, 0.0}};
  problem.G.dense(2).eigen() << 2, 2, 2, 2;
  problem.c = {-4.0, -4.0};
  Vec P(2);
  EXPECT_EQ(make_solver("auto")->solve(problem, P).status, SolveStatus::converged);
  EXPECT_NEAR(P[0], 1.0, 1e-14);
  EXPECT_NEAR(P[1], 1.0, 1e-14);
}

TEST(registry, unknown_names_are_refused_with_those_that_exist) {
  try {
    make_solver("gaus-seidel");
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("gauss-seidel"), std::string::npos);
  }
  EXPECT_THROW(make_solver("auto", {.tolerance = -1.0}), std::invalid_argument);
}

}  // namespace tappet
