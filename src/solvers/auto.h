// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "problem/contact_problem.h"
#include "solvers/chain.h"
#include "solvers/coloured_sweeps.h"
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
  Delassus::Form form(int rows, int velocities) const override {
    const bool by_bodies = sweeps_suffice() || velocities < rows;
    return rows > Delassus::dense_rows && by_bodies ? Delassus::Form::factored : Delassus::form_of(rows);
  }

 private:
  static constexpr double loose = 1e-6;  // tolerance from which sweeps come first on large problems
  static constexpr int most_sweeps = 2000;
  static constexpr int first_sweeps = 8;  // where many contacts share few bodies: enough where little has changed
  bool sweeps_suffice() const { return options_.tolerance >= loose; }
  SolveReport solve_large(const ContactProblem& problem, Vec& P);
  static constexpr int newton_rows_cold = 32;

  SolveReport solve_small(const ContactProblem& problem, Vec& P);
  SolveReport search_small(const ContactProblem& problem, const DenseNewton::Result& direct, Vec& P);

  SolverOptions options_;
  DenseNewton newton_;
  GaussSeidel gauss_seidel_;
  LemkeContact lemke_;
  Chain chain_;
  ColouredSweeps sweeps_;
  Vec xi_, best_;
};

}  // namespace tappet
