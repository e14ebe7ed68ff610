// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <vector>

#include "problem/contact_problem.h"

namespace tappet::test {

// A problem on `velocities` unit masses with random directions: joints of the given rows, then contacts.
inline ContactProblem random_problem(unsigned seed, int velocities, const std::vector<int>& joints,
                                     const std::vector<int>& contact_rows, double mu) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  ContactProblem problem;
  int n = 0;
  for (int rows : joints) problem.laws.push_back({Law::Kind::bilateral, n, rows, 0.0}), n += rows;
  for (int rows : contact_rows) problem.laws.push_back({Law::Kind::contact, n, rows, mu}), n += rows;
  Mat W(velocities, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < velocities; ++i) W(i, j) = normal(random);
  problem.G.dense(n).eigen() = W.eigen().transpose() * W.eigen();
  Vec u(velocities);
  for (double& x : u) x = normal(random);
  problem.c.resize(n);
  problem.c.eigen() = W.eigen().transpose() * u.eigen();  // in the range of G: joints can be satisfied
  return problem;
}

// The same numbers in other units: ξ_i × s_i and, with the unit of energy E = m l²/t², G_ij × s_i s_j / E and P_i × E /
// s_i. s is l/t for translations and 1/t for the rows listed as rotations. The factors are not converted.
struct Units {
  double mass = 1.0, length = 1.0, time = 1.0;
};

inline ContactProblem in_units(const ContactProblem& problem, const Units& units,
                               const std::vector<int>& rotations = {}) {
  Vec s(problem.size());
  for (double& x : s) x = units.length / units.time;
  for (int i : rotations) s[i] = 1.0 / units.time;
  const double energy = units.mass * units.length * units.length / (units.time * units.time);
  ContactProblem other = problem;
  if (problem.G.form() == Delassus::Form::dense) {
    const Mat copy = problem.G.dense();
    Mat& G = other.G.dense(copy.rows());
    for (int j = 0; j < copy.cols(); ++j)
      for (int i = 0; i < copy.rows(); ++i) G(i, j) = copy(i, j) * s[i] * s[j] / energy;
  } else {
    const SparseColumns copy = problem.G.sparse();
    SparseColumns& S = other.G.sparse(problem.size());
    S = copy;
    for (int j = 0; j < problem.size(); ++j)
      for (int e = S.start[j]; e < S.start[j + 1]; ++e) S.value[e] *= s[S.row[e]] * s[j] / energy;
  }
  for (int i = 0; i < problem.size(); ++i) other.c[i] *= s[i];
  return other;
}

inline ContactProblem without_factors(const ContactProblem& problem) { return in_units(problem, {}); }

}  // namespace tappet::test
