// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "problem/contact_problem.h"
#include "solvers/options.h"
#include "solvers/sparse/scaled_problem.h"

namespace tappet {

// Accelerated projected gradient (Nesterov) on the scaled problem, for exact Coulomb friction. The gradient is û = Ĝ r
// + q + μ‖u_F‖ e_N, with De Saxcé's term taken at the iterate. The step is 1/L, with L found by doubling. The momentum
// is restarted if it turns against the step. The method only needs products with Ĝ.
class Apgd final : public ContactSolver {
 public:
  explicit Apgd(const SolverOptions& options) : options_(options) {}
  SolveReport solve(const ContactProblem& problem, Vec& P) override;

  // The same in pieces: begin() at P, then continue() up to this number of steps in all, or until the time is over.
  // Returns false if there is nothing to solve.
  bool begin(const ContactProblem& problem, const Vec& P);
  void continue_to(int steps, double seconds);
  bool finished() const { return error_ <= 0.5 * options_.tolerance; }
  double error() const { return error_; }  // of the best point so far
  void best(Vec& P) const { scaled_.to_original(best_, P); }

 private:
  void step(double length, const Vec& y, const Vec& gradient, Vec& r) const;  // r = proj_K(y − length gradient)
  void velocity(const Vec& r, Vec& u) const;
  double find_step(double L);
  double extrapolate(double theta);

  SolverOptions options_;
  ScaledProblem scaled_;
  Vec r_, next_, y_, u_, gradient_, r_u_, next_u_, best_, xi_;
  double error_ = 0.0, theta_ = 1.0, L_ = 1.0;
  int steps_ = 0;
};

// Computes û from u, in place.
void add_slip(const Laws& laws, Vec& u);
// Projects on the cones of all contacts, in place. Joints are not changed.
void project(const Laws& laws, Vec& r);

}  // namespace tappet
