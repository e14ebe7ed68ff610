// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "math/minimum_norm.h"
#include "problem/contact_problem.h"

namespace tappet {

// Semismooth Newton on the Alart–Curnier functions for small dense problems, written for the next P rather than for
// a step: with r = rows / tr G_kk, τ = P − r ξ and the status of each contact read off τ,
//   τ_N ≤ 0                      open   P = 0
//   τ_N > 0, ‖τ_F‖ ≤ μ τ_N       stick  ξ_N = 0, ξ_F = 0
//   otherwise                    slip   ξ_N = 0, P_F = μ P_N d + β (I − ddᵀ)(P_F − r ξ_F),  d = τ_F/‖τ_F‖, β = μ
//   τ_N/‖τ_F‖
// is a linear system in P: exact as soon as the statuses are right where friction is planar, quadratically
// convergent where it is spatial. Joints are rows ξ = 0. Only the rows in play are factored (LU without pivoting,
// safe while every pivot keeps 1e-9 of its diagonal); where rows depend on each other the shortest P is taken.
class DenseNewton {
 public:
  struct Result {
    double residual;
    int iterations;
  };

  // P: start in, best point out; xi: G P + c of it. Stops at round-off, at a fixed set of statuses, or when stuck.
  Result solve(const ContactProblem& problem, int max_iterations, Vec& P, Vec& xi);

 private:
  enum class Status : signed char { open, stick, slip };

  void start(const ContactProblem& problem);
  bool classify_friction(const Law& law, int k, double tau_N, const Vec& P, const Vec& xi, Status& status);
  bool classify(const ContactProblem& problem, const Vec& P, const Vec& xi);  // true: as before, and the system linear
  void build(const ContactProblem& problem);
  void spatial_slip(const ContactProblem& problem, const Law& law, int k, int a);
  bool factor_and_solve(const ContactProblem& problem);
  bool shortest(const ContactProblem& problem);
  void spread(const ContactProblem& problem, Vec& P) const;

  std::vector<Status> status_;
  Vec direction_;                // of slip, at the rows of friction; μ d for planar contacts
  Vec beta_, step_;              // β and r of a contact
  std::vector<int> row_, tied_;  // the row of an unknown; 1 where the next row follows as μ d times it
  Mat K_;
  Vec y_, scale_, best_P_;
  MinimumNorm minimum_norm_;
};

}  // namespace tappet
