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

// Find P with ξ = G P + c and −ξ ∈ N_C(P) for each group of rows (law.h). G = Wᵀ M̂⁻¹ W is the Delassus operator, and c
// = Wᵀ u_free + b. The velocities are u = u_free + M̂⁻¹ W P. The laws cover the rows 0 … size − 1 without gaps, in
// order.
struct ContactProblem {
  Delassus G;
  Vec c;
  Laws laws;

  // For a part of a larger problem that is solved separately (Islands): the units in which the whole problem is judged,
  // instead of those of the part (residual.cpp). 0 means the units of the part.
  double whole_per_impulse = 0.0;  // 1/ρ
  double whole_scale = 0.0;        // its share of ‖c‖ of the whole problem

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
  double residual = 0.0;   // residual() of the point that was returned
  int solver = 0;          // the solver of a chain that gave the result (0 is the first)
  int factorisations = 0;  // the number of factorisations of matrices of the size of the problem
  int islands = 1;  // the number of islands that were solved separately; iterations are then a mean by rows, rounded up
};

// This function alone judges every solver. It does not depend on units (residual.cpp has the definition).
double residual(const ContactProblem& problem, const Vec& P);

// The same if ξ = G P + c is known.
double residual(const ContactProblem& problem, const Vec& P, const Vec& xi);

// The units in which residual() judges: 1/ρ, which converts an impulse of a contact into a velocity; the weight of a
// row of a joint; and the norm of velocities with these weights.
double velocity_per_impulse(const ContactProblem& problem);
double joint_weight(const ContactProblem& problem, double per_impulse, int row);
double norm(const ContactProblem& problem, double per_impulse, const Vec& xi);
double scale(const ContactProblem& problem, double per_impulse);  // ‖c‖, or for a part the share of the whole problem

// residual() if 1/ρ is known too, and the contribution of one law to the square of its numerator.
double residual(const ContactProblem& problem, double per_impulse, const Vec& P, const Vec& xi);
double squared_distance(const ContactProblem& problem, const Law& law, double per_impulse, const double* P,
                        const double* xi);

// Describes what is wrong with a problem (sizes, laws, numbers that are not finite); empty if nothing is. The text
// names the row or law and what was expected.
std::string fault(const ContactProblem& problem);

// Takes P as the warm start and leaves the best point that was found in it. If P is zero or has another size than the
// problem, it is a cold start. Bad input is a status and not an exception. Its text is that of fault().
struct ContactSolver {
  virtual ~ContactSolver() = default;
  virtual SolveReport solve(const ContactProblem& problem, Vec& P) = 0;
  // The form of G that this solver needs, for a problem with these numbers of rows and of velocities that the contacts
  // act on.
  virtual Delassus::Form form(int rows, int /*velocities*/) const { return Delassus::form_of(rows); }
};

}  // namespace tappet
