// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "solvers/path/path_state.h"

namespace tappet {

// Semismooth Newton on the Alart–Curnier functions of the scaled problem,
//   F = r − (max(0, τ_N), τ_F on the disc of radius μ max(0, τ_N)),  τ = r − ρu;  joints F = u,
// with sparse factorisations of A Ĝ + B, dF = A du + B dr by blocks.
class Polish {
 public:
  // A start that is just good enough would not be in the next step of a run: resume() goes so far ahead of it.
  static constexpr double ahead = 0.1;

  // From r, Ĝ + 1e-9 I in the Jacobian only. Gives up when ‖F‖ grows tenfold or does not halve in three steps.
  // `rho` weighs velocities against impulses where a contact's status is read off r − ρu: contacts that slide slowly
  // under large impulses are told from sticking ones the sooner the larger it is.
  void quick(PathState& state, const Vec& r, int max_steps = 15, double rho = 1.0);

  // From r with the factors of the last polish, refined against the present matrix: where little has changed since, as
  // from step to step of a stack at rest, a solution without a factorisation.
  void resume(PathState& state, const Vec& r);

  // Proximal point: u = (Ĝ + α I) r + q − α r_k, α from 1e-3 down as the inner Newton method allows.
  void proximal(PathState& state, const Vec& r, int outer, int inner);

 private:
  void evaluate_pressing(const Law& law, size_t k, double tau_N, const Vec& r, const Vec& u);
  double evaluate(const ScaledProblem& problem, const Vec& r, const Vec& u);  // F, A, B; returns ‖F‖
  bool step(PathState& state, double alpha);                                  // d_ ← −(A (Ĝ + α I) + B)⁻¹ F
  void weigh(double alpha);                                                   // C ← B + α A
  void refine(PathState& state, double alpha);
  bool newton(PathState& state, double alpha, double target, int limit, Vec& r, int& steps);
  void respond(const ScaledProblem& problem, const Vec& r, Vec& u) const;

  double rho_ = 1.0;
  Vec product_, F_, d_, u_, r_, trial_, centre_, shifted_, inner_best_, proximal_r_, next_;
  std::vector<double> A_, B_, C_;  // blocks, 16 numbers a law of up to 4 rows; joints need none
  long factors_ = -1;              // those of the last step (PathState::factors)
};

}  // namespace tappet
