// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/island_solver.h"

#include <algorithm>
#include <cmath>

#include "solvers/support.h"

namespace tappet {

namespace {

void add(const SolveReport& report, SolveReport& all) {
  all.status = std::max(all.status, report.status);
  all.solver = std::max(all.solver, report.solver);
}

}  // namespace

bool IslandSolver::falls_apart(const ContactProblem& problem, double largest) {
  return islands_.find(problem) > 1 && islands_.largest() <= largest * problem.size();
}

SolveReport IslandSolver::solve(const ContactProblem& problem, Vec& P) {
  return run_checked(problem, P, [&] {
    per_impulse_ = velocity_per_impulse(problem), scale_ = scale(problem, per_impulse_);
    places_.start(problem.G);
    assign_workspaces();
    solve_islands(problem, P);
    return judged(problem, P);
  });
}

// Solves small islands in pieces, and large ones separately.
void IslandSolver::solve_islands(const ContactProblem& problem, Vec& P) {
  const Deadline deadline(options_.budget_s);
  rows_left_ = problem.size();
  const int large = static_cast<int>(large_.size()), small = static_cast<int>(small_.size());
  const int pieces = std::min(most_pieces, small);
  const auto piece = [&](int i) {
    Workspace& workspace = *small_workspaces_[i];
    workspace.start();
    for (int k = i * small / pieces; k < (i + 1) * small / pieces; ++k)
      solve_island(problem, small_[k], deadline, workspace, P);
  };
  parallel_for(problem.G.execution(), large + pieces, 1, [&](int first, int last) {
    for (int i = first; i < last; ++i) {
      if (i >= large) {
        piece(i - large);
        continue;
      }
      Workspace& workspace = *large_workspaces_[of_large_[i]];
      workspace.start();
      solve_island(problem, large_[i], deadline, workspace, P);
    }
  });
}

SolveReport IslandSolver::judged(const ContactProblem& problem, const Vec& P) {
  SolveReport report;
  double iterations = 0.0, factorisations = 0.0;
  const auto add_up = [&](const Workspace& workspace) {
    add(workspace.worst, report);
    iterations += workspace.iterations, factorisations += workspace.factorisations;
  };
  for (int workspace : of_large_) add_up(*large_workspaces_[workspace]);
  const size_t pieces = std::min<size_t>(most_pieces, small_.size());
  for (size_t i = 0; i < pieces; ++i) add_up(*small_workspaces_[i]);
  report.iterations = static_cast<int>(std::ceil(iterations / problem.size()));
  report.factorisations = static_cast<int>(std::ceil(factorisations / problem.size()));
  report.islands = islands_.count();
  respond(problem, P, xi_);
  report.residual = residual(problem, P, xi_);
  if (report.residual <= options_.tolerance)
    report.status = SolveStatus::converged;
  else if (report.status == SolveStatus::converged)
    report.status = SolveStatus::not_converged;
  return report;
}

bool IslandSolver::is_small(int island) const {
  const int rows = islands_.rows(island);
  return rows <= always_dense || (rows <= Delassus::dense_rows && rows <= islands_.velocities(island));
}

// Small islands share workspaces in fixed pieces. A large island keeps its own, or takes one whose island no longer
// exists.
void IslandSolver::assign_workspaces() {
  small_.clear(), large_.clear();
  for (int i = 0; i < islands_.count(); ++i) (is_small(i) ? small_ : large_).push_back(i);
  const auto make = [&] {
    auto workspace = std::make_unique<Workspace>();
    workspace->solver = make_();
    return workspace;
  };
  const size_t pieces = std::min<size_t>(most_pieces, small_.size());
  while (small_workspaces_.size() < pieces) small_workspaces_.push_back(make());

  for (auto& workspace : large_workspaces_) workspace->taken = false;
  workspace_of_key_.resize(std::max<size_t>(workspace_of_key_.size(), islands_.keys()), -1);
  of_large_.assign(large_.size(), -1);
  for (size_t i = 0; i < large_.size(); ++i) {
    const int key = islands_.key(large_[i]), w = workspace_of_key_[key];
    if (w >= 0 && large_workspaces_[w]->key == key) of_large_[i] = w, large_workspaces_[w]->taken = true;
  }
  size_t next = 0;
  for (size_t i = 0; i < large_.size(); ++i) {
    if (of_large_[i] >= 0) continue;
    while (next < large_workspaces_.size() && large_workspaces_[next]->taken) ++next;
    if (next == large_workspaces_.size()) large_workspaces_.push_back(make());
    Workspace& workspace = *large_workspaces_[next];
    workspace.key = islands_.key(large_[i]), workspace.taken = true;
    workspace_of_key_[workspace.key] = of_large_[i] = static_cast<int>(next);
  }
}

// The part of the problem and of its start that belongs to an island.
void IslandSolver::take_part(const ContactProblem& problem, int island, const Vec& P, Workspace& workspace) {
  using Form = Delassus::Form;
  ContactProblem& part = workspace.part;
  const int rows = islands_.rows(island);
  const Form form = is_small(island) ? Form::dense : problem.G.form();
  part.G.take_part(problem.G, problem.laws, islands_.laws(island), form, places_);
  if (part.G.form() == Form::factored && workspace.solver->form(rows, part.G.velocities()) == Form::sparse)
    part.G.form_sparse();
  part.laws.clear(), part.c.resize(rows), workspace.P.resize(rows);
  int row = 0;
  for (int k : islands_.laws(island)) {
    Law law = problem.laws[k];
    for (int i = 0; i < law.rows; ++i) part.c[row + i] = problem.c[law.row + i], workspace.P[row + i] = P[law.row + i];
    std::swap(law.row, row), row = law.row + law.rows;
    part.laws.push_back(law);
  }
}

void IslandSolver::solve_island(const ContactProblem& problem, int island, const Deadline& deadline,
                                Workspace& workspace, Vec& P) {
  take_part(problem, island, P, workspace);
  ContactProblem& part = workspace.part;
  const int rows = islands_.rows(island);
  const double own = norm(part, per_impulse_, part.c);
  part.whole_per_impulse = per_impulse_;
  part.whole_scale = std::sqrt((1.0 - share) * own * own + share * scale_ * scale_ / islands_.count());
  workspace.solver->limit(
      std::max(deadline.left() * rows / rows_left_, least_time * options_.budget_s * rows / problem.size()));
  const SolveReport report = workspace.solver->solve(part, workspace.P);
  rows_left_ -= rows;
  add(report, workspace.worst);
  workspace.iterations += static_cast<double>(rows) * report.iterations;
  workspace.factorisations += static_cast<double>(rows) * report.factorisations;
  int row = 0;
  for (int k : islands_.laws(island))
    for (int i = 0; i < problem.laws[k].rows; ++i) P[problem.laws[k].row + i] = workspace.P[row++];
}

}  // namespace tappet
