// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "problem/joints/held_contacts.h"

#include <gtest/gtest.h>

#include <random>

#include "math/block_matrix.h"
#include "solvers/make_solver.h"

namespace tappet {
namespace {

// A chain of planar bodies that hangs at the ground, with a contact between two bodies, contacts to the ground at some,
// and random directions.
struct HangingChain {
  static constexpr int bodies = 6, contacts = 4;
  BlockMatrix M;
  BlockRows W;
  ContactProblem whole;
  Vec u = Vec(3 * bodies);

  explicit HangingChain(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<> number(-1, 1);
    Coupling coupling(3 * bodies);
    for (int b = 0; b < bodies; ++b) coupling.tie(std::vector<int>{3 * b, 3 * b + 1, 3 * b + 2});
    M = BlockMatrix(coupling, BlockMatrix::Kind::symmetric_positive);
    for (int i = 0; i < 3 * bodies; ++i) M.add(i, i, 1.5 + number(random));
    M.factor();
    const auto append = [&](Law::Kind kind, const std::vector<int>& columns, double mu) {
      whole.laws.push_back({kind, W.rows(), 2, mu});
      double* values = W.append(2, columns);
      for (size_t i = 0; i < 2 * columns.size(); ++i) values[i] = number(random);
    };
    for (int b = 0; b < bodies; ++b) {
      std::vector<int> columns;
      for (int i = b == 0 ? 0 : 3 * b - 3; i < 3 * b + 3; ++i) columns.push_back(i);
      append(Law::Kind::bilateral, columns, 0.0);
    }
    append(Law::Kind::contact, {6, 7, 8, 12, 13, 14}, 0.2);
    for (int b : {1, 3, 5}) append(Law::Kind::contact, {3 * b, 3 * b + 1, 3 * b + 2}, 0.2);
    for (double& x : u) x = number(random);
    whole.G.assemble(M, W, Delassus::Form::dense);
    whole.c.resize(W.rows());
    W.multiply(u, whole.c);
  }
};

// The same velocities and impulses, whether the joints are part of the contact problem or eliminated.
TEST(HeldContacts, GiveTheImpulsesOfTheWholeProblem) {
  int pressed = 0;
  for (unsigned seed = 0; seed < 50; ++seed) {
    HangingChain chain(seed);
    const auto solver = make_solver("auto", {});
    Vec P, u = chain.u;
    const SolveReport report = solver->solve(chain.whole, P);
    ASSERT_EQ(report.status, SolveStatus::converged) << seed;
    chain.whole.G.add_velocity(P, u);

    JointElimination joints;
    HeldContacts held;
    ContactProblem problem;
    const bool stays = seed % 2 == 0;  // M̂, which is diagonal
    ASSERT_TRUE(joints.respond(chain.M, chain.W, chain.bodies, stays) && joints.factor(chain.W)) << seed;
    ASSERT_EQ(joints.reciprocals().empty(), !stays);
    Vec P_held(chain.W.rows()), u_held = chain.u, impulses;
    ASSERT_LE(joints.solve(chain.W, chain.whole.c.span(0, joints.rows()), P_held), 1e-12) << seed;
    for (int i = 0; i < u_held.size(); ++i) u_held[i] += joints.velocity()[i];
    ASSERT_TRUE(held.respond(joints, chain.M, chain.W, chain.W, problem.G)) << seed;
    problem.c.resize(2 * chain.contacts);
    for (int k = 0; k < chain.contacts; ++k) {
      problem.laws.push_back({Law::Kind::contact, 2 * k, 2, 0.2});
      for (int r = 0; r < 2; ++r) problem.c[2 * k + r] = rate(chain.W, chain.bodies + k, r, u_held);
    }
    ASSERT_EQ(solver->solve(problem, impulses).status, SolveStatus::converged) << seed;
    held.apply(impulses, u_held, P_held);
    EXPECT_LE((u_held.eigen() - u.eigen()).norm(), 1e-10 * u.eigen().norm()) << seed;
    EXPECT_LE((P_held.eigen() - P.eigen()).norm(), 1e-9 * P.eigen().norm()) << seed;
    for (int k = 0; k < chain.contacts; ++k) pressed += impulses[2 * k] > 0.0;
  }
  EXPECT_GT(pressed, 30);  // otherwise nothing was compared
}

// Two contacts with the same directions depend on each other, with or without joints.
TEST(HeldContacts, LeaveContactsThatDependOnEachOtherToTheSolver) {
  HangingChain chain(2);
  const int last = chain.bodies + chain.contacts - 1;
  double* again = chain.W.append(2, std::vector<int>{15, 16, 17});
  std::copy_n(chain.W.values(last), 6, again);
  JointElimination joints;
  HeldContacts held;
  Delassus G;
  ASSERT_TRUE(joints.respond(chain.M, chain.W, chain.bodies) && joints.factor(chain.W));
  EXPECT_TRUE(held.respond(joints, chain.M, chain.W, chain.W, G));
  for (int i = 0; i < G.size(); ++i) EXPECT_NEAR(G.dense()(i, G.size() - 1), G.dense()(i, G.size() - 3), 1e-14);
}

TEST(HeldContacts, SayIfAContactDependsOnTheJoints) {
  HangingChain chain(1);
  const double* joint = chain.W.values(0);  // over the three velocities of the first body
  BlockRows W;
  for (int k = 0; k < chain.bodies; ++k)
    std::copy_n(chain.W.values(k), 2 * chain.W.block(k).columns, W.append(2, chain.W.columns(k)));
  double* contact = W.append(1, std::vector<int>{0, 1, 2});
  for (int i = 0; i < 3; ++i) contact[i] = joint[i] - 3 * joint[3 + i];
  JointElimination joints;
  HeldContacts held;
  Delassus G;
  ASSERT_TRUE(joints.respond(chain.M, W, chain.bodies) && joints.factor(W));
  EXPECT_FALSE(held.respond(joints, chain.M, W, W, G));
}

}  // namespace
}  // namespace tappet
