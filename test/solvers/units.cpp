// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "problem/generator/generator.h"
#include "problems.h"
#include "solvers/collection.h"
#include "solvers/make_solver.h"

namespace tappet {

using test::Units;

constexpr Units rescalings[] = {{1e6, 1, 1}, {1e-6, 1, 1}, {1, 1e6, 1}, {1, 1e-6, 1}, {1, 1, 1e6}, {1, 1, 1e-6}};

// Cold starts. The report for every unit is compared with that of the first.
void expect_the_same(const ContactProblem& problem, const std::vector<int>& rotations, const std::string& name) {
  const auto solve = [&](const Units& units) {
    const ContactProblem here = test::in_units(problem, units, rotations);
    Vec P(here.size());
    return make_solver("auto")->solve(here, P);
  };
  const SolveReport first = solve({});
  EXPECT_EQ(first.status, SolveStatus::converged) << name;
  for (const Units& units : rescalings) {
    // Without rotations, changing the unit of length is the same as changing that of time, so one of them is enough.
    if (rotations.empty() && units.time != 1.0) continue;
    const SolveReport other = solve(units);
    EXPECT_EQ(other.status, SolveStatus::converged) << name;
    EXPECT_NEAR(other.iterations, first.iterations, 1)
        << name << ": mass × " << units.mass << ", length × " << units.length << ", time × " << units.time;
  }
}

class UnitsOfTheCollection : public testing::TestWithParam<test::Known> {};

TEST_P(UnitsOfTheCollection, do_not_matter) { expect_the_same(GetParam().read(), {}, GetParam().name); }

INSTANTIATE_TEST_SUITE_P(, UnitsOfTheCollection, testing::ValuesIn(test::collection), test::test_name);

TEST(units, of_generated_problems_do_not_matter) {
  for (const auto& [kind, difficulty] :
       {std::pair{"stack", 1e4}, {"wall", 2.0}, {"rods", 0.1}, {"arch", 0.12}, {"chain", 20.0}, {"wedge", 0.9}})
    expect_the_same(generate_problem(kind, difficulty, 6, std::string_view(kind) == "rods" ? 4 : 0), {}, kind);
}

TEST(units, of_small_problems_with_joints_do_not_matter_where_rows_turn_and_others_shift) {
  for (unsigned seed = 0; seed < 20; ++seed)
    expect_the_same(test::random_problem(seed, 30, {3, 3, 2}, {3, 2, 3}, 0.4), {2, 3, 5, 7}, std::to_string(seed));
}

TEST(units, of_dependent_joints_do_not_matter_where_rows_turn_and_others_shift) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    ContactProblem problem = test::random_problem(seed, 20, {3, 3, 3}, {3, 2, 3}, 0.4);
    // The third joint repeats what the first two require: shifts 0 and 3, turns 1 and 4.
    Mat T(problem.size(), problem.size());
    T.eigen().setIdentity();
    T(6, 6) = 0.0, T(6, 0) = 1.0, T(6, 3) = 2.0;
    T(7, 7) = 0.0, T(7, 1) = 1.0, T(7, 4) = -1.0;
    problem.G.dense(problem.size()).eigen() = (T.eigen() * problem.G.dense().eigen() * T.eigen().transpose()).eval();
    problem.c.eigen() = (T.eigen() * problem.c.eigen()).eval();
    expect_the_same(problem, {1, 4, 7}, std::to_string(seed));
  }
}

TEST(units, of_large_problems_with_joints_do_not_matter_where_rows_turn_and_others_shift) {
  for (unsigned seed = 0; seed < 3; ++seed) {
    ContactProblem problem = generate_problem("arch", 0.2, seed, 12);
    for (int k : {0, 1, 2, 3}) problem.laws[k].kind = Law::Kind::bilateral;  // a springing is built in
    expect_the_same(problem, {2, 4, 5, 9}, std::to_string(seed));
  }
}

}  // namespace tappet
