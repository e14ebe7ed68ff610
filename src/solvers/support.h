// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "problem/contact_problem.h"

namespace tappet {

// xi = G P + c
inline void respond(const ContactProblem& problem, const Vec& P, Vec& xi) {
  xi.resize(problem.size());
  problem.G.multiply(P, xi);
  for (int i = 0; i < xi.size(); ++i) xi[i] += problem.c[i];
}

// The clock is read rarely, because it only decides when a solver that makes no progress should stop.
class Deadline {
 public:
  explicit Deadline(double seconds)
      : end_(std::chrono::steady_clock::now() +
             std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds))) {}
  bool passed() const { return std::chrono::steady_clock::now() > end_; }
  double left() const {  // seconds, negative once it has passed
    return std::chrono::duration<double>(end_ - std::chrono::steady_clock::now()).count();
  }

 private:
  std::chrono::steady_clock::time_point end_;
};

// A warm start of the wrong size is replaced by a cold one.
inline void prepare_start(const ContactProblem& problem, Vec& P) {
  if (P.size() != problem.size()) P.assign(problem.size(), 0.0);
  for (double x : P)
    if (!std::isfinite(x)) return P.set_zero();
}

// Whether impulses are so large that the rounding of P/ρ hides errors of the size of the tolerance from residual(). If
// no solution exists, a method may run away to such impulses, and its e may even be 0.
inline bool beyond_judgement(const ContactProblem& problem, const Vec& P, double tolerance) {
  constexpr double rounding = 2.2e-16;
  const double per_impulse = velocity_per_impulse(problem);
  double largest = 0.0;
  for (double x : P) largest = std::max(largest, std::abs(x));
  return !(rounding * largest * per_impulse <= 0.1 * tolerance * scale(problem, per_impulse));
}

// Refuses bad input, skips empty problems, runs `solve` and computes the residual of the P that it leaves.
template <class Solve>
SolveReport run_checked(const ContactProblem& problem, Vec& P, Solve&& solve) {
  if (!fault(problem).empty()) return {SolveStatus::bad_input, 0, HUGE_VAL};
  prepare_start(problem, P);
  if (problem.size() == 0) return {};
  return solve();
}

// G by columns: ξ of all rows after P changed by dP at `row`.
void add_response(const Delassus& G, int row, int rows, const double* dP, Vec& xi);

// Factored G: ξ of the rows of a law from all velocities, and the change of velocities by an impulse there.
void row_velocity(const Delassus& G, int part, const Law& law, const Vec& velocity, const Vec& c, double* xi);
void add_velocity(const Delassus& G, int part, const Law& law, const double* dP, Vec& velocity);

}  // namespace tappet
