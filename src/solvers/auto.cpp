// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/auto.h"

#include <cmath>

#include "solvers/local.h"
#include "solvers/support.h"

namespace tappet {

Auto::Auto(const SolverOptions& options) : options_(options), gauss_seidel_(options), lemke_(options) {}

SolveReport Auto::solve(const ContactProblem& problem, Vec& P) {
  const int n = problem.size();
  if (n == 0 && problem.laws.empty() && problem.G.size() == 0) {
    P.resize(0);
    return {};
  }
  if (problem.G.form() == Delassus::Form::dense && problem.G.size() == n && n <= Delassus::dense_rows) {
    prepare_start(problem, P);
    return solve_small(problem, P);
  }
  return gauss_seidel_.solve(problem, P);
}

// Numbers that are not finite never pass as converged, so the search for the culprit is left to the failing path.
SolveReport Auto::solve_small(const ContactProblem& problem, Vec& P) {
  constexpr double good = 1e-12;  // short of it another round is worth its price
  const auto& laws = problem.laws;
  if (laws.size() == 1 && laws[0].kind == Law::Kind::contact && laws[0].rows == problem.size()) {
    const Law& law = laws[0];
    solve_contact(law.rows, law.mu, problem.G.dense().data(), law.rows, problem.c.data(), P.data());
    respond(problem, P, xi_);
    const double e = residual(problem, P, xi_);
    if (e <= options_.tolerance) return {SolveStatus::converged, 1, e};
  }
  const auto direct = newton_.solve(problem, 12, P, xi_);
  if (direct.residual <= std::min(good, options_.tolerance))
    return {SolveStatus::converged, direct.iterations, direct.residual, 0, direct.iterations};
  if (!fault(problem).empty()) return {SolveStatus::bad_input, 0, HUGE_VAL};
  return search_small(problem, direct.residual, direct.iterations, P);
}

SolveReport Auto::search_small(const ContactProblem& problem, double e, int iterations, Vec& P) {
  SolveReport report{SolveStatus::not_converged, iterations, e, 0, iterations};
  best_ = P;
  const auto keep = [&](double e_new, int solver, int count) {
    if (e_new < report.residual) report.residual = e_new, report.solver = solver, best_ = P;
    report.iterations += count;
  };
  const auto polish = [&](int solver) {
    const auto result = newton_.solve(problem, 30, P, xi_);
    report.factorisations += result.iterations;
    keep(result.residual, solver, result.iterations);
  };
  for (int round = 0; round < 3; ++round) {
    const auto sweeps = gauss_seidel_.sweep(problem, 20 << (2 * round), 1e-14, P, xi_);
    keep(sweeps.residual, 1, sweeps.iterations);
    polish(1);
    if (report.residual <= options_.tolerance) break;
  }
  if (report.residual > options_.tolerance) {
    P.set_zero();
    const auto pivots = lemke_.solve(problem, P);
    keep(pivots.residual, 2, pivots.iterations);
    if (pivots.status == SolveStatus::infeasible) report.status = SolveStatus::infeasible;
    polish(2);
  }
  P = best_;
  if (report.residual <= options_.tolerance) report.status = SolveStatus::converged;
  return report;
}

}  // namespace tappet
