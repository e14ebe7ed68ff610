// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "math/minimum_norm.h"
#include "problem/contact_problem.h"

namespace tappet {

// Semismooth Newton on the Alart–Curnier functions for small dense problems. It is written for the next P and not for a
// step. With r = rows / tr G_kk and τ = P − r ξ, the status of each contact follows from τ:
//   τ_N ≤ 0                      open   P = 0
//   τ_N > 0, ‖τ_F‖ ≤ μ τ_N       stick  ξ_N = 0, ξ_F = 0
//   otherwise                    slip   ξ_N = 0, P_F = μ P_N d + β (I − ddᵀ)(P_F − r ξ_F),  d = τ_F/‖τ_F‖,
//                                       β = μ τ_N/‖τ_F‖
// This is a linear system in P. If friction is planar, its solution is exact as soon as the statuses are right. If
// friction is spatial, it converges quadratically. Joints are rows ξ = 0. Only the rows in play are factorised (LU
// without pivoting, which is safe while every pivot keeps 1e-9 of its diagonal). If rows depend on each other, P is not
// unique, and `Choice` says which is taken. The shortest does not depend on the start. But it may lie far from it,
// where other contacts stick or slip, so that the statuses go round in circles. The nearest to the iterate leaves them
// as they are where it can.
class DenseNewton {
 public:
  struct Result {
    double residual;
    int iterations, factorisations;
    bool dependent = false;  // whether rows depended on each other, so that impulses are not unique
  };

  enum class Choice { shortest, nearest };

  // P is the start on entry and the best point on return, and xi is G P + c of it. It stops at round-off, if the
  // statuses no longer change, or if it makes no progress.
  Result solve(const ContactProblem& problem, int max_iterations, Vec& P, Vec& xi, Choice choice = Choice::shortest);

  void forget() { kept_status_.clear(); }  // the factors of the last solution

 private:
  enum class Status : signed char { open, stick, slip };

  void start(const ContactProblem& problem);
  static bool costs_much(const ContactProblem& problem);
  double correct(const ContactProblem& problem, Vec& P, Vec& xi);
  bool classify_friction(const Law& law, int k, double tau_N, const Vec& P, const Vec& xi, Status& status);
  // true if the statuses are as before and the system is linear
  bool classify(const ContactProblem& problem, const Vec& P, const Vec& xi);
  void build(const ContactProblem& problem);
  void spatial_slip(const ContactProblem& problem, const Law& law, int k, int a);
  bool factor_and_solve(const ContactProblem& problem, const Vec& P, Choice choice);
  bool solve_dependent(const ContactProblem& problem, const Vec& P, Choice choice);
  void spread(const ContactProblem& problem, Vec& P) const;

  std::vector<Status> status_;
  Vec direction_;                // of slip, at the rows of friction; μ d for planar contacts
  Vec beta_, step_;              // β and r of each contact
  std::vector<int> row_, tied_;  // the row of an unknown; 1 if the next row is μ d times it
  Mat K_;
  Vec y_, scale_, present_, best_P_;
  MinimumNorm minimum_norm_;
  std::vector<Status>
      kept_status_;         // with which it was factorised; empty if a contact slid, or if there are no factors
  bool dependent_ = false;  // whether rows depended on each other in this solve
};

}  // namespace tappet
