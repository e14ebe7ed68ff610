// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "problem/contact_problem.h"
#include "solvers/options.h"

namespace tappet {

// The iterative solvers that `auto` asks when everything else has stopped short of a solution, so that it never returns
// a point worse than what one of them finds. That is rare, so they are made anew for every such problem.
class CheapMembers {
 public:
  explicit CheapMembers(const SolverOptions& options) : options_(options) {}

  // Betters P, whose report is given. Every member makes `first_round` iterations, and the best of them then
  // `second_round` from its own point. They begin at P if it is good, otherwise at zero. If none finds a better point,
  // P and its residual stay as they are. Iterations are counted, so that the result does not depend on the speed of the
  // machine, unless the `seconds` that are left run out.
  void better(const ContactProblem& problem, double seconds, Vec& P, SolveReport& report);

 private:
  static constexpr double good = 1e-3;  // of e
  static constexpr int first_round = 2000, second_round = 8000;

  SolverOptions options_;
  Vec start_, trial_, xi_;
};

}  // namespace tappet
