// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/newton.h"

#include "solvers/support.h"

namespace tappet {

SolveReport Newton::solve(const ContactProblem& problem, Vec& P) {
  return run_checked(problem, P, [&] {
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

}  // namespace tappet
