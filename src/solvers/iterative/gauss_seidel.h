// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "problem/contact_problem.h"
#include "solvers/options.h"

namespace tappet {

// Nonsmooth block Gauss–Seidel: one contact after the other is solved exactly with all others held fixed (local.h). It
// works on G by columns (ξ is kept up to date) or, if G is not formed, on the velocities.
class GaussSeidel final : public ContactSolver {
 public:
  static constexpr int default_sweeps = 100'000;
  explicit GaussSeidel(const SolverOptions& options) : options_(options) {}
  SolveReport solve(const ContactProblem& problem, Vec& P) override;

  // Makes at most `sweeps` sweeps from P. The residual is computed every few sweeps. On return xi = G P + c.
  SolveReport sweep(const ContactProblem& problem, int sweeps, double tolerance, Vec& P, Vec& xi);

 private:
  void take_blocks(const ContactProblem& problem);
  static double solve_law(const Law& law, const double* block, const double* xi, double* P, double* dP);
  double one_sweep(const ContactProblem& problem, Vec& P, Vec& xi);

  SolverOptions options_;
  Vec xi_, velocity_, best_, scratch_;
  Vec blocks_;              // diagonal blocks, one after the other
  std::vector<int> block_;  // the start of the block of a law
  std::vector<int> part_;   // factored: the block of W to which a law belongs
};

}  // namespace tappet
