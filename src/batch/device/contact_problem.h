// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The contact problem of a step: xi = G P + c, and for each active contact
//   0 <= xi_N, P_N >= 0, xi_N P_N = 0,   |P_F| <= mu P_N, and P_F = -mu P_N xi_F / |xi_F| if xi_F is not 0.
//
// `stride` is the number of rows of each contact, and is_friction(k) says whether the second one of contact k exists.
// is_pressed(k): it is closed at all times.
constexpr int rows = stride * contacts;
TAPPET_CONSTANT int no_less_than_one(int n) { return n > 0 ? n : 1; }
constexpr int row_space = no_less_than_one(rows), contact_space = no_less_than_one(contacts);
constexpr int velocity_space = no_less_than_one(velocities), position_space = no_less_than_one(positions),
              column_space = no_less_than_one(columns), joint_space = no_less_than_one(joints);

// A problem has the contacts of the model. If it is coupled, the gaps follow as contacts without friction.
constexpr int problem_contacts = coupled ? 2 * contacts : contacts, problem_space = no_less_than_one(problem_contacts);

// The matrix G = W X' of n rows, where X holds the responses M^-1 W'. Only the velocities of bodies that have contacts
// count: `columns` is their number. If there are few of them and many rows, W and X have fewer numbers than G, and G is
// never computed. On a GPU this decides whether a step fits into the registers.
template <int n, bool by_factors>
struct ContactMatrix;

template <int n>
struct ContactMatrix<n, true> {
  Real W[n][column_space], X[n][column_space];

  TAPPET_MEMBER Real entry(int r, int s) const {
    Real sum = W[r][0] * X[s][0];
    TAPPET_UNROLL
    for (int i = 1; i < columns; ++i) sum += W[r][i] * X[s][i];
    return sum;
  }
  TAPPET_MEMBER void add_product(const Real* P, Real* xi) const {
    Real u[column_space];
    TAPPET_UNROLL
    for (int i = 0; i < columns; ++i) {
      u[i] = X[0][i] * P[0];
      TAPPET_UNROLL
      for (int s = 1; s < n; ++s) u[i] += X[s][i] * P[s];
    }
    TAPPET_UNROLL
    for (int r = 0; r < n; ++r) {
      TAPPET_UNROLL
      for (int i = 0; i < columns; ++i) xi[r] += W[r][i] * u[i];
    }
  }
};

template <int n>
struct ContactMatrix<n, false> {
  Real G[n][n];

  TAPPET_MEMBER Real entry(int r, int s) const { return G[r][s]; }
  TAPPET_MEMBER void add_product(const Real* P, Real* xi) const {
    TAPPET_UNROLL
    for (int r = 0; r < n; ++r) {
      TAPPET_UNROLL
      for (int s = 0; s < n; ++s) xi[r] += G[r][s] * P[s];
    }
  }
};

constexpr bool by_factors = !coupled && !dense && stride <= 2 && 2 * columns <= rows;

// X = C W' of one row.
TAPPET_FUNCTION void respond_in_columns(const Real (*C)[column_space], const Real* W, Real* X) {
  TAPPET_UNROLL
  for (int i = 0; i < columns; ++i) {
    X[i] = C[i][0] * W[0];
    TAPPET_UNROLL
    for (int j = 1; j < columns; ++j) X[i] += C[i][j] * W[j];
  }
}

// The contacts of a problem of its own, if few of many are active.
constexpr int few = 2;

// A problem of K contacts.
template <int K>
struct ContactProblem {
  static constexpr int n = stride * K;
  Mask active[K], friction[K];
  Real mu[K], c[n];
  ContactMatrix<n, (by_factors && K > few)> matrix;

  TAPPET_MEMBER Real G(int r, int s) const { return matrix.entry(r, s); }
  TAPPET_MEMBER void velocities_of(const Real* P, Real* xi) const {
    TAPPET_UNROLL
    for (int r = 0; r < n; ++r) xi[r] = c[r];
    matrix.add_product(P, xi);
  }
};

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
    inverse[i] = select(abs_of(A[i][i]) > size[i], quotient(real(1.0), A[i][i]), real(0.0));
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

// The residual of the judge of Tappet (src/problem/residual.cpp): |P/rho - proj(P/rho - xi')| / |c| over the rows of
// the active contacts.
template <int K>
TAPPET_FUNCTION Real judge(const ContactProblem<K>& problem, const Real* P, const Real* xi) {
  Real trace = real(0.0), count = real(0.0), sum = real(0.0), scale = real(0.0);
  TAPPET_UNROLL
  for (int r = 0; r < stride * K; ++r) {
    const Mask exists = problem.active[r / stride] & (r % stride > 0 ? problem.friction[r / stride] : all_true());
    trace += select(exists, problem.G(r, r), real(0.0));
    count += select(exists, real(1.0), real(0.0));
    scale += select(exists, problem.c[r] * problem.c[r], real(0.0));
  }
  const Real per_impulse = select(trace > 0.0, trace / count, real(1.0));
  TAPPET_UNROLL
  for (int k = 0; k < K; ++k) {
    const int N = stride * k;
    const Real p = P[N] * per_impulse, mu = stride > 1 ? problem.mu[k] : real(0.0);
    Real y[stride], slip = real(0.0), t = real(0.0);  // y[0] is not used
    if (stride == 2) {
      y[1] = P[N + 1] * per_impulse - xi[N + 1];
      slip = abs_of(xi[N + 1]), t = abs_of(y[1]);
    } else if (stride > 2) {
      TAPPET_UNROLL
      for (int r = 1; r < stride; ++r) {
        y[r] = P[N + r] * per_impulse - xi[N + r];
        slip += xi[N + r] * xi[N + r], t += y[r] * y[r];
      }
      slip = sqrt_of(slip), t = sqrt_of(t);
    }
    const Real x = p - xi[N] - mu * slip, s = (x + mu * t) / (1.0 + mu * mu);
    const Mask apex = mu * t <= -x, inside = t <= mu * x;
    const Real d = p - select(apex, real(0.0), select(inside, x, s));
    Real distance = d * d;
    const Real shorter = select(apex, real(0.0), select(inside, real(1.0), mu * s / select(t > 0.0, t, real(1.0))));
    TAPPET_UNROLL
    for (int r = 1; r < stride; ++r) {
      const Real d_F = P[N + r] * per_impulse - shorter * y[r];
      distance += d_F * d_F;
    }
    sum += select(problem.active[k], distance, real(0.0));
  }
  return select(sum == 0.0, real(0.0), sqrt_of(sum / select(scale > 0.0, scale, real(1.0))));
}

// How much of a step is tried. What needs more registers is left for the second attempt.
enum class Effort { direct, all };
