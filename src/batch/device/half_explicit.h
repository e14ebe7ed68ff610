// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// half-explicit-velocity
struct HalfExplicitVelocity : ForecastingTrapezoid {
  template <Effort effort>
  TAPPET_MEMBER bool step(const Parameters& p, const Time& time, double tolerance, Real* q, Real* u,
                          StepResult& result) {
    const double dt = time.dt;
    Real a_0[velocity_space], a_1[velocity_space], u_hat[velocity_space], q_1[position_space], P_plus[row_space];
    Mask closed_0[contact_space], closed_1[contact_space];
    Point at, end;
    no_impulses(result);
    place(p, real(time.t), q, at);
    close(p, at, closed_0);
    const bool some = in_any(any_contact(closed_0));
    accelerations(p, at, u, a_0);
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i) u_hat[i] = u[i] + dt * a_0[i];
    TAPPET_UNROLL
    for (int r = 0; r < rows; ++r) P_plus[r] = real(0.0);
    if ((some || joints > 0) && !forecast<effort>(p, time, tolerance, at, closed_0, some, q, u, u_hat, P_plus, result))
      return false;

    move(q, dt / 2, u, u_hat, q_1);
    place(p, real(time.t + dt), q_1, end);
    close(p, end, closed_1);
    const bool some_at_end = in_any(any_contact(closed_1));
    accelerations(p, end, u_hat, a_1);
    const Mask impulsive = some_contact_closed(closed_0, closed_1);
    Real u_1[velocity_space];
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i)
      u_1[i] = select(impulsive, u[i] + dt / 2 * (a_0[i] + a_1[i]), (u[i] + u_hat[i] + dt * a_1[i]) / 2.0);
    TAPPET_UNROLL
    for (int r = 0; r < rows; ++r) result.P[r] = real(0.0);
    Real gamma[row_space];
    if (some_at_end) {
      directions(p, end);
      rates(p, end, u_1, gamma);
      TAPPET_UNROLL
      for (int r = 0; r < rows; ++r) gamma[r] = select(impulsive & (!closed_0[r / stride]), gamma[r], real(0.0));
    }
    hold(p, end, u_1);
    if (some_at_end) {
      if (!contact_law<effort>(p, end, closed_1, KnownRates{gamma}, tolerance, memory, u_1, result)) return false;
    } else {
      memory.forget();
    }
    TAPPET_UNROLL
    for (int r = 0; r < rows; ++r) result.P[r] += select(impulsive, real(0.0), P_plus[r] / 2.0);
    TAPPET_UNROLL
    for (int i = 0; i < positions; ++i) q[i] = q_1[i];
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i) u[i] = u_1[i];
    result.converged = result.converged & (!stability.alarmed(u));
    return true;
  }

  // Impulses act along the directions at the start of the step. The law holds along those at q + dt u.
  template <Effort effort>
  TAPPET_MEMBER bool forecast(const Parameters& p, const Time& time, double tolerance, Point& at, const Mask* closed,
                              bool some, const Real* q, const Real* u, Real* u_hat, Real* P, StepResult& result) {
    Real ahead[position_space];
    Point there;
    move(q, time.dt, u, ahead);
    hold_between(p, real(time.t), q, real(time.t + time.dt), ahead, u_hat);
    if (!some) return true;
    directions(p, at);
    place(p, real(time.t + time.dt), ahead, there);
    directions(p, there);
    ContactProblem<contact_space> problem;
    rates(p, there, u_hat, problem.c);
    Real X[row_space][velocity_space];
    responses_between(p, real(time.t), q, real(time.t + time.dt), ahead, X);
    fill(p, there, X, problem.matrix);
    set_laws(p, closed, problem);
    ContactSolution<contact_space> solution;
    if (!solve_contacts<effort>(problem, tolerance, memory, solution)) return false;
    TAPPET_UNROLL
    for (int r = 0; r < rows; ++r) {
      P[r] = solution.P[r];
      TAPPET_UNROLL
      for (int i = 0; i < velocities; ++i) u_hat[i] += X[r][i] * P[r];
    }
    take(problem, tolerance, solution, result);
    return true;
  }
};
