// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/coloured/coloured_sweeps.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <random>

#include "math/block_matrix.h"

namespace tappet {
namespace {

struct Heap {
  BlockMatrix M;
  ContactProblem problem;
};

// A wide layer of balls on the ground, each touching its neighbours and the ground: masses over a factor of 100, bodies
// turned at random, every seventh contact off the centre as that of a box.
Heap heap_of_balls(int side, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const int balls = side * side;
  Coupling coupling(6 * balls);
  const auto velocities = [](int b) {
    return std::array{6 * b, 6 * b + 1, 6 * b + 2, 6 * b + 3, 6 * b + 4, 6 * b + 5};
  };
  for (int b = 0; b < balls; ++b) coupling.tie(velocities(b));
  Heap heap{BlockMatrix(coupling, BlockMatrix::Kind::symmetric_positive), {}};
  std::vector<Eigen::Matrix3d> turn(balls);
  for (int b = 0; b < balls; ++b) {
    const double m = std::pow(10.0, 2.0 * (b % 5) / 4.0);
    for (int i = 0; i < 6; ++i) heap.M.add(6 * b + i, 6 * b + i, i < 3 ? m : 0.4 * m);
    turn[b] = Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random)).normalized();
  }
  EXPECT_TRUE(heap.M.factor());

  BlockRows W;
  ContactProblem& problem = heap.problem;
  std::vector<double> c;
  const auto touch = [&](int A, int B, Eigen::Vector3d n) {  // n from B to A; B < 0: the ground
    n.normalize();
    const Eigen::Vector3d s = n.unitOrthogonal(), t = n.cross(s);
    const Eigen::Vector3d off =
        problem.laws.size() % 7 == 6 ? Eigen::Vector3d(0.2 * s + 0.1 * t) : Eigen::Vector3d::Zero();
    std::vector<int> columns;
    for (int v : velocities(A)) columns.push_back(v);
    if (B >= 0)
      for (int v : velocities(B)) columns.push_back(v);
    const int width = static_cast<int>(columns.size());
    double* w = W.append(3, columns);
    int r = 0;
    for (const Eigen::Vector3d& row : {n, s, t}) {
      const Eigen::Vector3d spin_A = turn[A].transpose() * (off - n).cross(row);
      for (int i = 0; i < 3; ++i) w[r * width + i] = row[i], w[r * width + 3 + i] = spin_A[i];
      if (B >= 0) {
        const Eigen::Vector3d spin_B = -turn[B].transpose() * (off + n).cross(row);
        for (int i = 0; i < 3; ++i) w[r * width + 6 + i] = -row[i], w[r * width + 9 + i] = spin_B[i];
      }
      ++r;
    }
    const bool central = off.isZero();
    problem.laws.push_back({Law::Kind::contact, static_cast<int>(c.size()), 3, 0.3, {central, central && B >= 0}});
    for (int i = 0; i < 3; ++i) c.push_back(0.1 * normal(random) - (i == 0 && B < 0 ? 1.0 : 0.0));
  };
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) {
      touch(side * i + j, -1, {0.0, 0.0, 1.0});
      if (i > 0) touch(side * i + j, side * (i - 1) + j, {1.0, 0.1 * normal(random), 0.1 * normal(random)});
      if (j > 0) touch(side * i + j, side * i + j - 1, {0.1 * normal(random), 1.0, 0.1 * normal(random)});
    }
  problem.c.resize(static_cast<int>(c.size()));
  std::copy(c.begin(), c.end(), problem.c.begin());
  problem.G.assemble(heap.M, W, Delassus::Form::factored);
  return heap;
}

TEST(coloured_gauss_seidel, balls_by_fours_and_other_contacts_reach_a_solution_together) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Heap heap = heap_of_balls(7, seed);
    ColouredSweeps solver({.tolerance = 1e-10});
    Vec P;
    const SolveReport report = solver.solve(heap.problem, P);
    EXPECT_EQ(report.status, SolveStatus::converged);
    EXPECT_LE(residual(heap.problem, P), 1e-10) << "seed " << seed;
  }
}

TEST(coloured_gauss_seidel, has_the_same_bits_on_two_threads) {
  Heap heap = heap_of_balls(40, 7);
  const Execution two(2);
  Vec P, Q;
  ColouredSweeps({.tolerance = 1e-12, .max_iterations = 40}).solve(heap.problem, P);
  heap.problem.G.use(two);
  ColouredSweeps({.tolerance = 1e-12, .max_iterations = 40}).solve(heap.problem, Q);
  EXPECT_EQ(P, Q);
}

TEST(coloured_gauss_seidel, starts_where_it_ended_and_stays) {
  const Heap heap = heap_of_balls(7, 3);
  ColouredSweeps solver({.tolerance = 1e-10});
  Vec P;
  solver.solve(heap.problem, P);
  EXPECT_LE(solver.solve(heap.problem, P).iterations, 2);
}

}  // namespace
}  // namespace tappet
