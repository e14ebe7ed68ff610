// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The solver of contact problems without friction, or with friction along one line.
//
// A contact is open, or closed and sliding in one of two directions, or closed and sticking. If the state of every
// contact is known, P is the solution of linear equations. So the solver guesses that the states are those of the last
// step, solves directly, and looks which states follow from the solution. If they are the same, the solution is exact
// up to rounding. Otherwise these states are the next guess. This is Newton's method for the problem. If it does not
// come to an end, sweeps over the contacts (projected Gauss-Seidel) give another guess.

// A closed contact slides so that P_F is positive or negative. Otherwise it sticks.
template <int K>
struct ContactStates {
  Mask closed[K], positive[K], negative[K];

  TAPPET_MEMBER Mask sticks(int k) const { return closed[k] & (!(positive[k] | negative[k])); }
  TAPPET_MEMBER Mask some_stick() const {
    Mask some = !all_true();
    TAPPET_UNROLL
    for (int k = 0; k < K && stride > 1; ++k) some = some | sticks(k);
    return some;
  }
  // Takes other states where the mask holds.
  TAPPET_MEMBER void take(Mask where, const ContactStates& other) {
    TAPPET_UNROLL
    for (int k = 0; k < K; ++k) {
      closed[k] = (where & other.closed[k]) | ((!where) & closed[k]);
      positive[k] = (where & other.positive[k]) | ((!where) & positive[k]);
      negative[k] = (where & other.negative[k]) | ((!where) & negative[k]);
    }
  }
  TAPPET_MEMBER Mask equal(const ContactStates& other) const {
    Mask same = all_true();
    TAPPET_UNROLL
    for (int k = 0; k < K; ++k)
      same = same & (closed[k] == other.closed[k]) &
             ((!closed[k]) | ((positive[k] == other.positive[k]) & (negative[k] == other.negative[k])));
    return same;
  }
};

template <int K>
struct PlanarSolution {
  Real P[stride * K];
  Real residual;  // of the judge
  Real iterations;
  ContactStates<K> states;
};
template <int K>
using ContactSolution = PlanarSolution<K>;

// The states that belong to impulses and velocities.
template <int K>
TAPPET_FUNCTION void states_of(const ContactProblem<K>& problem, const Real* P, const Real* xi,
                               ContactStates<K>& states) {
  TAPPET_UNROLL
  for (int k = 0; k < K; ++k) {
    const int N = stride * k;
    states.closed[k] = problem.active[k] & (P[N] * problem.G(N, N) - xi[N] > 0.0);
    states.positive[k] = states.negative[k] = !all_true();
    if (stride > 1) {
      const int F = N + stride - 1;
      const Real d = problem.G(F, F), bound = problem.mu[k] * larger(P[N], real(0.0)) * d, x = P[F] * d - xi[F];
      states.positive[k] = x >= bound;
      states.negative[k] = (x <= -bound) & (!states.positive[k]);
    }
  }
}

// The impulses for given states, if no closed contact sticks: the normal impulses are the only unknowns.
template <int K>
TAPPET_FUNCTION void solve_sliding(const ContactProblem<K>& problem, const ContactStates<K>& states, Real* P) {
  Real A[K][K], y[K], share[K];
  TAPPET_UNROLL
  for (int k = 0; k < K; ++k)
    share[k] = select(states.positive[k], problem.mu[k], select(states.negative[k], -problem.mu[k], real(0.0)));
  TAPPET_UNROLL
  for (int k = 0; k < K; ++k) {
    TAPPET_UNROLL
    for (int l = 0; l < K; ++l) {
      Real a = problem.G(stride * k, stride * l);
      if (stride > 1) a += share[l] * problem.G(stride * k, stride * l + stride - 1);
      A[k][l] = select(states.closed[k] & states.closed[l], a, real(k == l ? 1.0 : 0.0));
    }
    y[k] = select(states.closed[k], -problem.c[stride * k], real(0.0));
  }
  eliminate(A, y);
  TAPPET_UNROLL
  for (int k = 0; k < K; ++k) {
    P[stride * k] = y[k];
    if (stride > 1) P[stride * k + stride - 1] = share[k] * y[k];
  }
}

// The same if contacts may stick: there are unknowns in all rows.
template <int K>
TAPPET_FUNCTION void solve_sticking(const ContactProblem<K>& problem, const ContactStates<K>& states, Real* P) {
  constexpr int n = stride * K;
  Real A[n][n], y[n];
  TAPPET_UNROLL
  for (int r = 0; r < n; ++r) {
    const int k = r / stride;
    const bool friction = r % stride > 0;
    const Mask holds = friction ? states.sticks(k) : states.closed[k];
    TAPPET_UNROLL
    for (int s = 0; s < n; ++s)
      A[r][s] = select(holds & states.closed[s / stride], problem.G(r, s), real(r == s ? 1.0 : 0.0));
    const Real share = select(states.positive[k], -problem.mu[k], problem.mu[k]);
    if (friction) A[r][stride * k] = select(states.closed[k] & (!holds), share, A[r][stride * k]);
    y[r] = select(holds, -problem.c[r], real(0.0));
  }
  eliminate(A, y);
  TAPPET_UNROLL
  for (int r = 0; r < n; ++r) P[r] = y[r];
}

// Newton's method for the instances that are not `done`, from the states of the solution. Where it ends, P is the
// solution, and xi are its velocities.
template <int K, bool may_stick>
TAPPET_FUNCTION void solve_directly(const ContactProblem<K>& problem, int most, Mask& done, Real* xi,
                                    ContactSolution<K>& solution) {
  constexpr int n = stride * K;
  Real next[n], velocity[n];
  ContactStates<K> following;
  for (int i = 0; i < most && in_any(!done); ++i) {
    solve_sliding(problem, solution.states, next);
    const Mask sticks = solution.states.some_stick();
    if (may_stick && in_any(sticks & (!done))) {
      Real own[n];
      solve_sticking(problem, solution.states, own);
      TAPPET_UNROLL
      for (int r = 0; r < n; ++r) next[r] = select(sticks, own[r], next[r]);
    }
    problem.velocities_of(next, velocity);
    states_of(problem, next, velocity, following);
    solution.iterations += select(done, real(0.0), real(1.0));
    const Mask same = solution.states.equal(following) & (may_stick ? all_true() : !sticks);
    TAPPET_UNROLL
    for (int r = 0; r < n; ++r) {
      solution.P[r] = select(done, solution.P[r], next[r]);
      xi[r] = select(done, xi[r], velocity[r]);
    }
    solution.states.take(!done, following);
    done = done | same;
  }
}

template <int K>
TAPPET_FUNCTION void sweep(const ContactProblem<K>& problem, Real* P) {
  for (int k = 0; k < K; ++k) {
    const int N = stride * k;
    for (int r = N; r < N + stride; ++r) {
      Real xi = problem.c[r];
      for (int s = 0; s < stride * K; ++s) xi += problem.G(r, s) * P[s];
      const Real d = problem.G(r, r);
      const Real x = P[r] - select(d > 0.0, xi / d, real(0.0)), bound = problem.mu[k] * P[N];
      const Real next = r == N ? larger(x, real(0.0)) : smaller(larger(x, -bound), bound);
      P[r] = select(problem.active[k], next, real(0.0));
    }
  }
}

// Takes impulses as the solution of the instances of `open` for which they are better.
template <int K>
TAPPET_FUNCTION void take_better(const ContactProblem<K>& problem, const Real* P, Mask& open,
                                 ContactSolution<K>& solution) {
  Real xi[stride * K];
  problem.velocities_of(P, xi);
  const Real residual = judge(problem, P, xi);
  const Mask better = open & (residual < solution.residual);
  for (int r = 0; r < stride * K; ++r) solution.P[r] = select(better, P[r], solution.P[r]);
  solution.residual = select(better, residual, solution.residual);
  open = open & (solution.residual > 1e-12);
}

// Tries all states of the contacts. If there is a solution, it belongs to some of them.
template <int K>
TAPPET_FUNCTION void try_all_states(const ContactProblem<K>& problem, Mask& open, ContactSolution<K>& solution) {
  constexpr int states_of_one = stride > 1 ? 4 : 2;
  int all = 1;
  for (int k = 0; k < K; ++k) all *= states_of_one;
  Real P[stride * K];
  ContactStates<K> states;
  for (int code = 0; code < all && in_any(open); ++code) {
    int rest = code;
    Mask possible = open;
    for (int k = 0; k < K; ++k, rest /= states_of_one) {
      const int state = rest % states_of_one;  // open, sticking or sliding in one of two directions
      states.closed[k] = state > 0 ? problem.active[k] : !all_true();
      states.positive[k] = state == 2 ? all_true() : !all_true();
      states.negative[k] = state == 3 ? all_true() : !all_true();
      if (state > 0) possible = possible & problem.active[k];
    }
    if (!in_any(possible)) continue;
    solve_sticking(problem, states, P);
    take_better(problem, P, open, solution);
    solution.iterations += select(possible, real(1.0), real(0.0));
  }
}

// Newton's method from the guess, then rounds of sweeps and Newton's method. If there are few contacts, all of their
// states are tried after the second round. Only the instances of `open` change.
template <int K>
TAPPET_FUNCTION void solve_with_sweeps(const ContactProblem<K>& problem, double tolerance, Mask open,
                                       ContactSolution<K>& solution) {
  constexpr int n = stride * K, rounds = 5;
  const Mask asked = open;
  Real P[n], xi[n];
  ContactSolution<K> trial = solution;
  for (int r = 0; r < n; ++r) P[r] = real(0.0), xi[r] = problem.c[r];
  solution.residual = select(open, real(1e300), solution.residual);
  for (int round = 0, sweeps = 0; round <= rounds && in_any(open); ++round) {
    if (round > 0) {
      sweeps = round == 1 ? 10 : 3 * sweeps;
      for (int i = 0; i < sweeps; ++i) sweep(problem, P);
      for (int r = 0; r < n; ++r) trial.P[r] = P[r];
      problem.velocities_of(P, xi);
      states_of(problem, P, xi, trial.states);
    }
    Mask done = !open;
    trial.iterations = real(0.0);
    solve_directly<K, true>(problem, 12, done, xi, trial);
    solution.iterations += select(open, trial.iterations + real(sweeps), real(0.0));
    take_better(problem, trial.P, open, solution);
    open = open & (!(done & (solution.residual <= tolerance)));
    if (round > 0) take_better(problem, P, open, solution);
    if (round == 2 && K <= 6) try_all_states(problem, open, solution);
  }
  problem.velocities_of(solution.P, xi);
  states_of(problem, solution.P, xi, trial.states);
  solution.states.take(asked, trial.states);
}

// The states that belong to impulses of zero, if contacts that approach are closed and slide on.
template <int K>
TAPPET_FUNCTION void guess_by_velocities(const ContactProblem<K>& problem, ContactStates<K>& guess) {
  TAPPET_UNROLL
  for (int k = 0; k < K; ++k) {
    guess.closed[k] = problem.active[k] & (problem.c[stride * k] < 0.0);
    guess.positive[k] = guess.negative[k] = !all_true();
    if (stride > 1) {
      guess.positive[k] = problem.c[stride * k + stride - 1] <= 0.0;
      guess.negative[k] = !guess.positive[k];
    }
  }
}

// The states of the last step. They are the first guess for contacts that stay active. A contact that was not active
// has the states that belong to impulses of zero.
struct PlanarMemory {
  Mask active[problem_space];
  ContactStates<problem_space> states;

  TAPPET_MEMBER void forget() {
    TAPPET_UNROLL
    for (int k = 0; k < problem_contacts; ++k)
      active[k] = states.closed[k] = states.positive[k] = states.negative[k] = !all_true();
  }
  TAPPET_MEMBER void guess(const ContactProblem<problem_space>& problem, ContactStates<problem_space>& guess) const {
    guess_by_velocities(problem, guess);
    TAPPET_UNROLL
    for (int k = 0; k < problem_contacts; ++k) {
      guess.closed[k] = problem.active[k] & ((active[k] & states.closed[k]) | ((!active[k]) & guess.closed[k]));
      guess.positive[k] = (active[k] & states.positive[k]) | ((!active[k]) & guess.positive[k]);
      guess.negative[k] = (active[k] & states.negative[k]) | ((!active[k]) & guess.negative[k]);
    }
  }
  TAPPET_MEMBER void keep(const ContactProblem<problem_space>& problem, const ContactStates<problem_space>& found) {
    TAPPET_UNROLL
    for (int k = 0; k < problem_contacts; ++k) active[k] = problem.active[k];
    states = found;
  }
};
using ContactMemory = PlanarMemory;

// A solution that has the states from which it was computed fulfils every sign and every friction bound. Only rounding
// is left in the rows whose velocity is zero. The projection of the judge moves no point further than its argument
// moves, so the squares of these velocities bound the square of its residual.
template <int K>
TAPPET_FUNCTION Real left_over(const ContactProblem<K>& problem, const ContactStates<K>& states, const Real* xi) {
  Real sum = real(0.0);
  TAPPET_UNROLL
  for (int k = 0; k < K; ++k) {
    const int N = stride * k;
    Real normal = abs_of(xi[N]), squares = real(0.0);
    if (stride > 1) {
      const Real slip = select(states.sticks(k), xi[N + stride - 1], real(0.0));
      normal += problem.mu[k] * abs_of(slip);
      squares = slip * slip;
    }
    sum += select(states.closed[k], normal * normal + squares, real(0.0));
  }
  return sum;
}

// Newton's method from the states of the solution. True for the instances that it solves.
template <int K>
TAPPET_FUNCTION Mask solve_from_guess(const ContactProblem<K>& problem, double tolerance,
                                      ContactSolution<K>& solution) {
  Real xi[stride * K], scale = real(0.0);
  Mask done = all_true();
  TAPPET_UNROLL
  for (int k = 0; k < K; ++k) done = done & (!problem.active[k]);
  TAPPET_UNROLL
  for (int r = 0; r < stride * K; ++r) {
    solution.P[r] = real(0.0), xi[r] = problem.c[r];
    const Mask exists = problem.active[r / stride] & (r % stride > 0 ? problem.friction[r / stride] : all_true());
    scale += select(exists, problem.c[r] * problem.c[r], real(0.0));
  }
  solution.iterations = real(0.0);
  const Mask idle = done;
  solve_directly<K, (stride * K <= 6)>(problem, 4, done, xi, solution);
  const Real left = select(idle, real(0.0), left_over(problem, solution.states, xi));
  const Mask exact = done & (left <= tolerance * tolerance * scale);
  solution.residual = rough_root_of_ratio(left, scale);
  if (in_any(!exact)) {
    const Real judged = judge(problem, solution.P, xi);
    solution.residual = select(exact, solution.residual, judged);
    return exact | (judged <= 1e-12) | (done & (judged <= tolerance));
  }
  return exact;
}

// False: the effort was not enough, and nothing has changed.
template <Effort effort>
TAPPET_FUNCTION bool solve_contacts(const ContactProblem<problem_space>& problem, double tolerance,
                                    ContactMemory& memory, ContactSolution<problem_space>& solution) {
  ContactStates<problem_space> guess;
  memory.guess(problem, guess);
  solution.states = guess;
  Mask open = all_true();
  if constexpr (by_factors && problem_contacts > few)  // it was tried with the active contacts alone
    solution.iterations = solution.residual = real(0.0);
  else
    open = !solve_from_guess(problem, tolerance, solution);
  if (in_any(open)) {
    if (effort == Effort::direct) return false;
    solution.states.take(open, guess);
    solve_with_sweeps(problem, tolerance, open, solution);
  }
  memory.keep(problem, solution.states);
  return true;
}
