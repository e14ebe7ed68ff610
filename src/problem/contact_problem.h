// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "math/vec.h"
#include "problem/delassus.h"
#include "problem/law.h"

namespace tappet {

// Find P with ξ = G P + c and −ξ ∈ N_C(P) row group by row group (law.h).
// G = Wᵀ M̂⁻¹ W (Delassus), c = Wᵀ u_free + b. The velocities are u = u_free + M̂⁻¹ W P.
// The laws cover the rows 0 … size − 1 without gaps, in order.
struct ContactProblem {
  Delassus G;
  Vec c;
  Laws laws;

  // Of a part of a larger problem that is solved apart (Islands): the units in which the whole is judged, in place of
  // its own (residual.cpp). 0: its own.
  double whole_per_impulse = 0.0;  // 1/ρ
  double whole_scale = 0.0;        // its share of ‖c‖

  int size() const { return c.size(); }
};

inline int contacts(const ContactProblem& problem) {
  int count = 0;
  for (const Law& law : problem.laws) count += law.kind == Law::Kind::contact;
  return count;
}

enum class SolveStatus { converged, not_converged, infeasible, bad_input };

std::string_view name(SolveStatus status);

struct SolveReport {
  SolveStatus status = SolveStatus::converged;
  int iterations = 0;      // of all solvers that were tried, each in its own unit
  double residual = 0.0;   // residual() of what was returned
  int solver = 0;          // which solver of a chain gave the result (0: the first)
  int factorisations = 0;  // of matrices of the size of the problem
  int islands = 1;         // it fell into so many, solved apart: iterations are then a mean by rows, rounded up
};

// The sole judge of every solver; does not depend on units (residual.cpp has the definition).
double residual(const ContactProblem& problem, const Vec& P);

// The same where ξ = G P + c is at hand.
double residual(const ContactProblem& problem, const Vec& P, const Vec& xi);

// The units in which residual() judges: 1/ρ, by which an impulse of a contact becomes a velocity; the weight of a row
// of a joint; and the norm of velocities with these weights.
double velocity_per_impulse(const ContactProblem& problem);
double joint_weight(const ContactProblem& problem, double per_impulse, int row);
double norm(const ContactProblem& problem, double per_impulse, const Vec& xi);
double scale(const ContactProblem& problem, double per_impulse);  // ‖c‖, or what the whole gives its part

// The judge where 1/ρ is at hand too, and what a law contributes to the square of its numerator.
double residual(const ContactProblem& problem, double per_impulse, const Vec& P, const Vec& xi);
double squared_distance(const ContactProblem& problem, const Law& law, double per_impulse, const double* P,
                        const double* xi);

// What is wrong with a problem (sizes, laws, numbers that are not finite), empty if nothing is. The text names
// the row or law and what was expected.
std::string fault(const ContactProblem& problem);

// Takes P as the warm start (zeros: cold; another size than the problem's: cold) and leaves the best point found
// in it. Bad input is a status, not an exception; the text is fault()'s.
struct ContactSolver {
  virtual ~ContactSolver() = default;
  virtual SolveReport solve(const ContactProblem& problem, Vec& P) = 0;
  // In which it wants G, where the contacts touch so many velocities.
  virtual Delassus::Form form(int rows, int /*velocities*/) const { return Delassus::form_of(rows); }
};

}  // namespace tappet
