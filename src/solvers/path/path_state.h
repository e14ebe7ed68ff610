// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "solvers/sparse/contact_system.h"
#include "solvers/sparse/scaled_problem.h"

namespace tappet {

// What the stages of the chain share: the scaled problem, one factorisation, the best point and the budget.
struct PathState {
  ScaledProblem problem;
  ContactSystem system;
  Vec best_r;
  double best = 0.0, tolerance = 1e-8;
  int factorisations = 0;
  long factors = 0;  // counts how often the factors were made or dropped, to tell whose they are
  std::chrono::steady_clock::time_point deadline;

  // Scales the problem and finds the order of elimination if its structure is new. Returns false if there is nothing to
  // solve. If a problem is given by factors and its bodies have more velocities than it has rows, it is solved over its
  // columns.
  bool prepare(const ContactProblem& original) {
    original_ = &original, forced_ = false;
    const bool factored = original.G.form() == Delassus::Form::factored;
    if (factored && original.size() <= 2 * original.G.velocities() && problem.needs_columns(original))
      take_columns(original);
    if (!problem.build(*original_)) return false;
    if (!analysed_ || problem.pattern_changed() || analysed_formed_ != problem.formed()) analyse();
    return true;
  }

  // From here on the matrix is over the contacts. The matrix over the bodies would be smaller, but if stiff and loose
  // contacts meet at a small κ, it loses the digits of the loose ones.
  void form() {
    if (problem.formed()) return;
    if (original_->G.form() == Delassus::Form::factored) {
      by_columns_ = *original_;
      by_columns_.G.form_sparse();
      original_ = &by_columns_;
    }
    if (!problem.build(*original_, true) || !problem.formed()) return;
    analyse();
    forced_ = true;
  }

  // Returns to the smaller matrix.
  void restore() {
    if (forced_) prepare(*original_);
  }

  bool done() const { return best <= tolerance; }
  bool late() const { return std::chrono::steady_clock::now() > deadline; }

  // The error of r, given u = Ĝ r + q. r becomes the best point if its error is the smallest.
  double offer(const Vec& r, const Vec& u) {
    const double e = problem.error(r, u);
    if (e < best) best = e, best_r = r;
    return e;
  }

  void factor(const double* A, const double* C, double shift, double joint_shift) {
    system.factor(problem, A, C, shift, joint_shift);
    ++factorisations, ++factors;
  }
  void solve(Vec& x) { system.solve(problem, x); }

 private:
  void take_columns(const ContactProblem& original) {
    by_columns_.G.form_sparse_from(original.G);
    by_columns_.c = original.c, by_columns_.laws = original.laws;
    by_columns_.whole_per_impulse = original.whole_per_impulse, by_columns_.whole_scale = original.whole_scale;
    original_ = &by_columns_;
  }
  void analyse() {
    system.analyse(problem);
    ++factors;
    analysed_ = true, analysed_formed_ = problem.formed();
  }

  const ContactProblem* original_ = nullptr;  // only during a solution
  ContactProblem by_columns_;                 // used if the problem came as factors and G had to be formed
  bool analysed_ = false, analysed_formed_ = false, forced_ = false;
};

}  // namespace tappet
