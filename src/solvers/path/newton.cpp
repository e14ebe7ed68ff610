// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/path/newton.h"

#include <cmath>

#include "solvers/support.h"

namespace tappet {

SolveReport Newton::solve(const ContactProblem& problem, Vec& P) {
  return run_checked(problem, P, [&] {
    if (problem.size() > dense_rows) return solve_sparse(problem, P);
    const ContactProblem* target = &problem;
    if (problem.G.form() != Delassus::Form::dense) {
      const int n = problem.size();
      Mat& G = dense_problem_.G.dense(n);
      unit_.assign(n, 0.0);
      for (int j = 0; j < n; ++j) {
        unit_[j] = 1.0;
        problem.G.multiply(unit_, {G.column(j), static_cast<size_t>(n)});
        unit_[j] = 0.0;
      }
      dense_problem_.c = problem.c, dense_problem_.laws = problem.laws;
      target = &dense_problem_;
    }
    const auto result = dense_.solve(*target, options_.max_iterations > 0 ? options_.max_iterations : 100, P, xi_);
    return SolveReport{result.residual <= options_.tolerance ? SolveStatus::converged : SolveStatus::not_converged,
                       result.iterations, result.residual, 0, result.iterations};
  });
}

SolveReport Newton::solve_sparse(const ContactProblem& problem, Vec& P) {
  SolveReport report;
  state_.tolerance = 0.5 * options_.tolerance;
  state_.factorisations = 0;
  if (!state_.problem.build(problem)) {
    P.set_zero();
  } else {
    state_.system.analyse(state_.problem);
    state_.problem.from_original(P, state_.best_r);
    state_.best = HUGE_VAL;
    polish_.quick(state_, Vec(state_.best_r), options_.max_iterations > 0 ? options_.max_iterations : 100);
    state_.problem.to_original(state_.best_r, P);
  }
  respond(problem, P, xi_);
  report.residual = residual(problem, P, xi_);
  report.iterations = report.factorisations = state_.factorisations;
  report.status = report.residual <= options_.tolerance ? SolveStatus::converged : SolveStatus::not_converged;
  return report;
}

}  // namespace tappet
