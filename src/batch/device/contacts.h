// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The contact problem of a step with planar friction or none: xi = G P + c, and for each active contact
//   0 <= xi_N, P_N >= 0, xi_N P_N = 0,   |P_F| <= mu P_N, and P_F = -sign(xi_F) mu P_N if xi_F is not 0.
//
// A contact is open, or closed and sliding in one of two directions, or closed and sticking. If the state of every
// contact is known, P is the solution of linear equations. So the solver guesses the states from the impulses of the
// last step, solves directly, and looks which states follow from the solution. If they are the same, the solution is
// exact up to rounding. Otherwise these states are the next guess. This is Newton's method for the problem. If it does
// not come to an end, sweeps over the contacts (projected Gauss-Seidel) give another guess.
//
// The residual is that of the contact solvers of Tappet (src/problem/residual.cpp).
//
// `stride` is the number of rows of each contact, and is_friction(k) says whether the second one of contact k exists.
constexpr int rows = stride * contacts;
TAPPET_CONSTANT int no_less_than_one(int n) { return n > 0 ? n : 1; }
constexpr int row_space = no_less_than_one(rows), contact_space = no_less_than_one(contacts);

struct ContactProblem {
  Mask active[contact_space];
  Real mu[contact_space];
  Real G[row_space][row_space];
  Real c[row_space];
};

struct ContactStates {
  Mask closed[contact_space];
  Real slide[contact_space];  // the sign of P_F if it slides; 0 if it sticks
};

struct ContactSolution {
  Real P[row_space];
  Real residual;  // of the judge
  Mask converged;
  Real iterations;
};

TAPPET_FUNCTION void contact_velocities(const ContactProblem& problem, const Real* P, Real* xi) {
  TAPPET_UNROLL
  for (int r = 0; r < rows; ++r) {
    xi[r] = problem.c[r];
    TAPPET_UNROLL
    for (int s = 0; s < rows; ++s) xi[r] += problem.G[r][s] * P[s];
  }
}

// The states that belong to impulses and velocities.
TAPPET_FUNCTION void states_of(const ContactProblem& problem, const Real* P, const Real* xi, ContactStates& states) {
  TAPPET_UNROLL
  for (int k = 0; k < contacts; ++k) {
    const int N = stride * k;
    states.closed[k] = problem.active[k] & (P[N] * problem.G[N][N] - xi[N] > 0.0);
    states.slide[k] = real(0.0);
    if (stride > 1) {
      const int F = N + stride - 1;
      const Real bound = problem.mu[k] * larger(P[N], real(0.0)) * problem.G[F][F];
      const Real x = P[F] * problem.G[F][F] - xi[F];
      states.slide[k] = select(x >= bound, real(1.0), select(x <= -bound, real(-1.0), real(0.0)));
    }
  }
}

TAPPET_FUNCTION Mask same_states(const ContactStates& a, const ContactStates& b) {
  Mask same = all_true();
  TAPPET_UNROLL
  for (int k = 0; k < contacts; ++k)
    same = same & (a.closed[k] == b.closed[k]) & ((!a.closed[k]) | (a.slide[k] == b.slide[k]));
  return same;
}

// Elimination without pivoting. A pivot that has lost eleven digits belongs to a row that depends on those before it;
// its unknown is set to zero. The judge says whether that was a solution.
template <int n>
TAPPET_FUNCTION void eliminate(Real (&A)[n][n], Real (&y)[n]) {
  Real inverse[n];
  Real size[n];
  TAPPET_UNROLL
  for (int i = 0; i < n; ++i) size[i] = 1e-11 * abs_of(A[i][i]);
  TAPPET_UNROLL
  for (int i = 0; i < n; ++i) {
    inverse[i] = select(abs_of(A[i][i]) > size[i], 1.0 / A[i][i], real(0.0));
    TAPPET_UNROLL
    for (int j = i + 1; j < n; ++j) {
      const Real m = A[j][i] * inverse[i];
      TAPPET_UNROLL
      for (int l = i + 1; l < n; ++l) A[j][l] -= m * A[i][l];
      y[j] -= m * y[i];
    }
  }
  TAPPET_UNROLL
  for (int i = n - 1; i >= 0; --i) {
    TAPPET_UNROLL
    for (int j = i + 1; j < n; ++j) y[i] -= A[i][j] * y[j];
    y[i] = y[i] * inverse[i];
  }
}

// The impulses for given states, if no closed contact sticks: the normal impulses are the only unknowns.
TAPPET_FUNCTION void solve_sliding(const ContactProblem& problem, const ContactStates& states, Real* P) {
  Real A[contact_space][contact_space], y[contact_space], share[contact_space];
  TAPPET_UNROLL
  for (int k = 0; k < contacts; ++k) share[k] = states.slide[k] * problem.mu[k];
  TAPPET_UNROLL
  for (int k = 0; k < contacts; ++k) {
    TAPPET_UNROLL
    for (int l = 0; l < contacts; ++l) {
      Real a = problem.G[stride * k][stride * l];
      if (stride > 1) a += share[l] * problem.G[stride * k][stride * l + stride - 1];
      A[k][l] = select(states.closed[k] & states.closed[l], a, real(k == l ? 1.0 : 0.0));
    }
    y[k] = select(states.closed[k], -problem.c[stride * k], real(0.0));
  }
  eliminate(A, y);
  TAPPET_UNROLL
  for (int k = 0; k < contacts; ++k) {
    P[stride * k] = y[k];
    if (stride > 1) P[stride * k + stride - 1] = share[k] * y[k];
  }
}

// The same if contacts may stick.
TAPPET_RARE void solve_sticking(const ContactProblem& problem, const ContactStates& states, Real* P) {
  Real A[row_space][row_space], y[row_space];
  TAPPET_UNROLL
  for (int r = 0; r < rows; ++r) {
    const int k = r / stride;
    const bool friction = r % stride > 0;
    const Mask holds = friction ? states.closed[k] & (states.slide[k] == 0.0) : states.closed[k];
    TAPPET_UNROLL
    for (int s = 0; s < rows; ++s) {
      const Mask closed = states.closed[s / stride];
      A[r][s] = select(holds & closed, problem.G[r][s], real(r == s ? 1.0 : 0.0));
    }
    if (friction)
      A[r][stride * k] = select(states.closed[k] & (!holds), -states.slide[k] * problem.mu[k], A[r][stride * k]);
    y[r] = select(holds, -problem.c[r], real(0.0));
  }
  eliminate(A, y);
  TAPPET_UNROLL
  for (int r = 0; r < rows; ++r) P[r] = y[r];
}

TAPPET_FUNCTION void solve_states(const ContactProblem& problem, const ContactStates& states, Real* P) {
  Mask sticks = !all_true();
  if (stride > 1) {
    TAPPET_UNROLL
    for (int k = 0; k < contacts; ++k) sticks = sticks | (states.closed[k] & (states.slide[k] == 0.0));
  }
  if (in_any(sticks)) {
    const ContactProblem copy = problem;  // so that the other one stays in registers
    const ContactStates copy_of_states = states;
    Real out[row_space];
    solve_sticking(copy, copy_of_states, out);
    TAPPET_UNROLL
    for (int r = 0; r < rows; ++r) P[r] = out[r];
  } else {
    solve_sliding(problem, states, P);
  }
}

// The residual of the judge: |P/rho - proj(P/rho - xi')| / |c| over the rows of the active contacts.
TAPPET_FUNCTION Real judge(const ContactProblem& problem, const Real* P, const Real* xi) {
  Real trace = real(0.0), count = real(0.0), sum = real(0.0), scale = real(0.0);
  TAPPET_UNROLL
  for (int r = 0; r < rows; ++r) {
    if (r % stride > 0 && !is_friction(r / stride)) continue;
    const Mask active = problem.active[r / stride];
    trace += select(active, problem.G[r][r], real(0.0));
    count += select(active, real(1.0), real(0.0));
    scale += select(active, problem.c[r] * problem.c[r], real(0.0));
  }
  const Real per_impulse = select(trace > 0.0, trace / count, real(1.0));
  TAPPET_UNROLL
  for (int k = 0; k < contacts; ++k) {
    const int N = stride * k, F = N + stride - 1;
    const Real p = P[N] * per_impulse;
    Real x = p - xi[N], y = real(0.0), p_F = real(0.0), mu = real(0.0);
    if (stride > 1) {
      mu = problem.mu[k];
      x -= mu * abs_of(xi[F]);
      p_F = P[F] * per_impulse;
      y = p_F - xi[F];
    }
    const Real t = abs_of(y), s = (x + mu * t) / (1.0 + mu * mu);
    const Mask apex = mu * t <= -x, inside = t <= mu * x;
    const Real to_N = select(apex, real(0.0), select(inside, x, s));
    const Real to_F = select(apex, real(0.0), select(inside, y, select(y < 0.0, -mu * s, mu * s)));
    const Real d_N = p - to_N, d_F = p_F - to_F;
    sum += select(problem.active[k], d_N * d_N + d_F * d_F, real(0.0));
  }
  return select(sum == 0.0, real(0.0), sqrt_of(sum / select(scale > 0.0, scale, real(1.0))));
}

TAPPET_FUNCTION void sweep(const ContactProblem& problem, Real* P) {
  TAPPET_UNROLL
  for (int k = 0; k < contacts; ++k) {
    const int N = stride * k;
    TAPPET_UNROLL
    for (int r = N; r < N + stride; ++r) {
      Real xi = problem.c[r];
      TAPPET_UNROLL
      for (int s = 0; s < rows; ++s) xi += problem.G[r][s] * P[s];
      const Real d = problem.G[r][r];
      const Real x = P[r] - select(d > 0.0, xi / d, real(0.0)), bound = problem.mu[k] * P[N];
      const Real next = r == N ? larger(x, real(0.0)) : smaller(larger(x, -bound), bound);
      P[r] = select(problem.active[k], next, real(0.0));
    }
  }
}

struct DirectResult {
  Mask done;
  Real iterations;
};

// Newton's method for the instances of `open`. P is the guess on entry; where it ends it is the solution.
TAPPET_FUNCTION DirectResult solve_directly(const ContactProblem& problem, Mask open, int most, Real* P) {
  DirectResult result{!open, real(0.0)};
  Real xi[row_space], next[row_space];
  ContactStates states, following;
  contact_velocities(problem, P, xi);
  states_of(problem, P, xi, states);
  for (int i = 0; i < most && in_any(!result.done); ++i) {
    solve_states(problem, states, next);
    contact_velocities(problem, next, xi);
    states_of(problem, next, xi, following);
    result.iterations += select(result.done, real(0.0), real(1.0));
    TAPPET_UNROLL
    for (int r = 0; r < rows; ++r) P[r] = select(result.done, P[r], next[r]);
    result.done = result.done | same_states(states, following);
    states = following;
  }
  return result;
}

// Takes impulses as the solution of the instances of `open` for which they are better.
TAPPET_FUNCTION void take_better(const ContactProblem& problem, const Real* P, Mask& open, ContactSolution& solution) {
  Real xi[row_space];
  contact_velocities(problem, P, xi);
  const Real residual = judge(problem, P, xi);
  const Mask better = open & (residual < solution.residual);
  TAPPET_UNROLL
  for (int r = 0; r < rows; ++r) solution.P[r] = select(better, P[r], solution.P[r]);
  solution.residual = select(better, residual, solution.residual);
  open = open & (solution.residual > 1e-12);
}

// Tries all states of the contacts. If there is a solution, it belongs to some of them.
TAPPET_FUNCTION void try_all_states(const ContactProblem& problem, Mask& open, ContactSolution& solution) {
  constexpr int states_of_one = stride > 1 ? 4 : 2;
  int all = 1;
  for (int k = 0; k < contacts; ++k) all *= states_of_one;
  Real P[row_space];
  ContactStates states;
  for (int code = 0; code < all && in_any(open); ++code) {
    int rest = code;
    Mask possible = open;
    for (int k = 0; k < contacts; ++k, rest /= states_of_one) {
      const int state = rest % states_of_one;  // open, sticking or sliding in one of two directions
      states.closed[k] = state > 0 ? problem.active[k] : !all_true();
      states.slide[k] = real(state == 2 ? 1.0 : state == 3 ? -1.0 : 0.0);
      if (state > 0) possible = possible & problem.active[k];
    }
    if (!in_any(possible)) continue;
    solve_sticking(problem, states, P);
    take_better(problem, P, open, solution);
    solution.iterations += select(possible, real(1.0), real(0.0));
  }
}

// What remains after the first attempt: rounds of sweeps and Newton's method, from the start. If there are few
// contacts, all of their states are tried after the second round.
TAPPET_RARE void solve_again(const ContactProblem& problem, Mask open, ContactSolution& solution) {
  constexpr int rounds = 5;
  int sweeps = 10;
  Real P[row_space], trial[row_space];
  TAPPET_UNROLL
  for (int r = 0; r < rows; ++r) P[r] = real(0.0);
  for (int round = 0; round < rounds && in_any(open); ++round, sweeps *= 3) {
    for (int i = 0; i < sweeps; ++i) sweep(problem, P);
    TAPPET_UNROLL
    for (int r = 0; r < rows; ++r) trial[r] = P[r];
    const DirectResult direct = solve_directly(problem, open, 12, trial);
    solution.iterations += select(open, direct.iterations + real(sweeps), real(0.0));
    take_better(problem, trial, open, solution);
    take_better(problem, P, open, solution);
    if (round == 1 && contacts <= 6) try_all_states(problem, open, solution);
  }
}

// `solution.P` is the guess on entry, zero for contacts that were not active.
TAPPET_FUNCTION void solve_contacts(const ContactProblem& problem, double tolerance, ContactSolution& solution) {
  Mask some = !all_true();
  TAPPET_UNROLL
  for (int k = 0; k < contacts; ++k) some = some | problem.active[k];
  const DirectResult direct = solve_directly(problem, some, 8, solution.P);
  Real xi[row_space];
  contact_velocities(problem, solution.P, xi);
  solution.residual = judge(problem, solution.P, xi);
  solution.iterations = direct.iterations;
  const Mask open = !((solution.residual <= 1e-12) | (direct.done & (solution.residual <= tolerance)));
  if (in_any(open)) {
    const ContactProblem copy = problem;  // so that the other one stays in registers
    ContactSolution rest = solution;
    rest.residual = select(rest.residual >= 0.0, rest.residual, real(1e300));
    solve_again(copy, open, rest);
    solution = rest;
  }
  solution.converged = solution.residual <= tolerance;
}
