// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The schemes, as in src/steppers. What they need of the model is written for it:
//   struct Parameters            numbers that do not change during a run: parameters, mu[], e_N[], e_F[], touching[]
//   struct Point                 what was computed at one time and position, gap[] among it
//   place(p, t, q, point)        fills it
//   directions(p, point)         adds what contacts need
//   accelerations(p, point, u, a)    M^-1 h
//   hold(p, point, u)            the nearest velocity in the sense of M that fulfils the joints
//   rates(p, point, u, gamma)    W u + chi of all rows of contacts
//   products(p, point, u, y)     W u
//   contact_rows(p, point, W), drifts(p, point, chi)
//                                W, in the columns of bodies that have contacts, and chi
//   compliance(p, point, C)      M^-1 in these columns while the joints hold
//   push(p, point, w, u)         u += M^-1 w for momenta w in these columns while the joints hold
//   delassus(p, point, G)        W M^-1 W' while the joints hold
//   responses(p, point, X)       M^-1 W', row by row
//   respond(p, point, P, u)      u += M^-1 W' P while the joints hold
//   displace(q, w, to)           q + w, where quaternions stay unit quaternions
//
// step<effort> returns false if the effort was not enough.
// What a step leaves beside the state.
struct StepResult {
  Real P[row_space];
  Real residual, iterations, closed;
  Mask converged;
};

struct Time {
  double t, dt;
  double slack;  // of comparisons of times, which are multiples of dt and rounded
};

TAPPET_FUNCTION void move(const Real* q, double h, const Real* u, Real* to) {
  Real w[velocity_space];
  TAPPET_UNROLL
  for (int i = 0; i < velocities; ++i) w[i] = h * u[i];
  displace(q, w, to);
}

TAPPET_FUNCTION void move(const Real* q, double h, const Real* u, const Real* v, Real* to) {
  Real w[velocity_space];
  TAPPET_UNROLL
  for (int i = 0; i < velocities; ++i) w[i] = h * (u[i] + v[i]);
  displace(q, w, to);
}

TAPPET_FUNCTION Mask any_contact(const Mask* active) {
  Mask some = !all_true();
  TAPPET_UNROLL
  for (int k = 0; k < contacts; ++k) some = some | active[k];
  return some;
}

TAPPET_FUNCTION void no_rows(Real* x) {
  TAPPET_UNROLL
  for (int r = 0; r < rows; ++r) x[r] = real(0.0);
}

TAPPET_FUNCTION void no_impulses(StepResult& result) {
  no_rows(result.P);
  result.residual = real(0.0), result.iterations = real(0.0), result.closed = real(0.0);
  result.converged = all_true();
}

TAPPET_FUNCTION Real restitution(const Parameters& p, int row) {
  return row % stride > 0 ? p.e_F[row / stride] : p.e_N[row / stride];
}

// The active set of Moreau's schemes: a gap, or its forecast, that is not positive. A gap that shrank and is below a
// millionth of what it lost counts as closed.
struct GapMemory {
  Real before[contact_space];

  TAPPET_MEMBER void start() {
    TAPPET_UNROLL
    for (int k = 0; k < contacts; ++k) before[k] = real(-1e300);
  }
  TAPPET_MEMBER void close(const Real* gap, Mask* active) const {
    TAPPET_UNROLL
    for (int k = 0; k < contacts; ++k) active[k] = (gap[k] <= 0.0) | (gap[k] <= 1e-6 * (before[k] - gap[k]));
  }
  TAPPET_MEMBER void keep(const Real* gap) {
    TAPPET_UNROLL
    for (int k = 0; k < contacts; ++k) before[k] = gap[k];
  }
};

// Adds the report of a solution to that of the step.
template <int K>
TAPPET_FUNCTION void take(const ContactProblem<K>& problem, double tolerance, const ContactSolution<K>& solution,
                          StepResult& result) {
  result.residual = larger(result.residual, solution.residual);
  result.iterations += solution.iterations;
  result.converged = result.converged & (solution.residual <= tolerance);
  result.closed = real(0.0);
  TAPPET_UNROLL
  for (int k = 0; k < contacts; ++k) result.closed += zero_or_one(problem.active[k]);
}

// Takes another result where the mask holds.
TAPPET_FUNCTION void take_where(Mask where, const StepResult& other, StepResult& result) {
  TAPPET_UNROLL
  for (int r = 0; r < rows; ++r) result.P[r] = select(where, other.P[r], result.P[r]);
  result.residual = select(where, other.residual, result.residual);
  result.iterations = select(where, other.iterations, result.iterations);
  result.closed = select(where, other.closed, result.closed);
  result.converged = (where & other.converged) | ((!where) & result.converged);
}

// The laws of the contacts of a problem.
template <int K>
TAPPET_FUNCTION void set_laws(const Parameters& p, const Mask* active, ContactProblem<K>& problem) {
  TAPPET_UNROLL
  for (int k = 0; k < contacts; ++k)
    problem.active[k] = active[k], problem.mu[k] = p.mu[k],
    problem.friction[k] = is_friction(k) ? all_true() : !all_true();
}
