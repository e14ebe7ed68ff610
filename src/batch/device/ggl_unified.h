// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// ggl-unified, as in src/steppers/ggl. What it needs of the model beside the functions of schemes.h:
//   free_balance(...), touching_balance(...)    the terms of the balance of momentum, and the rows of joints (and of
//                                               contacts) at the end of the step
//   free_solve(...), touching_solve(...)        an iteration of Newton's method without contacts
//   touching_responses(...)                     what the impulses and multipliers of contacts add to it
struct GglUnified {
  ContactMemory memory;
  Extrapolation smooth;
  Real P_before[joint_space];

  TAPPET_MEMBER void start() {
    memory.forget();
    smooth.start();
    TAPPET_UNROLL
    for (int k = 0; k < joints; ++k) P_before[k] = real(0.0);
  }

  // The iterate, and what belongs to it.
  struct Iterate {
    Real v[velocity_space], s[velocity_space];
    Real P_J[joint_space], P[row_space];      // impulses
    Real T_J[joint_space], T[contact_space];  // multipliers of positions
    Real q_1[position_space];
    Real residual, iterations;
    Mask converged;
  };

  template <Effort effort>
  TAPPET_MEMBER bool step(const Parameters& p, const Time& time, double tolerance, Real* q, Real* u,
                          StepResult& result) {
    constexpr double gap_tolerance = 1e-15;
    Iterate now;
    smooth.guess(u, time.dt, now.v);
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i) now.s[i] = real(0.0);
    TAPPET_UNROLL
    for (int k = 0; k < joints; ++k) now.P_J[k] = P_before[k], now.T_J[k] = real(0.0);
    TAPPET_UNROLL
    for (int k = 0; k < contacts; ++k) now.T[k] = real(0.0);
    no_rows(now.P);
    now.residual = now.iterations = real(0.0);
    now.converged = all_true();
    Mask active[contact_space], busy = all_true();
    TAPPET_UNROLL
    for (int k = 0; k < contacts; ++k) active[k] = !all_true();
    if (!pass<effort, false>(p, time, tolerance, q, u, active, busy, now)) return false;
    for (int passes = 1; passes <= contacts + 1 && contacts > 0; ++passes) {
      Point end;
      place(p, real(time.t + time.dt), now.q_1, end);
      const double limit = passes == 1 ? 0.0 : -10 * gap_tolerance;
      Mask added = !all_true();
      TAPPET_UNROLL
      for (int k = 0; k < contacts; ++k) {
        const Mask joins = busy & now.converged & (!active[k]) & (end.gap[k] <= limit);
        active[k] = active[k] | joins;
        added = added | joins;
      }
      busy = added;
      if (!in_any(busy)) break;
      if (effort == Effort::direct) return false;
      TAPPET_UNROLL
      for (int k = 0; k < joints; ++k) now.P_J[k] = select(busy, real(0.0), now.P_J[k]);
      TAPPET_UNROLL
      for (int r = 0; r < rows; ++r) now.P[r] = select(busy, real(0.0), now.P[r]);
      if constexpr (contacts > 0)
        if (!pass<effort, true>(p, time, tolerance, q, u, active, busy, now)) return false;
    }
    const Mask touches = any_contact(active);
    smooth.learn(now.converged & (!touches), u, now.v, time.dt);
    TAPPET_UNROLL
    for (int k = 0; k < joints; ++k) P_before[k] = select(touches, real(0.0), now.P_J[k]);
    no_impulses(result);
    TAPPET_UNROLL
    for (int r = 0; r < rows; ++r) result.P[r] = now.P[r];
    TAPPET_UNROLL
    for (int k = 0; k < contacts; ++k) result.closed += zero_or_one(active[k]);
    result.residual = now.residual, result.iterations = now.iterations;
    result.converged = now.converged & (now.residual <= tolerance);
    TAPPET_UNROLL
    for (int i = 0; i < positions; ++i) q[i] = now.q_1[i];
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i) u[i] = now.v[i];
    return true;
  }

  // Newton's method with given active contacts, for the instances of `asked`.
  template <Effort effort, bool touching>
  TAPPET_MEMBER bool pass(const Parameters& p, const Time& time, double tolerance, const Real* q, const Real* u,
                          const Mask* active, Mask asked, Iterate& now) {
    constexpr double theta = 0.5, newton_tolerance = 1e-12, gap_tolerance = 1e-15, round_off = 2e-15;
    constexpr int most = 30, judged = joints + (touching ? rows : 0),
                  placed = held_positions + (touching ? contacts : 0);
    const double dt = time.dt, a = theta * dt, t_m = time.t + dt / 2, t_1 = time.t + dt;
    Real q_M[position_space], gamma_0[row_space];
    move(q, dt / 2, u, q_M);
    if (touching) {
      Point at;
      place(p, real(time.t), q, at);
      directions(p, at);
      rates(p, at, u, gamma_0);
    }
    Real momentum_scale = real(0.0), before = real(1e300), rate = real(0.0);
    Real seen[no_less_than_one(judged)], seen_g[no_less_than_one(placed)];  // what the linear system promised
    Mask busy = asked;
    for (int iteration = 0;; ++iteration) {
      Real u_m[velocity_space], w[velocity_space], q_m[position_space], q_1[position_space], x[velocity_space];
      TAPPET_UNROLL
      for (int i = 0; i < velocities; ++i) {
        u_m[i] = (1 - theta) * u[i] + theta * now.v[i];
        w[i] = dt * u_m[i];
        x[i] = now.v[i] - u[i];
      }
      displace(q, w, q_1);
      displace(q_1, now.s, q_1);
      TAPPET_UNROLL
      for (int i = 0; i < velocities; ++i) w[i] = theta * (w[i] + now.s[i]);
      displace(q, w, q_m);
      TAPPET_UNROLL
      for (int i = 0; i < positions; ++i) now.q_1[i] = select(asked, q_1[i], now.q_1[i]);
      Real momentum[velocity_space], force[velocity_space], push[velocity_space], xi[no_less_than_one(judged)],
          terms[no_less_than_one(judged)], g[no_less_than_one(placed)], turned[velocity_space];
      if constexpr (touching)
        touching_balance(p, real(a), real(t_m), q_M, q_m, u_m, real(t_1), q_1, x, now.v, now.s, now.P_J, now.P, now.T_J,
                         now.T, momentum, force, push, xi, terms, g, turned);
      else
        free_balance(p, real(a), real(t_m), q_M, q_m, u_m, real(t_1), q_1, x, now.v, now.s, now.P_J, now.P, now.T_J,
                     now.T, momentum, force, push, xi, terms, g, turned);
      TAPPET_UNROLL
      for (int r = 0; r < rows && touching; ++r) xi[joints + r] += restitution(p, r) * gamma_0[r];
      if (iteration > 0) {
        Real size = real(0.0), missing = real(0.0), worst;
        TAPPET_UNROLL
        for (int i = 0; i < velocities; ++i) {
          size = larger(size, larger(abs_of(momentum[i]), larger(abs_of(force[i]), abs_of(push[i]))));
          missing = larger(missing, abs_of(force[i] - momentum[i] + push[i]));
        }
        worst =
            select(missing > 0.0, quotient(missing, newton_tolerance * size + round_off * momentum_scale), real(0.0));
        TAPPET_UNROLL
        for (int r = 0; r < judged; ++r) {
          const Mask counts = r < joints ? all_true() : active[(r - joints) / stride];
          const Real error = abs_of(xi[r] - seen[r]);
          const Real part = quotient(error, 10 * newton_tolerance * larger(rate, terms[r]) + 1e-300);
          worst = select(counts & (!(part <= worst)), part, worst);
        }
        Real apart = real(0.0);
        TAPPET_UNROLL
        for (int k = 0; k < placed; ++k) {
          const Mask counts = k < held_positions ? all_true() : active[k - held_positions];
          const Real gap = abs_of(g[k] - seen_g[k]);
          apart = select(counts & (!(gap <= apart)), gap, apart);
        }
        TAPPET_UNROLL
        for (int i = 0; i < velocities && placed > 0; ++i) apart = larger(apart, abs_of(turned[i] - now.s[i]));
        apart = apart / gap_tolerance;
        worst = select(!(apart <= worst), apart, worst);
        Mask holds = worst <= 1.0;
        if (iteration > 4) holds = holds | ((worst <= 1e3) & (worst >= 0.1 * before));
        busy = busy & (!holds);
        const Mask bad = busy & (iteration >= most ? all_true() : !(worst < 1e300));
        now.converged = now.converged & (!bad);
        busy = busy & (!bad);
        before = worst;
        if (!in_any(busy)) break;
      } else {
        Real size[velocity_space], scale[velocity_space];
        TAPPET_UNROLL
        for (int i = 0; i < velocities; ++i) size[i] = abs_of(u[i]);
        inertia(p, real(t_m), q_M, size, scale);
        TAPPET_UNROLL
        for (int i = 0; i < velocities; ++i) momentum_scale = larger(momentum_scale, abs_of(scale[i]));
      }
      Real du[velocity_space], to_J[joint_space], to_T[joint_space], shift[velocity_space], loose[joint_space];
      if constexpr (touching)
        touching_solve(p, real(a), real(t_m), q_M, q_m, u_m, real(t_1), q_1, x, now.v, now.s, now.P_J, now.P, now.T_J,
                       now.T, du, to_J, to_T, shift, loose);
      else
        free_solve(p, real(a), real(t_m), q_M, q_m, u_m, real(t_1), q_1, x, now.v, now.s, now.P_J, now.P, now.T_J,
                   now.T, du, to_J, to_T, shift, loose);
      rate = real(0.0);
      TAPPET_UNROLL
      for (int k = 0; k < joints; ++k) rate = larger(rate, abs_of(loose[k]));
      TAPPET_UNROLL
      for (int r = 0; r < judged; ++r) seen[r] = real(0.0);
      TAPPET_UNROLL
      for (int k = 0; k < placed; ++k) seen_g[k] = real(0.0);
      if constexpr (touching) {
        Real c[coupled_space], G[coupled_space][coupled_space], X[coupled_space][velocity_space],
            Y[coupled_space][joint_space], V[coupled_space][joint_space], Z[coupled_space][velocity_space];
        touching_responses(p, real(a), real(t_m), q_M, q_m, u_m, real(t_1), q_1, x, now.v, now.s, now.P_J, now.P,
                           now.T_J, now.T, c, G, X, Y, V, Z);
        ContactProblem<problem_space> problem;
        ContactSolution<problem_space> solution;
        pose(p, active, gamma_0, c, G, problem);
        if (!solve_contacts<effort>(problem, tolerance, memory, solution)) return false;
        Real found[stride * problem_space];
        problem.velocities_of(solution.P, found);
        for (int m = 0; m < coupled_rows; ++m) {
          const Real z = solution.P[place_of(m)];
          for (int i = 0; i < velocities; ++i) du[i] += X[m][i] * z, shift[i] += Z[m][i] * z;
          for (int k = 0; k < joints; ++k) to_J[k] += Y[m][k] * z;
          for (int k = 0; k < held_positions; ++k) to_T[k] += V[m][k] * z;
          if (m < rows) {
            now.P[m] = select(busy, z, now.P[m]);
            seen[joints + m] = found[m];
            rate = larger(rate, select(active[m / stride], abs_of(problem.c[m]), real(0.0)));
          } else {
            now.T[m - rows] = select(busy, z, now.T[m - rows]);
            seen_g[held_positions + m - rows] = found[place_of(m)];
          }
        }
        now.residual = select(busy, solution.residual, now.residual);
        now.iterations += select(busy, solution.iterations, real(0.0));
      }
      TAPPET_UNROLL
      for (int i = 0; i < velocities; ++i) {
        now.v[i] += select(busy, du[i], real(0.0));
        now.s[i] = select(busy, shift[i], now.s[i]);
      }
      TAPPET_UNROLL
      for (int k = 0; k < joints; ++k) now.P_J[k] = select(busy, to_J[k], now.P_J[k]);
      TAPPET_UNROLL
      for (int k = 0; k < held_positions; ++k) now.T_J[k] = select(busy, to_T[k], now.T_J[k]);
      now.iterations += select(busy, real(1.0), real(0.0));
    }
    return true;
  }

  // The row of the problem in which an impulse or a multiplier stands.
  TAPPET_MEMBER static constexpr int place_of(int m) { return m < rows ? m : stride * (contacts + m - rows); }

  TAPPET_MEMBER static void pose(const Parameters& p, const Mask* active, const Real* gamma_0, const Real* c,
                                 const Real (*G)[coupled_space], ContactProblem<problem_space>& problem) {
    set_laws(p, active, problem);
    for (int k = 0; k < contacts; ++k) {
      problem.active[contacts + k] = active[k], problem.friction[contacts + k] = !all_true();
      problem.mu[contacts + k] = real(0.0);
    }
    for (int r = 0; r < stride * problem_contacts; ++r) {
      problem.c[r] = real(0.0);
      for (int s = 0; s < stride * problem_contacts; ++s) problem.matrix.G[r][s] = real(0.0);
    }
    for (int m = 0; m < coupled_rows; ++m) {
      problem.c[place_of(m)] = m < rows ? c[m] + restitution(p, m) * gamma_0[m] : c[m];
      for (int l = 0; l < coupled_rows; ++l) problem.matrix.G[place_of(m)][place_of(l)] = G[m][l];
    }
  }
};
