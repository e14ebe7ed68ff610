// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The velocities of rows before an impact: known, or those of a velocity at the same point.
struct KnownRates {
  const Real* gamma;

  TAPPET_MEMBER void all(const Parameters&, const Point&, Real* to) const {
    TAPPET_UNROLL
    for (int r = 0; r < rows; ++r) to[r] = gamma[r];
  }
  template <class Selection>
  TAPPET_MEMBER Real of(const Selection& selection, int place, int r, const Real*, Real) const {
    return selection.of(place, gamma + r, stride);
  }
};
struct RatesOf {
  const Real* u;

  TAPPET_MEMBER void all(const Parameters& p, const Point& at, Real* to) const { rates(p, at, u, to); }
  template <class Selection>
  TAPPET_MEMBER Real of(const Selection&, int, int, const Real* W, Real chi) const {
    return rate_of(W, chi, u);
  }
  TAPPET_MEMBER static Real rate_of(const Real* W, Real chi, const Real* u) {
    Real sum = chi;
    TAPPET_UNROLL
    for (int i = 0; i < columns; ++i) sum += W[i] * u[contact_column(i)];
    return sum;
  }
};

// The matrix of a contact problem.
TAPPET_FUNCTION void fill(const Parameters& p, const Point& at, ContactMatrix<row_space, true>& matrix) {
  Real C[column_space][column_space];
  contact_rows(p, at, matrix.W);
  compliance(p, at, C);
  for (int r = 0; r < rows; ++r) respond_in_columns(C, matrix.W[r], matrix.X[r]);
}
TAPPET_FUNCTION void fill(const Parameters& p, const Point& at, ContactMatrix<row_space, false>& matrix) {
  delassus(p, at, matrix.G);
}
// The matrix if the responses of all velocities are known.
TAPPET_FUNCTION void fill(const Parameters& p, const Point& holds, const Real (*X)[velocity_space],
                          ContactMatrix<row_space, false>& matrix) {
  TAPPET_UNROLL
  for (int s = 0; s < rows; ++s) {
    Real y[row_space];
    products(p, holds, X[s], y);
    TAPPET_UNROLL
    for (int r = 0; r < rows; ++r) matrix.G[r][s] = y[r];
  }
}
