// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "problem/islands.h"
#include "solvers/options.h"
#include "solvers/support.h"

namespace tappet {

// A solver that can be told, before it solves an island, how long it may take.
struct IslandMember : ContactSolver {
  virtual void limit(double seconds) = 0;
};

// Solves a problem island by island (problem/islands.h). Several islands are solved at a time, each on one thread, so
// the bits do not depend on the number of threads. A small island is solved as a dense problem, and only its impulses
// are remembered. A larger island meets the same solver again in the next problem, with the factors and orders it left
// there.
//
// The whole problem is judged by one norm over all rows. So an island i has the tolerance ε with ‖c‖ replaced by s_i,
//   s_i² = (1 − share) ‖c_i‖² + share ‖c‖² / islands,   Σ s_i² = ‖c‖².
// This is nearly as if it were alone, but an island in which nothing happens need not be solved to the last bit. The
// iterations of the report are passes over all rows: those of the islands, weighted by their share of the rows, rounded
// up.
// An island may take its share, by rows, of the time that the islands before it have left, so that a hard one does not
// keep the others from being solved.
class IslandSolver {
 public:
  using Make = std::function<std::unique_ptr<IslandMember>()>;
  IslandSolver(const SolverOptions& options, Make make) : options_(options), make_(std::move(make)) {}

  // Whether there are several islands, none of which has more than this share of the rows. If one has nearly all rows,
  // leaving out the others may save less than the copy costs.
  bool falls_apart(const ContactProblem& problem, double largest = 1.0);

  void forget() {
    for (auto* workspaces : {&small_workspaces_, &large_workspaces_})
      for (auto& workspace : *workspaces) workspace->solver->forget();
  }

  // Call this after falls_apart() of the same problem returned true.
  SolveReport solve(const ContactProblem& problem, Vec& P);

 private:
  static constexpr double share = 1e-4;
  static constexpr double least_time = 0.1;  // of the budget, by rows, if the others have left no time
  // rows; up to 64 if they may be independent, that is if there are no more rows than velocities
  static constexpr int always_dense = 12;
  static constexpr int most_pieces = 32;  // the number of workspaces for small islands

  struct Workspace {
    std::unique_ptr<IslandMember> solver;
    ContactProblem part;
    Vec P;
    SolveReport worst;                              // the worst report of all islands for which it was used
    double iterations = 0.0, factorisations = 0.0;  // their sums, each multiplied by the rows of its island
    int key = -1;                                   // the key of the large island to which it belongs
    bool taken = false;

    void start() { worst = {}, iterations = factorisations = 0.0; }
  };

  bool is_small(int island) const;
  void assign_workspaces();
  void solve_islands(const ContactProblem& problem, Vec& P);
  SolveReport judged(const ContactProblem& problem, const Vec& P);
  void take_part(const ContactProblem& problem, int island, const Vec& P, Workspace& workspace);
  void solve_island(const ContactProblem& problem, int island, const Deadline& deadline, Workspace& workspace, Vec& P);

  SolverOptions options_;
  Make make_;
  Islands islands_;
  std::vector<int> small_, large_, of_large_;  // islands; the workspace of each large one
  std::vector<int> workspace_of_key_;
  std::vector<std::unique_ptr<Workspace>> small_workspaces_, large_workspaces_;
  Delassus::Places places_;
  double per_impulse_ = 0.0, scale_ = 0.0;  // of the whole problem
  std::atomic<int> rows_left_ = 0;          // of the islands that are not solved yet
  Vec xi_;
};

}  // namespace tappet
