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
//   delassus(p, point, G)        W M^-1 W' while the joints hold
//   responses(p, point, X)       M^-1 W', row by row
//   respond(p, point, P, u)      u += M^-1 W' P while the joints hold
//   displace(q, w, to)           q + w, where quaternions stay unit quaternions
constexpr int velocity_space = no_less_than_one(velocities), position_space = no_less_than_one(positions);

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

// Adds the report of a solution to that of the step.
TAPPET_FUNCTION void take(const ContactProblem& problem, const ContactSolution& solution, StepResult& result) {
  result.residual = larger(result.residual, solution.residual);
  result.iterations += solution.iterations;
  result.converged = result.converged & solution.converged;
  result.closed = real(0.0);
  TAPPET_UNROLL
  for (int k = 0; k < contacts; ++k) result.closed += zero_or_one(problem.active[k]);
}

// The active set of Moreau's schemes: a gap, or its forecast, that is not positive. A gap that shrank and is below a
// millionth of what it lost counts as closed.
struct GapMemory {
  Real before[contact_space];
  bool empty;

  TAPPET_MEMBER void start() { empty = true; }
  TAPPET_MEMBER void close(const Real* gap, Mask* active) {
    TAPPET_UNROLL
    for (int k = 0; k < contacts; ++k) {
      const Real lost = empty ? real(0.0) : before[k] - gap[k];
      active[k] = (gap[k] <= 0.0) | (gap[k] <= 1e-6 * lost);
      before[k] = gap[k];
    }
    empty = false;
  }
};

// The contact law at a point, with Newton's restitution of gamma_before.
TAPPET_FUNCTION void contact_law(const Parameters& p, const Point& at, const Mask* active, const Real* gamma_before,
                                 double tolerance, Real* last, Real* u, StepResult& result) {
  ContactProblem problem;
  rates(p, at, u, problem.c);
  delassus(p, at, problem.G);
  TAPPET_UNROLL
  for (int k = 0; k < contacts; ++k) problem.active[k] = active[k], problem.mu[k] = p.mu[k];
  ContactSolution solution;
  TAPPET_UNROLL
  for (int r = 0; r < rows; ++r) {
    problem.c[r] += restitution(p, r) * gamma_before[r];
    solution.P[r] = select(active[r / stride], last[r], real(0.0));
  }
  solve_contacts(problem, tolerance, solution);
  respond(p, at, solution.P, u);
  TAPPET_UNROLL
  for (int r = 0; r < rows; ++r) last[r] = result.P[r] = solution.P[r];
  take(problem, solution, result);
}

// moreau-midpoint
struct MoreauMidpoint {
  GapMemory gaps;
  Real last[row_space];

  TAPPET_MEMBER void start(const Parameters&, double, const Real*) {
    gaps.start();
    no_rows(last);
  }

  TAPPET_MEMBER void step(const Parameters& p, const Time& time, double tolerance, Real* q, Real* u,
                          StepResult& result) {
    Real q_M[position_space], u_1[velocity_space], gamma[row_space];
    Mask active[contact_space];
    Point at;
    no_impulses(result);
    move(q, time.dt / 2, u, q_M);
    place(p, real(time.t + time.dt / 2), q_M, at);
    accelerations(p, at, u, u_1);
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i) u_1[i] = u[i] + time.dt * u_1[i];
    hold(p, at, u_1);
    gaps.close(at.gap, active);
    if (in_any(any_contact(active))) {
      directions(p, at);
      rates(p, at, u, gamma);
      contact_law(p, at, active, gamma, tolerance, last, u_1, result);
    } else {
      no_rows(last);
    }
    move(q, time.dt / 2, u, u_1, q);
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i) u[i] = u_1[i];
  }
};

// moreau-explicit
struct MoreauExplicit {
  GapMemory gaps;
  Real last[row_space];

  TAPPET_MEMBER void start(const Parameters&, double, const Real*) {
    gaps.start();
    no_rows(last);
  }

  TAPPET_MEMBER void step(const Parameters& p, const Time& time, double tolerance, Real* q, Real* u,
                          StepResult& result) {
    Real q_1[position_space], u_1[velocity_space], gamma[row_space], forecast[contact_space];
    Mask active[contact_space];
    Point at, end;
    no_impulses(result);
    place(p, real(time.t), q, at);
    directions(p, at);
    rates(p, at, u, gamma);
    TAPPET_UNROLL
    for (int k = 0; k < contacts; ++k) forecast[k] = at.gap[k] + time.dt / 2 * gamma[stride * k];
    gaps.close(forecast, active);
    move(q, time.dt, u, q_1);
    accelerations(p, at, u, u_1);
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i) u_1[i] = u[i] + time.dt * u_1[i];
    const bool some = in_any(any_contact(active));
    if (some || joints > 0) place(p, real(time.t + time.dt), q_1, end);
    if (joints > 0) hold(p, end, u_1);
    if (some) {
      directions(p, end);
      contact_law(p, end, active, gamma, tolerance, last, u_1, result);
    } else {
      no_rows(last);
    }
    TAPPET_UNROLL
    for (int i = 0; i < positions; ++i) q[i] = q_1[i];
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i) u[i] = u_1[i];
  }
};

// What half-explicit-velocity and explicit-velocity have in common.
struct ForecastingTrapezoid {
  Real last[row_space];

  TAPPET_MEMBER void start(const Parameters&, double, const Real*) { no_rows(last); }

  TAPPET_MEMBER static void close(const Parameters& p, const Point& at, Mask* closed) {
    TAPPET_UNROLL
    for (int k = 0; k < contacts; ++k) closed[k] = at.gap[k] <= p.touching[k];
  }

  // The end of the step. The free velocity is that of the corrector, or that of an impact where a contact closed.
  // Contacts that stayed closed restore nothing.
  TAPPET_MEMBER static Mask some_contact_closed(const Mask* before, const Mask* now) {
    Mask some = !all_true();
    TAPPET_UNROLL
    for (int k = 0; k < contacts; ++k) some = some | (now[k] & (!before[k]));
    return some;
  }
};

// half-explicit-velocity
struct HalfExplicitVelocity : ForecastingTrapezoid {
  TAPPET_MEMBER void step(const Parameters& p, const Time& time, double tolerance, Real* q, Real* u,
                          StepResult& result) {
    const double dt = time.dt;
    Real a_0[velocity_space], a_1[velocity_space], u_hat[velocity_space], q_1[position_space], P_plus[row_space];
    Mask closed_0[contact_space], closed_1[contact_space];
    Point at, end;
    no_impulses(result);
    place(p, real(time.t), q, at);
    close(p, at, closed_0);
    accelerations(p, at, u, a_0);
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i) u_hat[i] = u[i] + dt * a_0[i];
    TAPPET_UNROLL
    for (int r = 0; r < rows; ++r) P_plus[r] = real(0.0);
    if (in_any(any_contact(closed_0))) forecast(p, time, tolerance, at, closed_0, q, u, u_hat, P_plus, result);

    move(q, dt / 2, u, u_hat, q_1);
    place(p, real(time.t + dt), q_1, end);
    close(p, end, closed_1);
    accelerations(p, end, u_hat, a_1);
    const Mask impulsive = some_contact_closed(closed_0, closed_1);
    Real u_1[velocity_space];
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i)
      u_1[i] = select(impulsive, u[i] + dt / 2 * (a_0[i] + a_1[i]), (u[i] + u_hat[i] + dt * a_1[i]) / 2.0);
    TAPPET_UNROLL
    for (int r = 0; r < rows; ++r) result.P[r] = real(0.0);
    if (in_any(any_contact(closed_1))) {
      Real gamma[row_space];
      directions(p, end);
      rates(p, end, u_1, gamma);
      TAPPET_UNROLL
      for (int r = 0; r < rows; ++r) gamma[r] = select(impulsive & (!closed_0[r / stride]), gamma[r], real(0.0));
      contact_law(p, end, closed_1, gamma, tolerance, last, u_1, result);
    } else {
      no_rows(last);
    }
    TAPPET_UNROLL
    for (int r = 0; r < rows; ++r) result.P[r] += select(impulsive, real(0.0), P_plus[r] / 2.0);
    TAPPET_UNROLL
    for (int i = 0; i < positions; ++i) q[i] = q_1[i];
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i) u[i] = u_1[i];
  }

  // Impulses act along the directions at the start of the step. The law holds along those at q + dt u.
  TAPPET_MEMBER void forecast(const Parameters& p, const Time& time, double tolerance, Point& at, const Mask* closed,
                              const Real* q, const Real* u, Real* u_hat, Real* P, StepResult& result) {
    Real ahead[position_space], X[row_space][velocity_space], y[row_space];
    Point there;
    directions(p, at);
    move(q, time.dt, u, ahead);
    place(p, real(time.t + time.dt), ahead, there);
    directions(p, there);
    responses(p, at, X);
    ContactProblem problem;
    rates(p, there, u_hat, problem.c);
    TAPPET_UNROLL
    for (int s = 0; s < rows; ++s) {
      products(p, there, X[s], y);
      TAPPET_UNROLL
      for (int r = 0; r < rows; ++r) problem.G[r][s] = y[r];
    }
    TAPPET_UNROLL
    for (int k = 0; k < contacts; ++k) problem.active[k] = closed[k], problem.mu[k] = p.mu[k];
    ContactSolution solution;
    TAPPET_UNROLL
    for (int r = 0; r < rows; ++r) solution.P[r] = select(closed[r / stride], last[r], real(0.0));
    solve_contacts(problem, tolerance, solution);
    respond(p, at, solution.P, u_hat);
    TAPPET_UNROLL
    for (int r = 0; r < rows; ++r) last[r] = P[r] = solution.P[r];
    take(problem, solution, result);
  }
};

// explicit-velocity
struct ExplicitVelocity : ForecastingTrapezoid {
  TAPPET_MEMBER void step(const Parameters& p, const Time& time, double tolerance, Real* q, Real* u,
                          StepResult& result) {
    const double dt = time.dt;
    Real a_0[velocity_space], a_1[velocity_space], u_hat[velocity_space], q_1[position_space], none[row_space],
        P_plus[row_space], gamma[row_space];
    Mask closed_0[contact_space], closed_1[contact_space];
    Point at, end;
    no_impulses(result);
    TAPPET_UNROLL
    for (int r = 0; r < rows; ++r) none[r] = P_plus[r] = real(0.0);
    place(p, real(time.t), q, at);
    close(p, at, closed_0);
    accelerations(p, at, u, a_0);
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i) u_hat[i] = u[i];
    if (in_any(any_contact(closed_0))) {
      directions(p, at);
      contact_law(p, at, closed_0, none, tolerance, last, u_hat, result);
      TAPPET_UNROLL
      for (int r = 0; r < rows; ++r) P_plus[r] = result.P[r];
    }
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i) u_hat[i] += dt * a_0[i];

    move(q, dt / 2, u, u_hat, q_1);
    place(p, real(time.t + dt), q_1, end);
    close(p, end, closed_1);
    accelerations(p, end, u_hat, a_1);
    const Mask impulsive = some_contact_closed(closed_0, closed_1);
    Real u_1[velocity_space];
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i) u_1[i] = select(impulsive, u[i] + dt / 2 * (a_0[i] + a_1[i]), u_hat[i]);
    TAPPET_UNROLL
    for (int r = 0; r < rows; ++r) result.P[r] = real(0.0);
    if (in_any(any_contact(closed_1))) {
      directions(p, end);
      rates(p, end, u_1, gamma);
      TAPPET_UNROLL
      for (int r = 0; r < rows; ++r) gamma[r] = select(impulsive & (!closed_0[r / stride]), gamma[r], real(0.0));
      contact_law(p, end, closed_1, gamma, tolerance, last, u_1, result);
    }
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i) u_1[i] = select(impulsive, u_1[i], (u[i] + u_1[i] + dt * a_1[i]) / 2.0);
    TAPPET_UNROLL
    for (int r = 0; r < rows; ++r) result.P[r] = select(impulsive, result.P[r], (P_plus[r] + result.P[r]) / 2.0);
    TAPPET_UNROLL
    for (int i = 0; i < positions; ++i) q[i] = q_1[i];
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i) u[i] = u_1[i];
  }
};
