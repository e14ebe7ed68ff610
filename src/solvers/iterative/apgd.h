// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "problem/contact_problem.h"
#include "solvers/options.h"
#include "solvers/sparse/scaled_problem.h"

namespace tappet {

// Accelerated projected gradient (Nesterov) on the scaled problem, for exact Coulomb friction: the gradient is
// û = Ĝ r + q + μ‖u_F‖ e_N, De Saxcé's term taken at the iterate. Step 1/L with L found by doubling, momentum restarted
// where it turns against the step. Needs products with Ĝ alone.
class Apgd final : public ContactSolver {
 public:
  explicit Apgd(const SolverOptions& options) : options_(options) {}
  SolveReport solve(const ContactProblem& problem, Vec& P) override;

 private:
  void step(double length, const Vec& y, const Vec& gradient, Vec& r) const;  // r = proj_K(y − length gradient)
  void velocity(const Vec& r, Vec& u) const;
  double find_step(double L);
  double extrapolate(double theta);
  int search(const Vec& P);

  SolverOptions options_;
  ScaledProblem scaled_;
  Vec r_, next_, y_, u_, gradient_, next_u_, best_, xi_;
};

// û from u, in place.
void add_slip(const Laws& laws, Vec& u);
// The projection on the cones of all contacts, in place; joints stay.
void project(const Laws& laws, Vec& r);

}  // namespace tappet
