// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "problem/contact_problem.h"
#include "solvers/cheap_members.h"
#include "solvers/coloured/coloured_sweeps.h"
#include "solvers/dense/dense_newton.h"
#include "solvers/dense/lemke_contact.h"
#include "solvers/island_solver.h"
#include "solvers/iterative/gauss_seidel.h"
#include "solvers/options.h"
#include "solvers/path/path_solver.h"

namespace tappet {

// The solver that chooses among the others (docs/solvers.md has the order and the measurements behind it).
class Auto final : public IslandMember {
 public:
  enum class Islands { apart, together };
  explicit Auto(const SolverOptions& options, Islands islands = Islands::apart);
  SolveReport solve(const ContactProblem& problem, Vec& P) override;
  void limit(double seconds) override;  // in place of the option budget_s
  void forget() override {
    near_left_ = 0;
    newton_.forget();
    path_solver_.forget();
    if (apart_) apart_->forget();
  }
  Delassus::Form form(int rows, int velocities) const override {
    const bool by_bodies = sweeps_suffice() || velocities < rows;
    return rows > Delassus::dense_rows && by_bodies ? Delassus::Form::factored : Delassus::form_of(rows);
  }

 private:
  static constexpr double loose = 1e-6;  // from this tolerance on, sweeps come first on large problems
  static constexpr int most_sweeps = 2000;
  static constexpr int first_sweeps = 8;      // if many contacts share few bodies; enough if little has changed
  static constexpr int sweeps_together = 64;  // sweeps over all contacts before islands are looked for
  static constexpr double most_of_it = 0.5;   // if an island has more than this share, sweeping it alone is not faster
  bool sweeps_suffice() const { return options_.tolerance >= loose; }
  bool apart(const ContactProblem& problem);
  SolveReport solve_large(const ContactProblem& problem, Vec& P);
  SolveReport follow_path(const ContactProblem& problem, Vec& P);
  static constexpr int newton_rows_cold = 32;
  // Where impulses are not unique and the shortest did not lead to a solution, those that are nearest to the start are
  // tried first in this number of problems.
  static constexpr int near_first = 64;
  static constexpr double path_share = 0.9;  // of the budget; the rest is for the cheap members, if they are asked

  double solve_one_contact(const ContactProblem& problem, Vec& P);
  SolveReport solve_small(const ContactProblem& problem, Vec& P);
  SolveReport search_small(const ContactProblem& problem, const DenseNewton::Result& direct, bool near, Vec& P);

  SolverOptions options_;
  DenseNewton newton_;
  GaussSeidel gauss_seidel_;
  LemkeContact lemke_;
  PathSolver path_solver_;
  ColouredSweeps sweeps_;
  CheapMembers members_;
  std::unique_ptr<IslandSolver> apart_;  // null within an island
  int near_left_ = 0;                    // of near_first
  Vec xi_, best_, start_;
};

}  // namespace tappet
