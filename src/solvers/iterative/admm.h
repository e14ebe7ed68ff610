// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "problem/contact_problem.h"
#include "solvers/options.h"
#include "solvers/sparse/contact_system.h"

namespace tappet {

// Alternating direction method of multipliers on the scaled problem, with exact Coulomb friction by De Saxcé's term:
//   (Ĝ + τ I) r = λ + τ z − q − μ‖u_F‖ e_N,   z = proj_K(r − λ/τ),   λ ← λ + τ (z − r).
// There is one factorisation per value of the penalty τ. The penalty follows the spectral estimates of Xu, Figueiredo
// and Goldstein (2017). It is checked every ten iterations and changed only if it moves by more than half. After eight
// changes it follows the balance of the primal and dual residuals.
class Admm final : public ContactSolver {
 public:
  explicit Admm(const SolverOptions& options) : options_(options) {}
  SolveReport solve(const ContactProblem& problem, Vec& P) override;

 private:
  double penalty(double tau) const;  // from the differences since the last check
  void factor(double tau);
  void velocity(const Vec& r);  // u_
  double start(const Vec& P);
  double balanced(double tau) const;
  double look_at_penalty(int iterations, double tau);
  void iterate(double tau);
  int search(const Vec& P);

  SolverOptions options_;
  ScaledProblem scaled_;
  ContactSystem system_;
  std::vector<double> zero_;
  Vec r_, z_, lambda_, lambda_hat_, slip_, u_, best_, xi_;
  Vec z_before_, r_seen_, z_seen_, lambda_seen_, lambda_hat_seen_;
  int factorisations_ = 0, changes_ = 0;  // the number of changes of the penalty
};

}  // namespace tappet
