// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// moreau-jean with theta = 1/2. What it needs of the model beside the functions of schemes.h:
//   forces(p, t, q, u, F)     F
//   inertia(p, t, q, x, y)    M x
//   theta_step(...), theta_responses(...)    one iteration of Newton's method, with the joints eliminated
//   pushes(...)               the momentum that given impulses of joints and contacts add
struct MoreauJean {
  GapMemory gaps;
  ContactMemory memory;
  ActiveMemory actives;
  Extrapolation smooth;

  TAPPET_MEMBER void start() {
    gaps.start();
    memory.forget();
    actives.start();
    smooth.start();
  }

  template <Effort effort>
  TAPPET_MEMBER bool step(const Parameters& p, const Time& time, double tolerance, Real* q, Real* u,
                          StepResult& result) {
    constexpr double theta = 0.5, newton_tolerance = 1e-10, round_off = 2e-15, settled = 1e-13, slow = 1e-3;
    constexpr int most = 30;
    const double dt = time.dt, t_m = time.t + theta * dt, t_1 = time.t + dt;
    Real gamma[row_space];
    Mask active[contact_space];
    Point at;
    place(p, real(time.t), q, at);
    gaps.close(at.gap, active);
    const bool some = in_any(any_contact(active));
    if (some) {
      directions(p, at);
      rates(p, at, u, gamma);
    }
    Real v[velocity_space], v_before[velocity_space], q_1[position_space], q_m[position_space], u_m[velocity_space];
    Real q_h[position_space], u_h[velocity_space], P_J[joint_space];
    StepResult last;
    no_impulses(last);
    smooth.guess(u, dt, v);
    Mask busy = all_true(), stale = all_true(), failed = !all_true();
    Real residual_before = real(1e300), missed = real(0.0);
    TAPPET_UNROLL
    for (int k = 0; k < joints; ++k) P_J[k] = real(0.0);
    for (int iteration = 0;; ++iteration) {
      Real w[velocity_space], F[velocity_space], r[velocity_space], size = real(0.0);
      TAPPET_UNROLL
      for (int i = 0; i < velocities; ++i) {
        u_m[i] = (1 - theta) * u[i] + theta * v[i];
        w[i] = dt * u_m[i];
      }
      displace(q, w, q_1);
      TAPPET_UNROLL
      for (int i = 0; i < velocities; ++i) w[i] = w[i] * theta;
      displace(q, w, q_m);
      forces(p, real(t_m), q_m, u_m, F);
      TAPPET_UNROLL
      for (int i = 0; i < velocities; ++i) w[i] = v[i] - u[i];
      inertia(p, real(t_m), q_m, w, r);
      TAPPET_UNROLL
      for (int i = 0; i < velocities; ++i) {
        size = larger(size, larger(abs_of(r[i]), abs_of(dt * F[i])));
        r[i] = dt * F[i] - r[i];
      }
      if (iteration > 0) {
        Real residual = real(0.0), change = real(0.0), largest = real(0.0);
        pushes(p, real(t_m), q_m, real(t_1), q_1, P_J, last.P, w);
        TAPPET_UNROLL
        for (int i = 0; i < velocities; ++i) {
          residual = larger(residual, abs_of(r[i] + w[i]));
          size = larger(size, abs_of(w[i]));
          change = larger(change, abs_of(v[i] - v_before[i]));
          largest = larger(largest, abs_of(v[i]));
        }
        stale = residual > slow * residual_before;
        Mask holds = residual <= newton_tolerance * size;
        inertia(p, real(t_m), q_m, v, w);
        TAPPET_UNROLL
        for (int i = 0; i < velocities; ++i) holds = holds | (residual <= round_off * abs_of(w[i]));
        if (iteration > 1) holds = holds | (change <= settled * largest);
        residual_before = residual;
        busy = busy & (!holds);
        const Mask bad = busy & (iteration == most ? all_true() : !(residual < 1e300));
        failed = failed | bad;
        missed = select(bad, residual / size, missed);
        busy = busy & (!bad);
        if (!in_any(busy)) break;
      }
      TAPPET_UNROLL
      for (int i = 0; i < positions; ++i) q_h[i] = select(stale, q_m[i], q_h[i]);
      TAPPET_UNROLL
      for (int i = 0; i < velocities; ++i) u_h[i] = select(stale, u_m[i], u_h[i]);
      Real next[velocity_space], next_J[joint_space];
      theta_step(p, real(theta * dt), real(t_m), q_h, u_h, q_m, real(t_1), q_1, r, v, next, next_J);
      StepResult found;
      no_impulses(found);
      if (some) {
        Real X[row_space][velocity_space], Y[row_space][joint_space];
        theta_responses(p, real(theta * dt), real(t_m), q_h, u_h, q_m, real(t_1), q_1, X, Y);
        Point end;
        place(p, real(t_1), q_1, end);
        directions(p, end);
        ContactProblem<contact_space> problem;
        ContactSolution<contact_space> solution;
        rates(p, end, next, problem.c);
        fill(p, end, X, problem.matrix);
        set_laws(p, active, problem);
        TAPPET_UNROLL
        for (int s = 0; s < rows; ++s) problem.c[s] += restitution(p, s) * gamma[s];
        if (!solve_contacts<effort>(problem, tolerance, memory, solution)) return false;
        TAPPET_UNROLL
        for (int s = 0; s < rows; ++s) {
          found.P[s] = solution.P[s];
          TAPPET_UNROLL
          for (int i = 0; i < velocities; ++i) next[i] += X[s][i] * solution.P[s];
          TAPPET_UNROLL
          for (int k = 0; k < joints; ++k) next_J[k] += Y[s][k] * solution.P[s];
        }
        take(problem, tolerance, solution, found);
      } else {
        memory.forget();
      }
      TAPPET_UNROLL
      for (int i = 0; i < velocities; ++i) {
        v_before[i] = v[i];
        v[i] = select(busy, next[i], v[i]);
      }
      TAPPET_UNROLL
      for (int k = 0; k < joints; ++k) P_J[k] = select(busy, next_J[k], P_J[k]);
      TAPPET_UNROLL
      for (int s = 0; s < rows; ++s) last.P[s] = select(busy, found.P[s], last.P[s]);
      last.iterations += select(busy, found.iterations, real(0.0));
      last.residual = select(busy, found.residual, last.residual);
      last.converged = (busy & found.converged) | ((!busy) & last.converged);
      last.closed = found.closed;
    }
    last.converged = last.converged & (!failed);
    last.residual = larger(last.residual, missed);
    smooth.learn(last.converged & (!actives.some_enter(active)), u, v, dt);
    actives.keep(active);
    gaps.keep(at.gap);
    result = last;
    TAPPET_UNROLL
    for (int i = 0; i < positions; ++i) q[i] = q_1[i];
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i) u[i] = v[i];
    return true;
  }
};
