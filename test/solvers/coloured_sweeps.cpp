// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/coloured/coloured_sweeps.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
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

struct Kind {
  bool has_others = true;    // every seventh contact is off the centre as that of a box
  bool has_ceiling = false;  // which every ball touches, but not its neighbours
  double unit_of_mass = 1.0, unit_of_c = 1.0;
};

// A wide layer of balls on the ground, each touching its neighbours and the ground: masses over a factor of 100, bodies
// turned at random.
Heap heap_of_balls(int side, unsigned seed, const Kind& kind = {}) {
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
    const double m = kind.unit_of_mass * std::pow(10.0, 2.0 * (b % 5) / 4.0);
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
    const bool is_off = kind.has_others && problem.laws.size() % 7 == 6;
    const Eigen::Vector3d off = is_off ? Eigen::Vector3d(0.2 * s + 0.1 * t) : Eigen::Vector3d::Zero();
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
    const double falls = B >= 0 ? (kind.has_ceiling ? -10.0 : 0.0) : n.z() > 0.0 ? 1.0 : 0.0;
    problem.laws.push_back({Law::Kind::contact, static_cast<int>(c.size()), 3, 0.3, {!is_off, !is_off && B >= 0}});
    for (int i = 0; i < 3; ++i) c.push_back(kind.unit_of_c * (0.1 * normal(random) - (i == 0 ? falls : 0.0)));
  };
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) {
      touch(side * i + j, -1, {0.0, 0.0, 1.0});
      if (kind.has_ceiling) {
        const double c_floor = c[c.size() - 3];
        touch(side * i + j, -1, {0.0, 0.0, -1.0});
        c[c.size() - 3] = -c_floor;
      }
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

TEST(coloured_gauss_seidel, balls_alone_reach_a_loose_tolerance_in_single_precision) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Heap heap = heap_of_balls(9, seed, {.has_others = false});
    ColouredSweeps solver({.tolerance = 1e-4});
    Vec P;
    EXPECT_EQ(solver.solve(heap.problem, P).status, SolveStatus::converged);
    EXPECT_LE(residual(heap.problem, P), 1e-4) << "seed " << seed;
    // Its numbers have 24 bits apart from the power of two of the units, so it was really single precision.
    EXPECT_TRUE(std::all_of(P.begin(), P.end(), [](double x) { return x == static_cast<float>(x); }));
  }
}

// Impulses of 1e-30 times the usual size would vanish in single precision.
TEST(coloured_gauss_seidel, single_precision_does_not_depend_on_units) {
  const Kind small{.has_others = false, .unit_of_mass = std::exp2(-60), .unit_of_c = std::exp2(-90)};
  const Heap usual = heap_of_balls(9, 1, {.has_others = false}), scaled = heap_of_balls(9, 1, small);
  Vec P, Q;
  const SolveReport report = ColouredSweeps({.tolerance = 1e-5}).solve(usual.problem, P);
  EXPECT_EQ(ColouredSweeps({.tolerance = 1e-5}).solve(scaled.problem, Q).iterations, report.iterations);
  for (int i = 0; i < P.size(); ++i) EXPECT_EQ(std::exp2(-150) * P[i], Q[i]);
}

// Balls that are squeezed between floor and ceiling by impulses a million times those of their weight: rounded to
// single precision, these impulses leave an error above the tolerance.
TEST(coloured_gauss_seidel, uses_double_precision_where_single_precision_does_not_suffice) {
  const Heap heap = heap_of_balls(9, 1, {.has_others = false, .has_ceiling = true});
  Vec P(heap.problem.size());
  for (const Law& law : heap.problem.laws)
    if (!law.balls.second) P[law.row] = 1e6;
  ColouredSweeps solver({.tolerance = 1e-5});
  EXPECT_EQ(solver.solve(heap.problem, P).status, SolveStatus::converged);
  EXPECT_LE(residual(heap.problem, P), 1e-5);
  EXPECT_GE(P[heap.problem.laws[0].row], 1e5);
}

TEST(coloured_gauss_seidel, has_the_same_bits_on_two_threads) {
  for (const bool has_others : {false, true})  // in single and in double precision
    for (const double tolerance : {1e-12, 1.1e-5}) {
      Heap heap = heap_of_balls(40, 7, {.has_others = has_others});
      const Execution two(2);
      Vec P, Q;
      ColouredSweeps({.tolerance = tolerance, .max_iterations = 40}).solve(heap.problem, P);
      heap.problem.G.use(two);
      ColouredSweeps({.tolerance = tolerance, .max_iterations = 40}).solve(heap.problem, Q);
      EXPECT_EQ(P, Q);
    }
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
