// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "problem/contact_problem.h"

namespace tappet {

// Predicts impulses from the way in which they last changed.
//
// A stack at rest needs the impulses P* in every step. If a step takes P* + p, the error G p does not stay as it is in
// the steps that follow with the same impulses. Velocities grow by G p per step, and gaps grow by the sum of these
// velocities. A scheme that closes the gaps within the step (stabilisation 1) therefore sees the errors 1, 3, 6, 10, …
// G p. The step that corrects them needs other impulses than P*, and so does the step after that one. All of them
// differ from P* by multiples of p. So p is the direction of the last change, and only its length has to be found.
//
// With r = P/ρ − proj_K(P/ρ − ξ̂) of residual(), the length is that of one step of Anderson's method, which makes
// ‖r + a Δr‖ smallest.
class LastChange {
 public:
  // r of these impulses, given ξ = G P + c
  static void residuals(const ContactProblem& problem, const Vec& P, const Vec& xi, Vec& r);

  // The impulses of a problem changed from P_0 to P_1, and r from r_0 to r_1.
  void learn(const Vec& P_0, const Vec& r_0, const Vec& P_1, const Vec& r_1);
  // Continues P, which has the residuals r, along the last change. Returns false if this would hardly reduce them.
  bool predict(const Vec& P, const Vec& r, Vec& predicted) const;
  void forget() { change_.resize(0); }

 private:
  Vec change_, effect_;  // ΔP and Δr; empty if there was no change
};

}  // namespace tappet
