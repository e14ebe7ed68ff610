// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "problem/contact_problem.h"
#include "solvers/dense_newton.h"
#include "solvers/options.h"

namespace tappet {

// Semismooth Newton (Alart–Curnier), minimum-norm steps where rows depend on each other (dense_newton.h).
class Newton final : public ContactSolver {
 public:
  explicit Newton(const SolverOptions& options) : options_(options) {}
  SolveReport solve(const ContactProblem& problem, Vec& P) override;

 private:
  SolverOptions options_;
  DenseNewton dense_;
  ContactProblem dense_problem_;
  Vec xi_, unit_;
};

}  // namespace tappet
