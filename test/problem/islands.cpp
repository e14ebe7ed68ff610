// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "problem/islands.h"

#include <gtest/gtest.h>

#include <random>

#include "problem/generator/generated_scene.h"

namespace tappet {
namespace {

// Two stacks side by side whose contacts are mixed: laws of both alternate.
struct TwoStacks {
  ContactProblem problem;
  std::vector<int> low, high;  // the laws of each stack
};

TwoStacks two_stacks(Delassus::Form form) {
  constexpr int each = 15;
  struct Unit final : Inertia {
    std::vector<int> velocities;
    Unit() {
      for (int v = 0; v < 60; ++v) velocities.push_back(v);
    }
    int size() const override { return 60; }
    void solve(std::span<double>) const override {}
    int block_count() const override { return 20; }
    int block_of(int velocity) const override { return velocity / 3; }
    std::span<const int> block(int b) const override { return std::span(velocities).subspan(3 * b, 3); }
    void solve_block(int, std::span<double>) const override {}
    bool symmetric() const override { return true; }
  };
  static const Unit inertia;
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  TwoStacks stacks;
  ContactProblem& problem = stacks.problem;
  BlockRows W;
  for (int k = 0; k < 2 * each; ++k) {
    const int stack = k % 2, body = k / 2 % 10;  // bodies 0 … 9 and 10 … 19; the last contacts touch one body
    (stack ? stacks.high : stacks.low).push_back(k);
    std::vector<int> columns;
    for (int b : {body, body + 1})
      for (int i = 0; i < 3 && b < 10; ++i) columns.push_back(30 * stack + 3 * b + i);
    problem.laws.push_back({Law::Kind::contact, W.rows(), 3, 0.4});
    double* w = W.append(3, columns);
    for (size_t i = 0; i < 3 * columns.size(); ++i) w[i] = normal(random);
  }
  problem.c.resize(W.rows());
  for (double& c : problem.c) c = normal(random);
  problem.G.assemble(inertia, W, form);
  return stacks;
}

void expect_two(Islands& islands, const TwoStacks& stacks) {
  ASSERT_EQ(islands.find(stacks.problem), 2);
  for (int i = 0; i < 2; ++i) {
    const auto laws = islands.laws(i);
    EXPECT_EQ(std::vector<int>(laws.begin(), laws.end()), i == 0 ? stacks.low : stacks.high);
    EXPECT_EQ(islands.rows(i), 45);
  }
  EXPECT_EQ(islands.largest(), 45);
}

}  // namespace

TEST(islands, contacts_that_share_no_body_fall_apart) {
  for (const auto form : {Delassus::Form::sparse, Delassus::Form::factored}) {
    const TwoStacks stacks = two_stacks(form);
    Islands islands;
    expect_two(islands, stacks);
    EXPECT_EQ(islands.key(0), 0);
    EXPECT_EQ(islands.key(1), 10);  // blocks of the second stack
  }
}

TEST(islands, are_seen_from_the_columns_of_an_operator_without_factors) {
  TwoStacks stacks = two_stacks(Delassus::Form::sparse);
  const SparseColumns columns = stacks.problem.G.sparse();
  stacks.problem.G.sparse(stacks.problem.size()) = columns;
  ASSERT_FALSE(stacks.problem.G.has_factors());
  Islands islands;
  expect_two(islands, stacks);
}

TEST(islands, one_shared_body_makes_one_island) {
  std::mt19937 random(1);
  FreeMotion motion;
  GeneratedScene scene = wall(2.0, 6, random);
  Islands islands;
  EXPECT_EQ(islands.find(scene.problem(random, motion)), 1);
  scene.add(wall(2.0, 6, random));
  EXPECT_EQ(islands.find(scene.problem(random, motion)), 2);
  scene.touch(0, static_cast<int>(motion.u_free.size()) / 6 - 1, {0, 0, 0}, {1, 0, 0}, 0.5);
  EXPECT_EQ(islands.find(scene.problem(random, motion)), 1);
}

TEST(islands, a_part_of_the_operator_has_the_entries_of_its_rows) {
  for (const auto form : {Delassus::Form::sparse, Delassus::Form::factored})
    for (const auto wanted : {Delassus::Form::dense, form}) {
      const TwoStacks stacks = two_stacks(form);
      const ContactProblem& whole = stacks.problem;
      Delassus::Places places;
      places.start(whole.G);
      Delassus part;
      for (const auto& which : {stacks.low, stacks.high}) {
        part.take_part(whole.G, whole.laws, which, wanted, places);
        ASSERT_EQ(part.size(), 45);
        double trace = 0.0;
        for (int r = 0; r < 45; ++r) trace += whole.G.diagonal(whole.laws[which[r / 3]].row + r % 3);
        EXPECT_NEAR(part.trace(), trace, 1e-12 * trace);
        Vec P(45), xi(45), P_whole(whole.size()), xi_whole(whole.size());
        for (int r = 0; r < 45; ++r) P[r] = P_whole[whole.laws[which[r / 3]].row + r % 3] = 0.1 * r - 1.0;
        part.multiply(P, xi), whole.G.multiply(P_whole, xi_whole);
        for (int r = 0; r < 45; ++r) EXPECT_NEAR(xi[r], xi_whole[whole.laws[which[r / 3]].row + r % 3], 1e-12);
      }
    }
}

}  // namespace tappet
