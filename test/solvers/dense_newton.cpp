// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/dense/dense_newton.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "solvers/auto.h"

namespace tappet {
namespace {

struct Hyperstatic {
  ContactProblem problem;
  Vec P, start;  // a solution, and another point within a thousandth of it
};

// Twelve contacts on nine velocities: a third are open, a third stick and a third slide. The impulses and velocities of
// a solution are drawn first, and c follows from them. Eight pressing contacts are more than the bodies need, so the
// impulses are not unique.
Hyperstatic hyperstatic(std::mt19937& random) {
  constexpr int contacts = 12, rows = 3 * contacts, velocities = 9;
  constexpr double mu = 0.4;
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> share(0.0, 1.0);
  const auto draw = [&] { return normal(random); };
  const Eigen::MatrixXd W = Eigen::MatrixXd::NullaryExpr(velocities, rows, draw), G = W.transpose() * W;
  Hyperstatic result;
  auto& [problem, P, start] = result;
  P.resize(rows), start.resize(rows);
  Eigen::VectorXd xi = Eigen::VectorXd::Zero(rows);
  for (int k = 0; k < contacts; ++k) {
    const int N = 3 * k;
    const double angle = 2 * M_PI * share(random), press = k % 3 == 0 ? 0.0 : 0.5 + share(random);
    const double friction = k % 3 == 1 ? 0.9 * share(random) * mu * press : mu * press;
    P[N] = press, P[N + 1] = friction * std::cos(angle), P[N + 2] = friction * std::sin(angle);
    if (k % 3 == 0) xi[N] = share(random);
    const double slip = k % 3 == 2 ? share(random) : 0.0;
    xi[N + 1] = -slip * std::cos(angle), xi[N + 2] = -slip * std::sin(angle);
    problem.laws.push_back({Law::Kind::contact, N, 3, mu});
  }
  std::copy_n(G.data(), rows * rows, problem.G.dense(rows).data());
  problem.c.resize(rows);
  problem.c.eigen() = xi - G * P.eigen();
  for (int i = 0; i < rows; ++i) start[i] = P[i] * (1.0 + 1e-3 * draw());
  return result;
}

TEST(DenseNewton, NearestImpulsesKeepTheStatusesOfAGoodStart) {
  std::mt19937 random(1);
  DenseNewton newton;
  int solved = 0, shortest = 0;
  for (int k = 0; k < 200; ++k) {
    const Hyperstatic one = hyperstatic(random);
    Vec P = one.start, xi;
    const auto nearest = newton.solve(one.problem, 12, P, xi, DenseNewton::Choice::nearest);
    if (nearest.residual > 1e-12) continue;
    ++solved;
    EXPECT_LE((P.eigen() - one.P.eigen()).norm(), 0.02 * one.P.eigen().norm()) << k;
    P = one.start;
    shortest += newton.solve(one.problem, 12, P, xi).residual <= 1e-12;
  }
  EXPECT_GE(solved, 195);
  EXPECT_LE(shortest, 100);  // otherwise these problems show nothing
}

// The shortest impulses fail, and no other member of the chain is needed.
TEST(Auto, ImpulsesThatAreNotUniqueAreFoundNearTheStart) {
  std::mt19937 random(1);
  Auto solver{SolverOptions{}};
  int by_newton = 0;
  for (int k = 0; k < 200; ++k) {
    Hyperstatic one = hyperstatic(random);
    const SolveReport report = solver.solve(one.problem, one.start);
    EXPECT_EQ(report.status, SolveStatus::converged) << k;
    by_newton += report.solver == 0;
  }
  EXPECT_GE(by_newton, 195);
}

}  // namespace
}  // namespace tappet
