// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "problem/contact_problem.h"
#include "solvers/chain.h"
#include "solvers/dense_newton.h"
#include "solvers/gauss_seidel.h"
#include "solvers/lemke_contact.h"
#include "solvers/options.h"

namespace tappet {

// The solver that chooses (docs/solvers.md has the order and the measurements behind it).
class Auto final : public ContactSolver {
 public:
  explicit Auto(const SolverOptions& options);
  SolveReport solve(const ContactProblem& problem, Vec& P) override;

 private:
  static constexpr int newton_rows_cold = 32;

  SolveReport solve_small(const ContactProblem& problem, Vec& P);
  SolveReport search_small(const ContactProblem& problem, const DenseNewton::Result& direct, Vec& P);

  SolverOptions options_;
  DenseNewton newton_;
  GaussSeidel gauss_seidel_;
  LemkeContact lemke_;
  Chain chain_;
  Vec xi_, best_;
};

}  // namespace tappet
