// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "problem/generator/generator.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "problem/fclib.h"

namespace tappet {

TEST(generator, every_kind_gives_a_sound_problem_and_the_same_one_twice) {
  for (const ProblemKind& kind : problem_kinds()) {
    const ContactProblem a = generate_problem(kind.name, kind.easy, 4), b = generate_problem(kind.name, kind.easy, 4);
    EXPECT_EQ(fault(a), "") << kind.name;
    EXPECT_GT(contacts(a), 0) << kind.name;
    EXPECT_EQ(a.c, b.c) << kind.name;
    EXPECT_FALSE(a.c == generate_problem(kind.name, kind.easy, 5).c) << kind.name;
  }
}

TEST(generator, refuses_what_it_does_not_know) {
  EXPECT_THROW(generate_problem("pyramid", 1.0, 0), std::invalid_argument);
  EXPECT_THROW(generate_problem("stack", -1.0, 0), std::invalid_argument);
  EXPECT_THROW(generate_problem("chain", 0.5, 0), std::invalid_argument);
}

std::string scratch_file() {
  const std::string name = "tappet_round_trip_" + std::to_string(getpid()) + ".hdf5";
  return (std::filesystem::temp_directory_path() / name).string();
}

TEST(fclib, what_is_written_is_read_back) {
  const std::string path = scratch_file();
  for (bool joints : {false, true}) {
    ContactProblem problem = generate_problem("arch", 0.2, 1, 7);
    if (joints) problem.laws[0].kind = Law::Kind::bilateral;
    write_fclib(path, problem, "title", "description");
    const ContactProblem back = read_fclib(path);
    std::filesystem::remove(path);
    ASSERT_EQ(back.size(), problem.size());
    EXPECT_EQ(back.c, problem.c);
    EXPECT_EQ(contacts(back), contacts(problem));
    Vec P(problem.size()), xi(problem.size()), xi_back(problem.size());
    for (int i = 0; i < P.size(); ++i) P[i] = 1.0 + i % 7;
    problem.G.multiply(P, xi), back.G.multiply(P, xi_back);
    for (int i = 0; i < P.size(); ++i) EXPECT_NEAR(xi[i], xi_back[i], 1e-12 * (1.0 + std::abs(xi[i])));
  }
}

TEST(fclib, the_global_layout_brings_the_bodies_back) {
  const std::string path = scratch_file();
  for (bool joints : {false, true}) {
    FreeMotion motion;
    ContactProblem problem = generate_problem("arch", 0.2, 1, 20, motion);
    if (joints) problem.laws[0].kind = Law::Kind::bilateral;
    write_fclib(path, problem, "title", "description", &motion);
    const ContactProblem back = read_fclib(path);
    std::filesystem::remove(path);
    ASSERT_EQ(back.size(), problem.size());
    EXPECT_TRUE(back.G.has_factors());
    EXPECT_EQ(back.G.velocities(), motion.u_free.size());
    Vec P(problem.size()), xi(problem.size()), xi_back(problem.size());
    for (int i = 0; i < P.size(); ++i) {
      P[i] = 1.0 + i % 7;
      EXPECT_NEAR(back.c[i], problem.c[i], 1e-15);
    }
    problem.G.multiply(P, xi), back.G.multiply(P, xi_back);
    for (int i = 0; i < P.size(); ++i) EXPECT_NEAR(xi[i], xi_back[i], 1e-12 * (1.0 + std::abs(xi[i])));
  }
}

}  // namespace tappet
