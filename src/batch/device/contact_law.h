// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The contact law of a step with Newton's restitution.

// What a scheme remembers of the contact problem of its last step. If the active contacts form a problem of their own,
// it is nothing.
struct NoMemory {
  TAPPET_MEMBER void forget() {}
};
constexpr bool alone = by_factors && contacts > few;
template <bool nothing>
struct MemoryOfStep {
  using Type = ContactMemory;
};
template <>
struct MemoryOfStep<true> {
  using Type = NoMemory;
};
using StepMemory = MemoryOfStep<alone>::Type;

// All contacts together.
template <Effort effort, class Before>
TAPPET_FUNCTION bool law_of_all(const Parameters& p, const Point& at, const Mask* active, const Before& before,
                                double tolerance, ContactMemory& memory, Real* u, StepResult& result) {
  ContactProblem<contact_space> problem;
  ContactSolution<contact_space> solution;
  Real gamma[row_space];
  before.all(p, at, gamma);
  rates(p, at, u, problem.c);
  fill(p, at, problem.matrix);
  set_laws(p, active, problem);
  TAPPET_UNROLL
  for (int r = 0; r < rows; ++r) problem.c[r] += restitution(p, r) * gamma[r];
  if (!solve_contacts<effort>(problem, tolerance, memory, solution)) return false;
  respond(p, at, solution.P, u);
  TAPPET_UNROLL
  for (int r = 0; r < rows; ++r) result.P[r] = solution.P[r];
  take(problem, tolerance, solution, result);
  return true;
}

template <class Before>
TAPPET_RARE void rare_law_of_all(const Parameters& p, const Point& at, const Mask* active, const Before& before,
                                 double tolerance, Real* u, StepResult& result) {
  ContactMemory none;
  none.forget();
  law_of_all<Effort::all>(p, at, active, before, tolerance, none, u, result);
}

// u is the velocity without contacts, and then that after the step. False: the effort was not enough, and nothing has
// changed.
template <Effort effort, class Before>
TAPPET_FUNCTION bool contact_law(const Parameters& p, const Point& at, const Mask* active, const Before& before,
                                 double tolerance, StepMemory& memory, Real* u, StepResult& result) {
  if constexpr (!alone)
    return law_of_all<effort>(p, at, active, before, tolerance, memory, u, result);
  else {
    Real v[velocity_space];
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i) v[i] = u[i];
    StepResult found = result;
    const Mask open = !law_of_few(p, at, active, before, tolerance, v, found);
    if (in_any(open)) {
      if (effort == Effort::direct) return false;
      Real w[velocity_space];
      StepResult whole = result;
      for (int i = 0; i < velocities; ++i) w[i] = u[i];
      rare_law_of_all(p, at, active, before, tolerance, w, whole);
      for (int i = 0; i < velocities; ++i) v[i] = select(open, w[i], v[i]);
      take_where(open, whole, found);
    }
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i) u[i] = v[i];
    result = found;
    return true;
  }
}
