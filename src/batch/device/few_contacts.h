// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The first two active contacts of many.
struct FewContacts {
  Mask chosen[few][contact_space];  // which contact each of them is
  Mask more;                        // others are active, too

  TAPPET_MEMBER explicit FewContacts(const Mask* active) {
    Mask one = !all_true(), two = !all_true();
    more = !all_true();
    TAPPET_UNROLL
    for (int k = 0; k < contacts; ++k) {
      more = more | (active[k] & two);
      chosen[0][k] = active[k] & (!one);
      chosen[1][k] = active[k] & one & (!two);
      two = two | (active[k] & one);
      one = one | active[k];
    }
  }

  // The entry of a list over contacts that belongs to the contact of this place.
  TAPPET_MEMBER Real of(int place, const Real* list, int step) const {
    Real x = list[(contacts - 1) * step];
    TAPPET_UNROLL
    for (int k = contacts - 2; k >= 0; --k) x = select(chosen[place][k], list[k * step], x);
    return x;
  }
  TAPPET_MEMBER Mask of(int place, const Mask* list) const {
    Mask x = !all_true();
    TAPPET_UNROLL
    for (int k = 0; k < contacts; ++k) x = x | (chosen[place][k] & list[k]);
    return x;
  }
  TAPPET_MEMBER void scatter(const ContactSolution<few>& from, Real* P) const {
    TAPPET_UNROLL
    for (int r = 0; r < rows; ++r)
      P[r] = select(chosen[0][r / stride], from.P[r % stride],
                    select(chosen[1][r / stride], from.P[stride + r % stride], real(0.0)));
  }
};

// Of many contacts few are active at the same time. They form a problem of their own, and only their rows are computed.
// True for the instances that it solves.
template <class Before>
TAPPET_FUNCTION Mask law_of_few(const Parameters& p, const Point& at, const Mask* active, const Before& before,
                                double tolerance, Real* u, StepResult& result) {
  const FewContacts selection(active);
  Real W[row_space][column_space], chi[row_space], C[column_space][column_space];
  contact_rows(p, at, W);
  drifts(p, at, chi);
  compliance(p, at, C);
  ContactProblem<few> problem;
  ContactSolution<few> solution;
  Real own[stride * few][column_space], X[stride * few][column_space];
  TAPPET_UNROLL
  for (int a = 0; a < few; ++a) {
    problem.active[a] = selection.of(a, active);
    problem.mu[a] = selection.of(a, p.mu, 1);
    problem.friction[a] = !all_true();
    TAPPET_UNROLL
    for (int k = 0; k < contacts; ++k)
      if (is_friction(k)) problem.friction[a] = problem.friction[a] | selection.chosen[a][k];
    TAPPET_UNROLL
    for (int r = 0; r < stride; ++r) {
      const int row = stride * a + r;
      TAPPET_UNROLL
      for (int i = 0; i < columns; ++i) own[row][i] = selection.of(a, W[r] + i, stride * column_space);
      const Real drift = selection.of(a, chi + r, stride);
      const Real e = selection.of(a, r > 0 ? p.e_F : p.e_N, 1);
      problem.c[row] = RatesOf::rate_of(own[row], drift, u) + e * before.of(selection, a, r, own[row], drift);
      respond_in_columns(C, own[row], X[row]);
    }
  }
  TAPPET_UNROLL
  for (int r = 0; r < stride * few; ++r) {
    TAPPET_UNROLL
    for (int s = 0; s < stride * few; ++s) {
      Real sum = own[r][0] * X[s][0];
      TAPPET_UNROLL
      for (int i = 1; i < columns; ++i) sum += own[r][i] * X[s][i];
      problem.matrix.G[r][s] = s < r ? problem.matrix.G[s][r] : sum;
    }
  }
  guess_by_velocities(problem, solution.states);
  const Mask solved = (!selection.more) & solve_from_guess(problem, tolerance, solution);
  Real w[column_space];
  TAPPET_UNROLL
  for (int i = 0; i < columns; ++i) {
    w[i] = own[0][i] * solution.P[0];
    TAPPET_UNROLL
    for (int r = 1; r < stride * few; ++r) w[i] += own[r][i] * solution.P[r];
  }
  push(p, at, w, u);
  selection.scatter(solution, result.P);
  take(problem, tolerance, solution, result);
  result.closed = real(0.0);
  TAPPET_UNROLL
  for (int k = 0; k < contacts; ++k) result.closed += zero_or_one(active[k]);
  return solved;
}
