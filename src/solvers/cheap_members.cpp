// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/cheap_members.h"

#include <memory>

#include "solvers/iterative/admm.h"
#include "solvers/iterative/apgd.h"
#include "solvers/iterative/gauss_seidel.h"
#include "solvers/iterative/prox.h"
#include "solvers/support.h"

namespace tappet {

namespace {

std::unique_ptr<ContactSolver> make(int member, const SolverOptions& options) {
  switch (member) {
    case 0:
      return std::make_unique<Prox>(options, Prox::Order::gauss_seidel);
    case 1:
      return std::make_unique<Apgd>(options);
    case 2:
      return std::make_unique<Admm>(options);
    default:
      return std::make_unique<GaussSeidel>(options);
  }
}

}  // namespace

void CheapMembers::better(const ContactProblem& problem, double seconds, Vec& P, SolveReport& report) {
  constexpr int members = 4;
  const bool from_zero = !(report.residual < good) || P.size() != problem.size();
  const Deadline deadline(seconds);
  SolverOptions options = options_;
  int best = -1;
  const auto ask = [&](int member, int iterations) {
    if (report.residual <= options_.tolerance || deadline.left() <= 0.0) return;
    options.max_iterations = iterations;
    options.budget_s = deadline.left();
    const SolveReport here = make(member, options)->solve(problem, trial_);
    report.iterations += here.iterations, report.factorisations += here.factorisations;
    if (beyond_judgement(problem, trial_, options_.tolerance)) return;
    respond(problem, trial_, xi_);
    const double e = residual(problem, trial_, xi_);
    if (e < report.residual) report.residual = e, best = member, std::swap(P, trial_);
  };
  start_ = P;
  if (from_zero) start_.assign(problem.size(), 0.0);
  for (int member = 0; member < members; ++member) trial_ = start_, ask(member, first_round);
  if (best >= 0) trial_ = P, ask(best, second_round);
  if (report.residual <= options_.tolerance) report.status = SolveStatus::converged;
}

}  // namespace tappet
