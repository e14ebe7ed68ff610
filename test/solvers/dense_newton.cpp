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

// A cube at rest on its four lower corners, on a slope. Its twelve impulses are not unique.
struct CubeAtRest {
  ContactProblem problem;
  Eigen::MatrixXd G;
  CubeAtRest() : G(12, 12) {
    constexpr double half = 0.05, dt = 1e-3, mu = 0.5, slope = 0.17;
    Eigen::MatrixXd W(6, 12);
    Eigen::VectorXd inverse_mass(6);
    inverse_mass << 1.0, 1.0, 1.0, 600.0, 600.0, 600.0;
    for (int k = 0; k < 4; ++k) {
      const Eigen::Vector3d corner(k & 1 ? half : -half, k & 2 ? half : -half, -half);
      for (int i = 0; i < 3; ++i) {
        const Eigen::Vector3d direction = Eigen::Vector3d::Unit((i + 2) % 3);  // z, x, y
        W.col(3 * k + i) << direction, corner.cross(direction);
      }
      problem.laws.push_back({Law::Kind::contact, 3 * k, 3, mu});
    }
    G = W.transpose() * inverse_mass.asDiagonal() * W;
    std::copy_n(G.data(), G.size(), problem.G.dense(12).data());
    Eigen::VectorXd fall = Eigen::VectorXd::Zero(6);
    fall[0] = 9.81 * dt * std::sin(slope), fall[2] = -9.81 * dt * std::cos(slope);
    problem.c.resize(12);
    problem.c.eigen() = W.transpose() * fall;
  }
  Eigen::VectorXd shortest() const { return G.completeOrthogonalDecomposition().solve(-problem.c.eigen()); }
};

TEST(DenseNewton, CorrectsImpulsesAtRestWithTheFactorsOfTheLastSolution) {
  CubeAtRest cube;
  DenseNewton newton;
  Vec P(12), xi;
  EXPECT_GT(newton.solve(cube.problem, 12, P, xi).factorisations, 0);
  for (int step = 0; step < 20; ++step) {
    for (int i = 0; i < 12; ++i) cube.problem.c[i] *= 1.0 + 1e-9;
    const auto result = newton.solve(cube.problem, 12, P, xi);
    EXPECT_EQ(result.factorisations, 0);
    EXPECT_LE(result.residual, 1e-14);
    EXPECT_LE((P.eigen() - cube.shortest()).norm(), 1e-12 * P.eigen().norm());
  }
  newton.forget();
  cube.problem.c[0] *= 1.0 + 1e-9;
  EXPECT_GT(newton.solve(cube.problem, 12, P, xi).factorisations, 0);
}

// The cube becomes heavier between two solutions, so the last factors are wrong.
TEST(DenseNewton, DoesNotUseFactorsOfAnotherMatrix) {
  CubeAtRest cube;
  DenseNewton newton;
  Vec P(12), xi;
  newton.solve(cube.problem, 12, P, xi);
  cube.G *= 0.7;
  std::copy_n(cube.G.data(), cube.G.size(), cube.problem.G.dense(12).data());
  const auto result = newton.solve(cube.problem, 12, P, xi);
  EXPECT_GT(result.factorisations, 0);
  EXPECT_LE(result.residual, 1e-14);
  EXPECT_LE((P.eigen() - cube.shortest()).norm(), 1e-12 * P.eigen().norm());
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
