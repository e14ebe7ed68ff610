// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "solvers/contact_system.h"
#include "solvers/scaled_problem.h"

namespace tappet {

// What the stages of the chain share: the scaled problem, one factorisation, the best point, the budget.
struct ChainState {
  ScaledProblem problem;
  ContactSystem system;
  Vec best_r;
  double best = 0.0, tolerance = 1e-8;
  int factorisations = 0;
  std::chrono::steady_clock::time_point deadline;

  bool done() const { return best <= tolerance; }
  bool late() const { return std::chrono::steady_clock::now() > deadline; }

  // The error of r, given u = W r + q; r becomes the best point if it is.
  double offer(const Vec& r, const Vec& u) {
    const double e = problem.error(r, u);
    if (e < best) best = e, best_r = r;
    return e;
  }

  void factor(const double* A, const double* C, double shift, double joint_shift) {
    system.factor(problem, A, C, shift, joint_shift);
    ++factorisations;
  }
  void solve(Vec& x) { system.solve(problem, x); }
};

}  // namespace tappet
