// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "problem/fclib.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "problem/fclib_file.h"
#include "support/paths.h"

namespace tappet {

const std::string folder = test::data() + "/problems/";

std::string complaint(const std::string& path) {
  try {
    read_fclib(path);
  } catch (const ProblemFileError& error) {
    return error.what();
  }
  return "";
}

struct Scratch {
  std::string path = (std::filesystem::temp_directory_path() /
                      ("tappet_problem_" + std::to_string(getpid()) + "_" + std::to_string(std::rand()) + ".hdf5"))
                         .string();
  ~Scratch() { std::filesystem::remove(path); }
};

// A 2D problem of one contact, with one error at a time.
struct Parts {
  std::vector<int> m{2}, n{2}, nz{-2}, p{0, 1, 2}, i{0, 1}, dimension{2};
  std::vector<double> x{1, 1}, q{-1, 0}, mu{0.5};
  void write(const std::string& path) const {
    FclibWriter file(path);
    for (const char* group : {"/fclib_local", "/fclib_local/W", "/fclib_local/vectors"}) file.group(group);
    file.integers("/fclib_local/W/m", m), file.integers("/fclib_local/W/n", n), file.integers("/fclib_local/W/nz", nz);
    file.integers("/fclib_local/W/p", p), file.integers("/fclib_local/W/i", i), file.numbers("/fclib_local/W/x", x);
    file.integers("/fclib_local/spacedim", dimension);
    file.numbers("/fclib_local/vectors/q", q), file.numbers("/fclib_local/vectors/mu", mu);
  }
};

TEST(fclib, every_problem_of_the_collection_is_read) {
  const std::vector<std::pair<std::string, int>> contacts_of = {
      {"CubesH8-FEM-9", 9},  {"Rover-4", 4},           {"Spheres-356", 356},      {"Confeti-54", 54},
      {"PerioBox-60", 60},   {"KaplasTower-570", 570}, {"OneObject-24", 24},      {"Capsules-296", 296},
      {"BoxesStack-52", 52}, {"SpheresBox-256", 256},  {"synthetic-wall_k2", 364}};
  for (const auto& [name, count] : contacts_of) {
    const ContactProblem problem = read_fclib(folder + name + ".hdf5");
    EXPECT_EQ(contacts(problem), count) << name;
    EXPECT_EQ(problem.size(), 3 * count) << name;
    EXPECT_EQ(fault(problem), "") << name;
  }
}

TEST(fclib, a_correct_file_gives_its_numbers) {
  Scratch scratch;
  Parts().write(scratch.path);
  const ContactProblem problem = read_fclib(scratch.path);
  EXPECT_EQ(problem.c[0], -1.0);
  EXPECT_EQ(problem.G.dense()(1, 1), 1.0);
  EXPECT_EQ(problem.laws, (Laws{{Law::Kind::contact, 0, 2, 0.5}}));
}

TEST(fclib, triplets_and_columns_mean_the_same) {
  Parts parts;
  parts.x = {2, 3, 1}, parts.p = {0, 2, 3}, parts.i = {0, 1, 1};
  Scratch rows, columns, triplets;
  parts.write(rows.path);
  parts.nz = {-1}, parts.x = {2, 3, 1}, parts.p = {0, 1, 3}, parts.i = {0, 0, 1};
  parts.write(columns.path);
  parts.nz = {3}, parts.p = {0, 1, 1}, parts.i = {0, 0, 1};  // i the row, p the column
  parts.write(triplets.path);
  for (const auto& path : {rows.path, columns.path, triplets.path}) {
    const ContactProblem problem = read_fclib(path);
    EXPECT_EQ(problem.G.dense()(0, 1), 3.0) << path;
    EXPECT_EQ(problem.G.dense()(1, 0), 0.0) << path;
  }
}

TEST(fclib, broken_files_are_refused_with_place_and_expectation) {
  Scratch scratch;
  const auto broken = [&](auto&& spoil) {
    Parts parts;
    spoil(parts);
    parts.write(scratch.path);
    return complaint(scratch.path);
  };
  const auto names = [](const std::string& text, std::initializer_list<const char*> parts) {
    for (const char* part : parts)
      if (text.find(part) == std::string::npos)
        return testing::AssertionFailure() << '"' << text << "\" lacks " << part;
    return testing::AssertionSuccess();
  };
  EXPECT_TRUE(names(broken([](Parts& p) { p.q = {1}; }), {"/fclib_local/vectors/q", "1 entries", "expected 2"}));
  EXPECT_TRUE(names(broken([](Parts& p) { p.i = {0, 7}; }), {"/W/i", "entry 1 is 7", "0 … 1"}));
  EXPECT_TRUE(names(broken([](Parts& p) { p.p = {0, 2, 1}; }), {"/W/p", "ascend"}));
  EXPECT_TRUE(names(broken([](Parts& p) { p.p = {0, 2}; }), {"/W/p", "2 entries, expected 3"}));
  EXPECT_TRUE(names(broken([](Parts& p) { p.x = {1}; }), {"/W", "i, x have 2, 1"}));
  EXPECT_TRUE(names(broken([](Parts& p) { p.nz = {-7}; }), {"/W/nz", "-7"}));
  EXPECT_TRUE(names(broken([](Parts& p) { p.nz = {5}; }), {"/W", "nz = 5"}));
  EXPECT_TRUE(names(broken([](Parts& p) { p.m = {-2}; }), {"/W", "-2"}));
  EXPECT_TRUE(names(broken([](Parts& p) { p.dimension = {4}; }), {"spacedim", "expected 2 or 3"}));
  EXPECT_TRUE(names(broken([](Parts& p) { p.dimension = {2, 3}; }), {"spacedim", "expected 1"}));
  EXPECT_TRUE(names(broken([](Parts& p) { p.mu = {-0.1}; }), {"mu", "-0.1"}));
  EXPECT_TRUE(names(broken([](Parts& p) { p.mu = {0.1, 0.1}; }), {"2 friction coefficients", "expected 2"}));
  EXPECT_TRUE(names(broken([](Parts& p) { p.x[1] = std::nan(""); }), {"/W/x", "entry 1 is nan"}));
  EXPECT_TRUE(names(broken([](Parts& p) { p.q[0] = HUGE_VAL; }), {"/q", "inf"}));
  { FclibWriter file(scratch.path); }
  EXPECT_TRUE(names(complaint(scratch.path), {"holds no problem"}));
  {
    FclibWriter file(scratch.path);
    file.group("/fclib_local"), file.group("/fclib_local/W");
    file.numbers("/fclib_local/W/m", {2.0});
  }
  EXPECT_TRUE(names(complaint(scratch.path), {"/W/m", "wrong type", "integers"}));
  {
    FclibWriter file(scratch.path);
    file.group("/fclib_local");
  }
  EXPECT_TRUE(names(complaint(scratch.path), {"/fclib_local/W", "missing"}));
  EXPECT_TRUE(names(complaint("/nowhere/at_all.hdf5"), {"no such file"}));
  EXPECT_TRUE(names(complaint(std::filesystem::temp_directory_path().string()), {"directory"}));
  std::ofstream(scratch.path) << "solid cube\n";
  EXPECT_TRUE(names(complaint(scratch.path), {"not an HDF5 file"}));
}

TEST(fclib, a_truncated_file_is_refused_at_any_length) {
  std::ifstream in(folder + "Rover-4.hdf5", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  for (size_t length = 0; length < bytes.size(); length += 503) {
    Scratch scratch;
    std::ofstream(scratch.path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(length));
    EXPECT_NE(complaint(scratch.path), "") << length << " of " << bytes.size();
  }
}

}  // namespace tappet
