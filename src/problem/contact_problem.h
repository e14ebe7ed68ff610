// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "math/vec.h"
#include "problem/delassus.h"
#include "problem/law.h"

namespace tappet {

// Find P with ξ = G P + c and −ξ ∈ N_C(P) row group by row group (law.h).
// G = Wᵀ M̂⁻¹ W (Delassus), c = Wᵀ u_free + b. The velocities are u = u_free + M̂⁻¹ W P.
struct ContactProblem {
  Delassus G;
  Vec c;
  Laws laws;
};

enum class SolveStatus { converged, not_converged, infeasible, bad_input };

struct SolveReport {
  SolveStatus status = SolveStatus::converged;
  int iterations = 0;       // of the solver that ended the chain, in its own unit
  double residual = 0.0;    // residual() of what was returned
  int solver = 0;           // which solver of a chain gave the result (0: the first)
};

// The sole judge of every solver; does not depend on units (residual.cpp has the definition).
double residual(const ContactProblem& problem, const Vec& P);

// Takes P as the warm start (zeros: cold) and leaves the best point found in it.
struct ContactSolver {
  virtual ~ContactSolver() = default;
  virtual SolveReport solve(const ContactProblem& problem, Vec& P) = 0;
};

}  // namespace tappet
