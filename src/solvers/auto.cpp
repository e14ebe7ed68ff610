// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/auto.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "solvers/iterative/local.h"
#include "solvers/support.h"

namespace tappet {

namespace {

// Pivoting solves such problems exactly.
bool is_planar(const ContactProblem& problem) {
  return std::all_of(problem.laws.begin(), problem.laws.end(),
                     [](const Law& law) { return law.kind == Law::Kind::bilateral || law.rows <= 2; });
}

SolveReport add_iterations(const SolveReport& before, SolveReport report) {
  report.iterations += before.iterations;
  return report;
}

}  // namespace

Auto::Auto(const SolverOptions& options, Islands islands)
    : options_(options),
      gauss_seidel_(options),
      lemke_(options),
      path_solver_(options),
      sweeps_(options),
      members_(options) {
  limit(options.budget_s);
  if (islands == Islands::apart)
    apart_ = std::make_unique<IslandSolver>(options,
                                            [options] { return std::make_unique<Auto>(options, Islands::together); });
}

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
  if (problem.G.form() == Delassus::Form::factored && sweeps_suffice()) return solve_large(problem, P);
  if (apart_ && apart_->falls_apart(problem)) return apart_->solve(problem, P);
  return follow_path(problem, P);
}

void Auto::limit(double seconds) {
  options_.budget_s = seconds;
  path_solver_.limit(path_share * seconds);
}

// The path solver. If it stops short of a solution, the cheap members try in the time that is left.
SolveReport Auto::follow_path(const ContactProblem& problem, Vec& P) {
  const Deadline deadline(options_.budget_s);
  SolveReport report = path_solver_.solve(problem, P);
  if (report.status != SolveStatus::not_converged) return report;
  members_.better(problem, deadline.left(), P, report);
  return report;
}

bool Auto::apart(const ContactProblem& problem) { return apart_ && apart_->falls_apart(problem, most_of_it); }

// If many contacts share few bodies, as between boxes, the chain is used, whose matrices have the size of the bodies.
// Sweeps would pass the loads back and forth. Otherwise sweeps from the warm start come first, and if they do not end,
// the chain on G by columns. If there are islands and sweeps over all of them take long, each island is solved
// separately.
SolveReport Auto::solve_large(const ContactProblem& problem, Vec& P) {
  return run_checked(problem, P, [&] {
    if (problem.size() > 2 * problem.G.velocities()) {
      const SolveReport few = sweeps_.sweep(problem, first_sweeps, options_.tolerance, P);
      if (few.status == SolveStatus::converged) return few;
      if (apart(problem)) return add_iterations(few, apart_->solve(problem, P));
      const SolveReport direct = path_solver_.solve(problem, P);
      if (direct.status == SolveStatus::converged) return direct;
    }
    bool apart_from_here = false;
    const auto end_here = [&] { return apart_from_here = apart(problem); };
    // The capture is by reference, because a copy would have to be allocated.
    const SolveReport swept =
        sweeps_.sweep(problem, most_sweeps, options_.tolerance, P, sweeps_together, std::ref(end_here));
    if (apart_from_here) return add_iterations(swept, apart_->solve(problem, P));
    if (swept.status == SolveStatus::converged || problem.size() > Delassus::sparse_rows) return swept;
    best_ = P;
    SolveReport report = follow_path(problem, P);
    if (report.residual >= swept.residual) P = best_, report = swept;
    report.iterations += swept.iterations, report.solver = 1;
    return report;
  });
}

// A single contact has a solution in closed form, or nearly so. Returns its residual.
double Auto::solve_one_contact(const ContactProblem& problem, Vec& P) {
  const Law& law = problem.laws[0];
  if (law.rows == 1) {
    const double G = problem.G.dense()(0, 0), c = problem.c[0];
    P[0] = c < 0.0 ? -c / G : 0.0;
    // residual() of one row: |P G − max(0, P G − ξ)| / |c|.
    const double e = c == 0.0 ? 0.0 : std::abs(std::min(P[0] * G, G * P[0] + c) / c);
    if (e <= options_.tolerance && P[0] < HUGE_VAL && std::abs(c) < HUGE_VAL) return e;
  }
  solve_contact(law.rows, law.mu, problem.G.dense().data(), law.rows, problem.c.data(), P.data());
  respond(problem, P, xi_);
  return residual(problem, P, xi_);
}

constexpr double good = 1e-12;  // above this residual another round is worth its cost

// Numbers that are not finite never count as converged, so the place of the error is only searched for if the solver
// fails.
SolveReport Auto::solve_small(const ContactProblem& problem, Vec& P) {
  const auto& laws = problem.laws;
  if (laws.size() == 1 && laws[0].kind == Law::Kind::contact && laws[0].rows == problem.size())
    if (const double e = solve_one_contact(problem, P); e <= options_.tolerance) return {SolveStatus::converged, 1, e};
  // From a cold start Newton's method alone rarely finds the statuses of more than a dozen contacts.
  const bool cold = std::all_of(P.begin(), P.end(), [](double x) { return x == 0.0; });
  DenseNewton::Result direct{HUGE_VAL, 0, 0};
  start_ = P;
  const bool near = near_left_ > 0;
  if (!cold || problem.size() <= newton_rows_cold)
    direct = newton_.solve(problem, 12, P, xi_, near ? DenseNewton::Choice::nearest : DenseNewton::Choice::shortest);
  if (near && direct.dependent) --near_left_;
  if (direct.residual <= std::min(good, options_.tolerance))
    return {SolveStatus::converged, direct.iterations, direct.residual, 0, direct.factorisations};
  if (!fault(problem).empty()) return {SolveStatus::bad_input, 0, HUGE_VAL};
  return search_small(problem, direct, near, P);
}

// `near`: whether the result `direct` is that of the nearest impulses.
SolveReport Auto::search_small(const ContactProblem& problem, const DenseNewton::Result& direct, bool near, Vec& P) {
  SolveReport report{SolveStatus::not_converged, direct.iterations, direct.residual, 0, direct.factorisations};
  best_ = P;
  const auto keep = [&](double e, int solver, int count) {
    if (e < report.residual) report.residual = e, report.solver = solver, best_ = P;
    report.iterations += count;
  };
  const auto finish = [&](int solver, DenseNewton::Choice choice = DenseNewton::Choice::shortest) {  // to round-off
    const auto result = newton_.solve(problem, 30, P, xi_, choice);
    report.factorisations += result.factorisations;
    keep(result.residual, solver, result.iterations);
    return report.residual <= options_.tolerance;
  };
  const auto sweep = [&](int sweeps) {
    const auto swept = gauss_seidel_.sweep(problem, sweeps, 1e-14, P, xi_);
    keep(swept.residual, 1, swept.iterations);
    return finish(1, DenseNewton::Choice::nearest);
  };
  const auto follow_path = [&] {
    P.set_zero();
    const auto path = path_solver_.solve(problem, P);
    report.factorisations += path.factorisations;
    keep(path.residual, 2, path.iterations);
    if (path.status == SolveStatus::infeasible) report.status = SolveStatus::infeasible;
    if (path.status != SolveStatus::converged) return false;
    return problem.size() > newton_rows_cold || finish(2);
  };
  const auto pivot = [&] {
    P.set_zero();
    const auto pivots = lemke_.solve(problem, P);
    keep(pivots.residual, 3, pivots.iterations);
    if (pivots.status == SolveStatus::infeasible) report.status = SolveStatus::infeasible;
    return finish(3);
  };
  const auto hopeless = [&] { return report.status == SolveStatus::infeasible; };
  // If impulses are not unique, the shortest may lie far from the best point and from the start, with other statuses.
  const auto stay_near = [&] {
    bool found = finish(0, DenseNewton::Choice::nearest);
    if (!found) P = start_, found = finish(0, near ? DenseNewton::Choice::shortest : DenseNewton::Choice::nearest);
    if (found && !near && direct.dependent) near_left_ = near_first;
    if (!found) P = best_;
    return found;
  };
  (direct.iterations > 0 && (stay_near() || sweep(20))) || follow_path() || hopeless() || sweep(100) || pivot() ||
      sweep(1000);
  // Rows that depend on each other may contradict each other by very little, for example those of two carts that stick
  // and do not quite touch. One of them must then slip. Newton's method takes the least error instead.
  if (report.residual > good && report.residual <= options_.tolerance && is_planar(problem)) pivot();
  P = best_;
  if (report.residual > options_.tolerance && !hopeless())
    members_.better(problem, (1.0 - path_share) * options_.budget_s, P, report);
  if (report.residual <= options_.tolerance) report.status = SolveStatus::converged;
  return report;
}

}  // namespace tappet
