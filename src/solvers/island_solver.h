// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "problem/islands.h"
#include "solvers/options.h"

namespace tappet {

// Solves a problem island by island (problem/islands.h), several at a time, each on one thread: the bits do not depend
// on the threads. A small island is dense; nothing is remembered of it but its impulses. A larger one meets the same
// solver again in the next problem, and with it the factors and orders it left there.
//
// The whole is judged by one norm over all rows, so an island i has the tolerance ε with ‖c‖ replaced by s_i,
//   s_i² = (1 − share) ‖c_i‖² + share ‖c‖² / islands,   Σ s_i² = ‖c‖²:
// as if it were alone, but no island must be solved to the last bit because nothing happens in it.
// Iterations of the report are passes over all rows: those of the islands by their share of the rows, rounded up.
class IslandSolver {
 public:
  using Make = std::function<std::unique_ptr<ContactSolver>()>;
  IslandSolver(const SolverOptions& options, Make make) : options_(options), make_(std::move(make)) {}

  // Whether there are several islands, none of which has more than this part of the rows. Where one has nearly all of
  // them, what is gained by leaving out the others may not pay for the copy.
  bool falls_apart(const ContactProblem& problem, double largest = 1.0);

  // After falls_apart() of the same problem said so.
  SolveReport solve(const ContactProblem& problem, Vec& P);

 private:
  static constexpr double share = 1e-4;
  static constexpr int always_dense = 12;  // rows; to 64 where they may be independent: no more than velocities
  static constexpr int most_pieces = 32;   // of the small islands: as many workspaces

  struct Workspace {
    std::unique_ptr<ContactSolver> solver;
    ContactProblem part;
    Vec P;
    SolveReport worst;                              // of all islands it was used for
    double iterations = 0.0, factorisations = 0.0;  // their sums, each times the rows of its island
    int key = -1;                                   // of the large island it belongs to
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
  std::vector<int> small_, large_, of_large_;  // islands; the workspace of a large one
  std::vector<int> workspace_of_key_;
  std::vector<std::unique_ptr<Workspace>> small_workspaces_, large_workspaces_;
  Delassus::Places places_;
  double per_impulse_ = 0.0, scale_ = 0.0;  // of the whole
  Vec xi_;
};

}  // namespace tappet
