// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "problem/contact_problem.h"
#include "solvers/options.h"

namespace tappet {

// Nonsmooth block Gauss–Seidel: contact after contact is solved exactly with all others held (local.h).
// Works on G by columns (ξ is kept up to date) or, where G is not formed, on the velocities.
class GaussSeidel final : public ContactSolver {
 public:
  static constexpr int default_sweeps = 100'000;
  explicit GaussSeidel(const SolverOptions& options) : options_(options) {}
  SolveReport solve(const ContactProblem& problem, Vec& P) override;

  // At most `sweeps` sweeps from P; the residual is looked at every few sweeps. xi = G P + c on return.
  SolveReport sweep(const ContactProblem& problem, int sweeps, double tolerance, Vec& P, Vec& xi);

 private:
  void take_blocks(const ContactProblem& problem);
  static double solve_law(const Law& law, const double* block, const double* xi, double* P, double* dP);
  double one_sweep(const ContactProblem& problem, Vec& P, Vec& xi);

  SolverOptions options_;
  Vec xi_, velocity_, best_, scratch_;
  Vec blocks_;              // diagonal blocks, one after the other
  std::vector<int> block_;  // where the block of a law starts
  std::vector<int> part_;   // factored: which block of W a law belongs to
};

}  // namespace tappet
