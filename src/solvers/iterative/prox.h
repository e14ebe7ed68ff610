// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "problem/contact_problem.h"
#include "solvers/options.h"

namespace tappet {

// Prox fixed point: P_N ← max(0, P_N − r ξ_N), P_F ← the point nearest to P_F − r ξ_F in the disc of radius μ P_N, and
// for joints P ← P − r ξ. With Gauss–Seidel, ξ is that of the sweep and r = 1/λ_max of the block of a contact. With
// Jacobi, ξ is that of the iterate and r is smaller by the largest eigenvalue of the scaled G.
class Prox final : public ContactSolver {
 public:
  enum class Order { jacobi, gauss_seidel };
  Prox(const SolverOptions& options, Order order) : options_(options), order_(order) {}
  SolveReport solve(const ContactProblem& problem, Vec& P) override;

 private:
  void choose_steps(const ContactProblem& problem);
  void advance(const ContactProblem& problem, double relax, Vec& P, Vec& xi);

  SolverOptions options_;
  Order order_;
  Vec step_, xi_, best_, power_, velocity_, block_;
  std::vector<int> part_;
};

}  // namespace tappet
