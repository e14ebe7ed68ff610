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

}  // namespace tappet::test
