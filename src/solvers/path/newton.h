// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "problem/contact_problem.h"
#include "solvers/dense/dense_newton.h"
#include "solvers/options.h"
#include "solvers/path/polish.h"

namespace tappet {

// Semismooth Newton (Alart–Curnier). It is dense, with minimum-norm steps if rows depend on each other
// (dense_newton.h). Above 300 rows it is sparse, with Ĝ + 1e-9 I in the Jacobian (polish.h).
class Newton final : public ContactSolver {
 public:
  explicit Newton(const SolverOptions& options) : options_(options) {}
  SolveReport solve(const ContactProblem& problem, Vec& P) override;
  void forget() override { dense_.forget(); }

 private:
  static constexpr int dense_rows = 300;
  SolveReport solve_sparse(const ContactProblem& problem, Vec& P);

  SolverOptions options_;
  DenseNewton dense_;
  PathState state_;
  Polish polish_;
  ContactProblem dense_problem_;
  Vec xi_, unit_;
};

}  // namespace tappet
