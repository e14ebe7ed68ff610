// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "math/lemke.h"
#include "solvers/collection.h"

namespace tappet {
namespace {

using End = Lemke::End;

constexpr int trials = 10'000;

struct Lcp {
  Mat M;
  Vec q;
  bool solvable = true;  // known to have a solution that Lemke's method reaches
};

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double normal() { return normal_(engine_); }
  int integer(int low, int high) { return std::uniform_int_distribution(low, high)(engine_); }
  Mat matrix(int rows, int cols) {
    Mat A(rows, cols);
    for (int i = 0; i < rows * cols; ++i) A.data()[i] = normal();
    return A;
  }
  Vec vector(int n) {
    Vec x(n);
    for (double& e : x) e = normal();
    return x;
  }

 private:
  std::mt19937 engine_;
  std::normal_distribution<double> normal_;
};

// q = w − M z with random complementary z, w ≥ 0: a problem with a solution.
void make_feasible(Random& random, Lcp& p) {
  const int n = p.M.rows();
  Vec z(n), w(n);
  for (int i = 0; i < n; ++i) (random.integer(0, 1) ? z : w)[i] = std::abs(random.normal());
  p.q.resize(n);
  p.q.eigen() = w.eigen() - p.M.eigen() * z.eigen();
}

Lcp positive_definite(Random& random, int n) {
  const Mat A = random.matrix(n, n);
  Lcp p{Mat(n, n), random.vector(n)};
  p.M.eigen() = A.eigen() * A.eigen().transpose() + 0.01 * Eigen::MatrixXd::Identity(n, n);
  return p;
}

Lcp positive_not_symmetric(Random& random, int n) {
  Lcp p = positive_definite(random, n);
  const Mat B = random.matrix(n, n);
  p.M.eigen() += B.eigen() - B.eigen().transpose();
  return p;
}

Lcp semidefinite(Random& random, int n) {
  const int rank = std::max(1, n / 2);
  const Mat A = random.matrix(n, rank);
  Lcp p{Mat(n, n), {}};
  p.M.eigen() = A.eigen() * A.eigen().transpose();
  make_feasible(random, p);
  return p;
}

Lcp skew(Random& random, int n) {  // linear programs
  Lcp p{Mat(n, n), {}};
  const Mat B = random.matrix(n, n);
  p.M.eigen() = B.eigen() - B.eigen().transpose();
  make_feasible(random, p);
  return p;
}

// triangular with positive diagonal, rows with mixed signs, so it is not definite
Lcp p_matrix(Random& random, int n) {
  Lcp p{Mat(n, n), random.vector(n)};
  p.M.set_zero();
  for (int i = 0; i < n; ++i) {
    p.M(i, i) = 0.1 + std::abs(random.normal());
    for (int j = 0; j < i; ++j) p.M(i, j) = 3 * random.normal();
  }
  return p;
}

Lcp degenerate(Random& random, int n) {  // small integers: ties in nearly every ratio test, repeated rows, zeros in q
  Lcp p{Mat(n, n), Vec(n)};
  Eigen::MatrixXd A(n, std::max(1, n - 1));
  for (int i = 0; i < A.size(); ++i) A.data()[i] = random.integer(-1, 1);
  if (n > 1) A.row(n - 1) = A.row(0);
  p.M.eigen() = A * A.transpose();
  Vec z(n), w(n);
  for (int i = 0; i < n; ++i) (random.integer(0, 1) ? z : w)[i] = random.integer(0, 1);
  p.q.eigen() = w.eigen() - p.M.eigen() * z.eigen();
  return p;
}

// Planar frictional contacts on a few velocities: G symmetric semidefinite, the cone rows of Stewart and Trinkle.
Lcp friction(Random& random, int n) {
  const int contacts = std::max(1, n / 4), velocities = 3;
  const Mat N = random.matrix(contacts, velocities), T = random.matrix(contacts, velocities);
  const Vec u = random.vector(velocities);
  const int size = 4 * contacts;
  Eigen::MatrixXd X = Eigen::MatrixXd::Zero(size, velocities);
  for (int k = 0; k < contacts; ++k) {
    X.row(4 * k) = N.eigen().row(k);
    X.row(4 * k + 1) = T.eigen().row(k);
    X.row(4 * k + 2) = -T.eigen().row(k);
  }
  Lcp p{Mat(size, size), Vec(size)};
  p.M.eigen() = X * X.transpose();
  p.q.eigen() = X * u.eigen();  // rest is admissible: 0 = u + Xᵀz has ξ = 0
  for (int k = 0; k < contacts; ++k) {
    p.M(4 * k + 3, 4 * k) = std::abs(random.normal());
    for (int j : {1, 2}) p.M(4 * k + 3, 4 * k + j) = -1, p.M(4 * k + j, 4 * k + 3) = 1;
  }
  return p;
}

Lcp any(Random& random, int n) { return {random.matrix(n, n), random.vector(n), false}; }

Lcp any_integers(Random& random, int n) {
  Lcp p{Mat(n, n), Vec(n), false};
  for (int i = 0; i < n * n; ++i) p.M.data()[i] = random.integer(-2, 2);
  for (double& x : p.q) x = random.integer(-2, 2);
  return p;
}

struct Class {
  std::string name;
  Lcp (*make)(Random&, int);
};

// w = M z + q, w ≥ 0, z ≥ 0, wᵀz = 0, in units of the numbers of the problem.
double violation(const Lcp& p, const Vec& z) {
  const Eigen::VectorXd w = p.M.eigen() * z.eigen() + p.q.eigen();
  const double size =
      p.q.eigen().cwiseAbs().maxCoeff() + (p.M.eigen().cwiseAbs() * z.eigen().cwiseAbs()).maxCoeff() + 1e-300;
  const double z_size = std::max(1e-300, z.eigen().cwiseAbs().maxCoeff());
  double worst = 0;
  for (int i = 0; i < z.size(); ++i)
    worst = std::max({worst, -w[i] / size, -z[i] / z_size, std::min(w[i] / size, z[i] / z_size)});
  return worst;
}

class LemkeClasses : public testing::TestWithParam<Class> {};
INSTANTIATE_TEST_SUITE_P(, LemkeClasses,
                         testing::Values(Class{"positive_definite", positive_definite},
                                         Class{"positive_not_symmetric", positive_not_symmetric},
                                         Class{"semidefinite", semidefinite}, Class{"skew", skew},
                                         Class{"p_matrix", p_matrix}, Class{"degenerate", degenerate},
                                         Class{"friction", friction}, Class{"any", any},
                                         Class{"any_integers", any_integers}),
                         [](const auto& info) { return info.param.name; });

TEST_P(LemkeClasses, ten_thousand_are_right_or_reported_and_never_cycle) {
  Random random(20060101);
  Lemke lemke;
  Vec z, w;
  int solved = 0, wrong = 0, limits = 0, missed = 0, most_pivots = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const Lcp p = GetParam().make(random, 1 + trial % 12);
    const Lemke::Report report = lemke.solve(p.M, p.q, z, w);
    most_pivots = std::max(most_pivots, report.pivots);
    limits += report.end == End::pivot_limit;
    if (report.end == End::solution) {
      ++solved;
      // If a point is not a solution, the residual must show it.
      wrong += violation(p, z) > 1e-7 && report.residual < 1e-9;
      missed += p.solvable && violation(p, z) > 1e-7;
    } else if (p.solvable) {
      ++missed;
    }
  }
  EXPECT_EQ(limits, 0);
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(missed, 0) << solved << " solved";
  RecordProperty("most_pivots", most_pivots);
}

// The normal rows of a contact problem without friction: 0 ≤ G_NN P_N + c_N ⊥ P_N ≥ 0. Problems with joints are left
// out.
Lcp frictionless(const ContactProblem& problem) {
  std::vector<int> rows;
  for (const Law& law : problem.laws) rows.push_back(law.row);
  const int n = static_cast<int>(rows.size());
  Lcp p{Mat(n, n), Vec(n)};
  Vec unit(problem.size()), column(problem.size());
  for (int j = 0; j < n; ++j) {
    p.q[j] = problem.c[rows[j]];
    unit[rows[j]] = 1;
    problem.G.multiply(unit, column);
    unit[rows[j]] = 0;
    for (int i = 0; i < n; ++i) p.M(i, j) = column[rows[i]];
  }
  return p;
}

class LemkeCollection : public testing::TestWithParam<test::Known> {};
INSTANTIATE_TEST_SUITE_P(, LemkeCollection, testing::ValuesIn(test::collection), test::test_name);

TEST_P(LemkeCollection, frictionless_part_is_solved) {
  const ContactProblem problem = GetParam().read();
  const Lcp p = frictionless(problem);
  Lemke lemke;
  Vec z, w;
  const Lemke::Report report = lemke.solve(p.M, p.q, z, w);
  EXPECT_EQ(report.end, End::solution) << report.pivots << " pivots of " << p.q.size() << " unknowns";
  EXPECT_LT(violation(p, z), 1e-8);
}

}  // namespace
}  // namespace tappet
