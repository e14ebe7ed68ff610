// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// lcp-euler with linearly implicit forces and Poisson's law of impact. What it needs of the model beside the functions
// of schemes.h:
//   implicit_step(p, t, dt, q, u, free, held)    u_1 without contacts, and without joints or with them
//   implicit_responses(p, t, dt, q, u, X)        what contacts add to it while the joints hold
//   symmetric_part(p, t, dt, q, u, A)            of the matrix of the step
struct LcpEuler {
  GapMemory gaps;
  ContactMemory memory;
  ActiveMemory actives;

  TAPPET_MEMBER void start() {
    gaps.start();
    memory.forget();
    actives.start();
  }

  template <Effort effort>
  TAPPET_MEMBER bool step(const Parameters& p, const Time& time, double tolerance, Real* q, Real* u,
                          StepResult& result) {
    const double dt = time.dt;
    Real v[velocity_space], free[velocity_space], held[velocity_space], P_impact[row_space];
    Mask active[contact_space];
    Point at;
    StepResult last;
    no_impulses(last);
    no_rows(P_impact);
    place(p, real(time.t), q, at);
    gaps.close(at.gap, active);
    const bool some = in_any(any_contact(active));
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i) v[i] = u[i];
    implicit_step(p, real(time.t), real(dt), q, v, free, held);
    if (some) {
      directions(p, at);
      Real e[contact_space];
      if (in_any(actives.some_enter(active)) && in_any(rebound(p, at, active, v, free, e))) {
        if (!impact<effort>(p, at, active, e, tolerance, v, P_impact, last)) return false;
        implicit_step(p, real(time.t), real(dt), q, v, free, held);
      }
      Real X[row_space][velocity_space];
      implicit_responses(p, real(time.t), real(dt), q, v, X);
      ContactProblem<contact_space> problem;
      ContactSolution<contact_space> solution;
      rates(p, at, held, problem.c);
      fill(p, at, X, problem.matrix);
      set_laws(p, active, problem);
      if (!solve_contacts<effort>(problem, tolerance, memory, solution)) return false;
      TAPPET_UNROLL
      for (int s = 0; s < rows; ++s) {
        last.P[s] = solution.P[s] + P_impact[s];
        TAPPET_UNROLL
        for (int i = 0; i < velocities; ++i) held[i] += X[s][i] * solution.P[s];
      }
      take(problem, tolerance, solution, last);
    } else {
      memory.forget();
    }
    last.converged = last.converged & positive(p, time, q, v);
    move(q, dt, held, q);
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i) u[i] = held[i];
    actives.keep(active);
    gaps.keep(at.gap);
    result = last;
    return true;
  }

  // The restitution of contacts that enter and would not close again within the step. Where there is one.
  TAPPET_MEMBER Mask rebound(const Parameters& p, const Point& at, const Mask* active, const Real* u, const Real* free,
                             Real* e) const {
    Real before[row_space], after[row_space];
    rates(p, at, u, before);
    rates(p, at, free, after);
    Mask some = !all_true();
    TAPPET_UNROLL
    for (int k = 0; k < contacts; ++k) {
      const Real rate = before[stride * k], leaves = -p.e_N[k] * rate;
      const Mask rebounds = active[k] & (!actives.before[k]) & (rate < 0.0) & (2.0 * leaves > rate - after[stride * k]);
      e[k] = select(rebounds, p.e_N[k], real(0.0));
      some = some | (e[k] > 0.0);
    }
    return some;
  }

  // Poisson's law. Only the velocities of instances in which a contact restores something change.
  template <Effort effort>
  TAPPET_MEMBER bool impact(const Parameters& p, const Point& at, const Mask* active, const Real* e, double tolerance,
                            Real* u, Real* P, StepResult& result) const {
    Real v[velocity_space], restored[row_space], more[row_space];
    Mask own[contact_space], hit = !all_true(), restores = !all_true();
    TAPPET_UNROLL
    for (int k = 0; k < contacts; ++k) hit = hit | (e[k] > 0.0);
    TAPPET_UNROLL
    for (int k = 0; k < contacts; ++k) own[k] = active[k] & hit;
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i) v[i] = u[i];
    hold(p, at, v);
    ContactProblem<contact_space> problem;
    ContactSolution<contact_space> solution;
    ContactMemory fresh;
    fresh.forget();
    rates(p, at, v, problem.c);
    fill(p, at, problem.matrix);
    set_laws(p, own, problem);
    if (!solve_contacts<effort>(problem, tolerance, fresh, solution)) return false;
    respond(p, at, solution.P, v);
    take(problem, tolerance, solution, result);
    no_rows(restored);
    TAPPET_UNROLL
    for (int k = 0; k < contacts; ++k) {
      restored[stride * k] = e[k] * solution.P[stride * k];
      restores = restores | (restored[stride * k] > 0.0);
    }
    no_rows(more);
    if (in_any(restores)) {
      Real c[row_space];
      rates(p, at, v, c);
      if (!decompress<effort>(problem, c, restored, tolerance, restores, more, result)) return false;
      respond(p, at, more, v);
    }
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i) u[i] = select(hit, v[i], u[i]);
    TAPPET_UNROLL
    for (int s = 0; s < rows; ++s) P[s] = select(hit, solution.P[s] + more[s], real(0.0));
    return true;
  }

  // Decompression, as in src/steppers/shared/poisson_law.h: impulses that add up to P. A contact with friction presses
  // with the restored impulse, or with more. Which of them do is found by trial.
  template <Effort effort>
  TAPPET_MEMBER static bool decompress(const ContactProblem<contact_space>& problem, const Real* c,
                                       const Real* restored, double tolerance, Mask asked, Real* P,
                                       StepResult& result) {
    constexpr int most = 20;
    constexpr double small = 1e-9;
    Mask given[contact_space], open = asked;
    TAPPET_UNROLL
    for (int k = 0; k < contacts; ++k)
      given[k] = problem.active[k] & problem.friction[k] & (problem.mu[k] > 0.0) & (restored[stride * k] > 0.0);
    for (int pass = 0; pass < most && in_any(open); ++pass) {
      ContactProblem<contact_space> posed = problem;
      pose(problem, c, restored, given, posed);
      ContactSolution<contact_space> solution;
      ContactMemory fresh;
      fresh.forget();
      if (!solve_contacts<effort>(posed, tolerance, fresh, solution)) return false;
      Real total[row_space], xi[row_space], velocity = real(0.0), impulse = real(0.0);
      TAPPET_UNROLL
      for (int s = 0; s < rows; ++s) {
        const int k = s / stride;
        const Mask rubs = problem.friction[k] & (problem.mu[k] > 0.0);
        total[s] = solution.P[s] + (s % stride == 0 ? select(rubs, real(0.0), restored[s]) : real(0.0));
        impulse = larger(impulse, restored[s]);
        xi[s] = c[s];
      }
      problem.matrix.add_product(total, xi);
      TAPPET_UNROLL
      for (int s = 0; s < rows; ++s) velocity = larger(velocity, larger(abs_of(c[s]), abs_of(xi[s] - c[s])));
      Mask changed = !all_true();
      TAPPET_UNROLL
      for (int k = 0; k < contacts; ++k) {
        const int N = stride * k;
        const Mask rubs = problem.active[k] & problem.friction[k] & (problem.mu[k] > 0.0) & (restored[N] > 0.0);
        const Mask wrong = rubs & ((given[k] & (xi[N] < -small * velocity)) |
                                   ((!given[k]) & (total[N] < restored[N] - small * impulse)));
        given[k] = (given[k] & (!wrong)) | ((!given[k]) & wrong);
        changed = changed | wrong;
      }
      TAPPET_UNROLL
      for (int s = 0; s < rows; ++s) P[s] = select(open, total[s], P[s]);
      const Mask ends = open & (!changed);
      result.residual = select(ends, larger(result.residual, solution.residual), result.residual);
      result.converged = result.converged & ((!ends) | (solution.residual <= tolerance));
      open = open & changed;
    }
    result.converged = result.converged & (!open);
    return true;
  }

  // Rows of given normal impulses are taken out, and known impulses are part of c.
  TAPPET_MEMBER static void pose(const ContactProblem<contact_space>& problem, const Real* c, const Real* restored,
                                 const Mask* given, ContactProblem<contact_space>& posed) {
    Real known[row_space], moved[row_space];
    TAPPET_UNROLL
    for (int s = 0; s < rows; ++s) {
      const int k = s / stride;
      const Mask rubs = problem.friction[k] & (problem.mu[k] > 0.0);
      known[s] = s % stride == 0 ? select(given[k] | (!rubs), restored[s], real(0.0)) : real(0.0);
      moved[s] = c[s];
    }
    problem.matrix.add_product(known, moved);
    TAPPET_UNROLL
    for (int r = 0; r < rows; ++r) {
      const Mask taken = r % stride == 0 ? given[r / stride] : !all_true();
      posed.c[r] = select(taken, -problem.G(r, r) * restored[r], moved[r]);
      TAPPET_UNROLL
      for (int s = 0; s < rows; ++s) {
        const Mask apart = taken | (s % stride == 0 ? given[s / stride] : !all_true());
        if (r != s) posed.matrix.G[r][s] = select(apart, real(0.0), problem.G(r, s));
      }
    }
  }

  // The engine takes other derivatives of forces if the matrix of the step is not positive definite.
  TAPPET_MEMBER static Mask positive(const Parameters& p, const Time& time, const Real* q, const Real* u) {
    if (!forces_depend_on_state) return all_true();
    Real A[velocity_space][velocity_space];
    Mask all = all_true();
    symmetric_part(p, real(time.t), real(time.dt), q, u, A);
    TAPPET_UNROLL
    for (int i = 0; i < velocities; ++i) {
      all = all & (A[i][i] > 0.0);
      const Real inverse = 1.0 / A[i][i];
      TAPPET_UNROLL
      for (int j = i + 1; j < velocities; ++j) {
        const Real m = A[j][i] * inverse;
        TAPPET_UNROLL
        for (int l = i + 1; l < velocities; ++l) A[j][l] -= m * A[i][l];
      }
    }
    return all;
  }
};
