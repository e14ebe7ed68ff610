// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "problem/islands.h"
#include "solvers/options.h"

namespace tappet {

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
class IslandSolver {
 public:
  using Make = std::function<std::unique_ptr<ContactSolver>()>;
  IslandSolver(const SolverOptions& options, Make make) : options_(options), make_(std::move(make)) {}

  // Whether there are several islands, none of which has more than this share of the rows. If one has nearly all rows,
  // leaving out the others may save less than the copy costs.
  bool falls_apart(const ContactProblem& problem, double largest = 1.0);

  // Call this after falls_apart() of the same problem returned true.
  SolveReport solve(const ContactProblem& problem, Vec& P);

 private:
  static constexpr double share = 1e-4;
  // rows; up to 64 if they may be independent, that is if there are no more rows than velocities
  static constexpr int always_dense = 12;
  static constexpr int most_pieces = 32;  // the number of workspaces for small islands

  struct Workspace {
    std::unique_ptr<ContactSolver> solver;
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
  void solve_island(const ContactProblem& problem, int island, Workspace& workspace, Vec& P);

  SolverOptions options_;
  Make make_;
  Islands islands_;
  std::vector<int> small_, large_, of_large_;  // islands; the workspace of each large one
  std::vector<int> workspace_of_key_;
  std::vector<std::unique_ptr<Workspace>> small_workspaces_, large_workspaces_;
  Delassus::Places places_;
  double per_impulse_ = 0.0, scale_ = 0.0;  // of the whole problem
  Vec xi_;
};

}  // namespace tappet
