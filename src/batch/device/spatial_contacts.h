// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The solver of contact problems with friction in two or three directions.
//
// A contact is open, or closed and sticking, or closed and sliding. With x = P - r xi, where r is about 1/G:
//   open      x_N <= 0:              P = 0
//   sticking  |x_F| <= mu P_N:       xi = 0
//   sliding   otherwise:             xi_N = 0,  P_F = mu P_N x_F/|x_F|
// This is solved by Newton's method, in which the direction of sliding is an unknown too. It starts from the impulses
// of the last step. If it does not come to an end, sweeps over the contacts give another start. The judge says whether
// the result is a solution.

template <int K>
struct SpatialSolution {
  Real P[stride * K];
  Real residual;  // of the judge
  Real iterations;
};
template <int K>
using ContactSolution = SpatialSolution<K>;

// The impulses of the last step.
struct SpatialMemory {
  Real P[stride * problem_space];

  TAPPET_MEMBER void forget() {
    TAPPET_UNROLL
    for (int r = 0; r < stride * problem_contacts; ++r) P[r] = real(0.0);
  }
};
using ContactMemory = SpatialMemory;

// The states of one contact, and the linearised equations that belong to them.
template <int K>
struct LinearContact {
  Mask closed, slides;
  Real direction[stride], bend;  // direction[1] ... : x_F/|x_F|. bend: mu P_N/|x_F|
  Real step;                     // r of the friction rows

  TAPPET_MEMBER LinearContact(const ContactProblem<K>& problem, int k, const Real* P, const Real* xi) {
    const int N = stride * k;
    closed = problem.active[k] & (P[N] * problem.G(N, N) - xi[N] > 0.0);
    Real largest = real(0.0), squares = real(0.0);
    TAPPET_UNROLL
    for (int r = 1; r < stride; ++r) largest = larger(largest, problem.G(N + r, N + r));
    step = select(largest > 0.0, 1.0 / largest, real(0.0));
    TAPPET_UNROLL
    for (int r = 1; r < stride; ++r) {
      direction[r] = P[N + r] - step * xi[N + r];
      squares += direction[r] * direction[r];
    }
    const Real size = sqrt_of(squares), bound = problem.mu[k] * larger(P[N], real(0.0));
    const Mask moves = size > 0.0;
    const Real inverse = select(moves, 1.0 / size, real(0.0));
    slides = size >= bound;
    bend = bound * inverse;
    TAPPET_UNROLL
    for (int r = 1; r < stride; ++r) direction[r] = direction[r] * inverse;
  }

  // Row r of contact k: its coefficient of P[s], and its right-hand side.
  TAPPET_MEMBER Real coefficient(const ContactProblem<K>& problem, int k, int r, int s) const {
    const int N = stride * k;
    const Real own = problem.G(N + r, s), identity = real(N + r == s ? 1.0 : 0.0);
    Real entry = own;
    if (r > 0) {
      Real along = real(0.0);
      TAPPET_UNROLL
      for (int i = 1; i < stride; ++i)
        along += direction[i] * (real(N + i == s ? 1.0 : 0.0) - step * problem.G(N + i, s));
      const Real across = (identity - step * own) - direction[r] * along;
      Real sliding = identity - bend * across;
      if (s == N) sliding -= problem.mu[k] * direction[r];
      entry = select(slides, sliding, own);
    }
    return select(closed, entry, identity);
  }
  TAPPET_MEMBER Real right_side(const ContactProblem<K>& problem, int k, int r) const {
    const int N = stride * k;
    Real side = -problem.c[N + r];
    if (r > 0) {
      Real along = real(0.0);
      TAPPET_UNROLL
      for (int i = 1; i < stride; ++i) along += direction[i] * problem.c[N + i];
      side = select(slides, -bend * step * (problem.c[N + r] - direction[r] * along), side);
    }
    return select(closed, side, real(0.0));
  }
};

template <int K>
TAPPET_FUNCTION void newton_step(const ContactProblem<K>& problem, const Real* P, const Real* xi, Real* next) {
  constexpr int n = stride * K;
  Real A[n][n], y[n];
  TAPPET_UNROLL
  for (int k = 0; k < K; ++k) {
    const LinearContact<K> contact(problem, k, P, xi);
    TAPPET_UNROLL
    for (int r = 0; r < stride; ++r) {
      TAPPET_UNROLL
      for (int s = 0; s < n; ++s) A[stride * k + r][s] = contact.coefficient(problem, k, r, s);
      y[stride * k + r] = contact.right_side(problem, k, r);
    }
  }
  eliminate(A, y);
  TAPPET_UNROLL
  for (int r = 0; r < n; ++r) next[r] = y[r];
}

// Newton's method from the impulses of the solution, for the instances of `open`. It ends if the residual is rounding,
// or if it is below the tolerance and no longer shrinks. The best impulses are kept.
template <int K>
TAPPET_FUNCTION void solve_by_newton(const ContactProblem<K>& problem, double tolerance, int most, Mask& open,
                                     ContactSolution<K>& solution) {
  constexpr int n = stride * K;
  constexpr double rounding = 1e-15;
  Real P[n], xi[n];
  TAPPET_UNROLL
  for (int r = 0; r < n; ++r) P[r] = solution.P[r];
  problem.velocities_of(P, xi);
  for (int i = 0; i < most && in_any(open); ++i) {
    Real next[n];
    newton_step(problem, P, xi, next);
    problem.velocities_of(next, xi);
    const Real residual = judge(problem, next, xi);
    const Mask better = open & (residual < solution.residual);
    const Mask settled = (solution.residual <= tolerance) & (!(residual < 0.1 * solution.residual));
    TAPPET_UNROLL
    for (int r = 0; r < n; ++r) {
      P[r] = next[r];
      solution.P[r] = select(better, next[r], solution.P[r]);
    }
    solution.iterations += select(open, real(1.0), real(0.0));
    solution.residual = select(better, residual, solution.residual);
    open = open & (!(settled | (solution.residual <= rounding)));
  }
}

// A sweep moves every contact along its own residual and back into its friction cone.
template <int K>
TAPPET_FUNCTION void sweep(const ContactProblem<K>& problem, Real* P) {
  for (int k = 0; k < K; ++k) {
    const int N = stride * k;
    Real x[stride], largest = real(0.0), slip = real(0.0), t = real(0.0);
    for (int r = 0; r < stride; ++r) {
      x[r] = problem.c[N + r];
      for (int s = 0; s < stride * K; ++s) x[r] += problem.G(N + r, s) * P[s];
      largest = larger(largest, problem.G(N + r, N + r));
      if (r > 0) slip += x[r] * x[r];
    }
    const Real step = select(largest > 0.0, 1.0 / largest, real(0.0)), mu = problem.mu[k];
    x[0] = P[N] - step * (x[0] + mu * sqrt_of(slip));
    for (int r = 1; r < stride; ++r) {
      x[r] = P[N + r] - step * x[r];
      t += x[r] * x[r];
    }
    t = sqrt_of(t);
    const Real s = (x[0] + mu * t) / (1.0 + mu * mu);
    const Mask apex = (mu * t <= -x[0]) | (!problem.active[k]), inside = t <= mu * x[0];
    P[N] = select(apex, real(0.0), select(inside, x[0], s));
    const Real shorter = select(apex, real(0.0), select(inside, real(1.0), mu * s / select(t > 0.0, t, real(1.0))));
    for (int r = 1; r < stride; ++r) P[N + r] = shorter * x[r];
  }
}

// Rounds of sweeps and Newton's method.
template <int K>
TAPPET_FUNCTION void solve_with_sweeps(const ContactProblem<K>& problem, double tolerance, Mask open,
                                       ContactSolution<K>& solution) {
  constexpr int n = stride * K, rounds = 5;
  Real P[n];
  for (int r = 0; r < n; ++r) P[r] = real(0.0);
  for (int round = 0, sweeps = 10; round < rounds && in_any(open); ++round, sweeps *= 3) {
    for (int i = 0; i < sweeps; ++i) sweep(problem, P);
    ContactSolution<K> trial = solution;
    for (int r = 0; r < n; ++r) trial.P[r] = P[r];
    trial.residual = real(1e300);
    Mask busy = open;
    solve_by_newton(problem, tolerance, 12, busy, trial);
    const Mask better = open & (trial.residual < solution.residual);
    for (int r = 0; r < n; ++r) solution.P[r] = select(better, trial.P[r], solution.P[r]);
    solution.residual = select(better, trial.residual, solution.residual);
    solution.iterations = select(open, trial.iterations + real(sweeps), solution.iterations);
    open = open & (!(solution.residual <= tolerance));
  }
}

// Most of the time one contact is active. It forms a problem of its own.
struct OneContact {
  Mask more;  // others are active, too
  Mask chosen[problem_space];

  TAPPET_MEMBER explicit OneContact(const ContactProblem<problem_space>& problem) {
    Mask one = !all_true();
    more = !all_true();
    TAPPET_UNROLL
    for (int k = 0; k < problem_contacts; ++k) {
      more = more | (problem.active[k] & one);
      chosen[k] = problem.active[k] & (!one);
      one = one | problem.active[k];
    }
  }
  TAPPET_MEMBER Real of(const Real* list, int step) const {
    Real x = list[(problem_contacts - 1) * step];
    TAPPET_UNROLL
    for (int k = problem_contacts - 2; k >= 0; --k) x = select(chosen[k], list[k * step], x);
    return x;
  }
  template <class From>
  TAPPET_MEMBER void gather(const From& from, ContactProblem<1>& to) const {
    to.active[0] = to.friction[0] = !all_true();
    TAPPET_UNROLL
    for (int k = 0; k < problem_contacts; ++k) {
      to.active[0] = to.active[0] | chosen[k];
      to.friction[0] = to.friction[0] | (chosen[k] & from.friction[k]);
    }
    to.mu[0] = of(from.mu, 1);
    TAPPET_UNROLL
    for (int r = 0; r < stride; ++r) {
      to.c[r] = of(from.c + r, stride);
      gather_row(from.matrix, r, to.matrix);
    }
  }
  TAPPET_MEMBER void gather_row(const ContactMatrix<stride * problem_space, true>& from, int r,
                                ContactMatrix<stride, true>& to) const {
    TAPPET_UNROLL
    for (int i = 0; i < columns; ++i) {
      to.W[r][i] = of(from.W[r] + i, stride * column_space);
      to.X[r][i] = of(from.X[r] + i, stride * column_space);
    }
  }
  TAPPET_MEMBER void gather_row(const ContactMatrix<stride * problem_space, false>& from, int r,
                                ContactMatrix<stride, false>& to) const {
    TAPPET_UNROLL
    for (int s = 0; s < stride; ++s) to.G[r][s] = of(from.G[r] + s, stride * (stride * problem_space + 1));
  }
};

template <int K>
TAPPET_FUNCTION Mask some_active(const ContactProblem<K>& problem) {
  Mask some = !all_true();
  TAPPET_UNROLL
  for (int k = 0; k < K; ++k) some = some | problem.active[k];
  return some;
}

// False: the effort was not enough, and nothing has changed.
template <Effort effort>
TAPPET_FUNCTION bool solve_contacts(const ContactProblem<problem_space>& problem, double tolerance,
                                    ContactMemory& memory, ContactSolution<problem_space>& solution) {
  constexpr int most = 10;
  const OneContact selection(problem);
  ContactProblem<1> small;
  ContactSolution<1> found;
  selection.gather(problem, small);
  TAPPET_UNROLL
  for (int r = 0; r < stride; ++r) found.P[r] = selection.of(memory.P + r, stride);
  found.residual = real(1e300), found.iterations = real(0.0);
  Mask busy = small.active[0] & (!selection.more);
  solve_by_newton(small, tolerance, most, busy, found);
  const Mask nothing = !small.active[0];
  TAPPET_UNROLL
  for (int r = 0; r < stride * problem_contacts; ++r)
    solution.P[r] = select(selection.chosen[r / stride], found.P[r % stride], real(0.0));
  solution.residual = select(nothing, real(0.0), found.residual);
  solution.iterations = found.iterations;
  Mask open = !(solution.residual <= tolerance);
  if (in_any(open)) {
    if (effort == Effort::direct) return false;
    ContactSolution<problem_space> whole;
    TAPPET_UNROLL
    for (int r = 0; r < stride * problem_contacts; ++r)
      whole.P[r] = select(problem.active[r / stride], memory.P[r], real(0.0));
    whole.residual = real(1e300), whole.iterations = solution.iterations;
    Mask left = open;
    solve_by_newton(problem, tolerance, most, left, whole);
    left = open & (!(whole.residual <= tolerance));
    if (in_any(left)) solve_with_sweeps(problem, tolerance, left, whole);
    TAPPET_UNROLL
    for (int r = 0; r < stride * problem_contacts; ++r) solution.P[r] = select(open, whole.P[r], solution.P[r]);
    solution.residual = select(open, whole.residual, solution.residual);
    solution.iterations = select(open, whole.iterations, solution.iterations);
  }
  TAPPET_UNROLL
  for (int r = 0; r < stride * problem_contacts; ++r) memory.P[r] = solution.P[r];
  return true;
}
