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
  // If a start is just good enough, it will not be in the next step of a run. So resume() continues this much further.
  static constexpr double ahead = 0.02;

  // Starts from r, with Ĝ + shift I only in the Jacobian. Gives up if ‖F‖ grows tenfold or does not halve in three
  // steps. The status of a contact is determined from r − ρu. A larger `rho` gives more weight to velocities, so
  // contacts that slide slowly under large impulses are distinguished from sticking ones earlier.
  //
  // Impulses between stacked bodies are not unique. F has a small part that no impulses remove, because gaps are
  // rounded, and the impulses change by this part over the shift. With the usual shift they may change so much that
  // contacts open. With a shift of `near` they stay near a start that is nearly right, and the error is reduced as far
  // as in resume().
  static constexpr double usual = 1e-9, near = 1e-7;
  void quick(PathState& state, const Vec& r, int max_steps = 15, double rho = 1.0, double shift = usual);

  // Starts from r with the factors of the last polish, refined with respect to the present matrix. If little has
  // changed since then, as from step to step of a stack at rest, this gives a solution without a factorisation.
  // Returns false if there are no factors, or if they hardly reduce the error.
  bool resume(PathState& state, const Vec& r);
  // Whether others may do better, because there are none or because these have served many times.
  bool are_old(const PathState& state) const { return !has_factors(state) || resumed_ > 20; }

  void forget() { rho_ = 1.0, shift_ = usual, factors_ = -1; }  // the factors

  // Proximal point method: u = (Ĝ + α I) r + q − α r_k, where α decreases from 1e-3 as the inner Newton method allows.
  void proximal(PathState& state, const Vec& r, int outer, int inner);

  // Follows the flow dr/dt ∈ −û − N_K(r) in implicit steps that are as long as Newton's method allows
  // (polish_flow.cpp). `prox` and `gauss-seidel` follow the same flow in small explicit steps, which are slow if masses
  // differ much. Ends if there is no progress, or after this number of factorisations.
  void flow(PathState& state, const Vec& r, int max_factorisations);

 private:
  bool has_factors(const PathState& state) const { return factors_ == state.factors; }
  void evaluate_pressing(const Law& law, size_t k, double tau_N, const Vec& r, const Vec& u);
  double evaluate(const ScaledProblem& problem, const Vec& r, const Vec& u);  // F, A, B; returns ‖F‖
  bool step(PathState& state, double alpha);                                  // d_ ← −(A (Ĝ + α I) + B)⁻¹ F
  void weigh(double alpha);                                                   // C ← B + α A
  void refine(PathState& state, double alpha);
  bool flow_step(PathState& state, double alpha, int& steps);
  bool newton(PathState& state, double alpha, double target, int limit, Vec& r, int& steps);
  void respond(const ScaledProblem& problem, const Vec& r, Vec& u) const;

  double rho_ = 1.0, shift_ = usual;
  Vec product_, F_, d_, u_, r_, trial_, centre_, shifted_, inner_best_, proximal_r_, next_, flow_r_;
  std::vector<double> A_, B_, C_;  // blocks with 16 numbers per law of up to 4 rows; joints need none
  long factors_ = -1;              // the factors of the last step (PathState::factors)
  int resumed_ = 0;                // how often they have served since then
};

}  // namespace tappet
