// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>

#include "problem/contact_problem.h"
#include "solvers/iterative/apgd.h"
#include "solvers/options.h"
#include "solvers/path/exact_path.h"
#include "solvers/path/last_change.h"
#include "solvers/path/polish.h"
#include "solvers/path/proximal/proximal_path.h"
#include "solvers/path/relaxed_path.h"

namespace tappet {

// Path following, polish, proximal polish, fold tracking and restarts. This is the solver of last resort, and the first
// one for large problems from a cold start (docs/solvers.md).
class PathSolver final : public ContactSolver {
 public:
  explicit PathSolver(const SolverOptions& options) : options_(options), descent_(options) {}
  SolveReport solve(const ContactProblem& problem, Vec& P) override;
  void forget() override { polish_.forget(), last_change_.forget(), left_ = 0.0; }
  void limit(double seconds) { options_.budget_s = seconds; }  // in place of the option

 private:
  struct Finisher;
  void start();
  bool still_solves(const ContactProblem& problem, Vec& P, SolveReport& report);
  void keep_change(const ContactProblem& problem, const Vec& P);
  void search(const Vec& P);
  void run();
  bool relax(double scale, std::span<const RelaxedPath::Pace> paces, int max_factorisations);
  Finisher after_pivots();
  void begin_descent();
  void descend(int steps_per_factorisation);
  void restart(double scale);
  void improve();
  double size_of_solution();
  bool joints_contradict();

  SolverOptions options_;
  const ContactProblem* original_ = nullptr;  // during a solve
  PathState state_;
  ExactPath path_;
  RelaxedPath relaxed_;
  Polish polish_;
  std::array<ProximalPath, 3> curves_;  // the newest first
  Apgd descent_;
  Vec r_, u_, weights_, xi_, lowest_r_, descent_P_;
  LastChange last_change_;
  Vec start_, predicted_, r_start_, r_end_;  // impulses and their residuals, from which last_change_ learns
  double left_ = 0.0;                        // the error of the last solution that was not a prediction
  std::vector<double> zero_;
  double descent_error_ = HUGE_VAL;  // of its last point that was offered
  bool infeasible_ = false;
};

}  // namespace tappet
