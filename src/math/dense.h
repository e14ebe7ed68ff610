// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "math/wide/wide.h"

namespace tappet::dense {

// Small factorisations in place, with plain loops, column-major with leading dimension n. With three to sixty unknowns
// they take a few instructions per operation, and they never allocate memory.

bool cholesky(double* A, int n);  // lower triangle; false if not positive definite
void cholesky_solve(const double* L, int n, double* x);

bool lu(double* A, int n, int* pivots);  // partial pivoting; false if singular
void lu_solve(const double* LU, int n, const int* pivots, double* x);
void lu_solve(const double* LU, int n, const int* pivots, Four* x);
// The same for each of several right-hand sides, which begin `stride` numbers apart, with the same bits. n ≤
// most_sides.
inline constexpr int most_sides = 60;
void lu_solve_rows(const double* LU, int n, const int* pivots, double* x, int rows, int stride);

void multiply(const double* A, int n, const double* x, double* y);  // y = A x; y must not overlap x
void multiply(const double* A, int n, const Four* x, Four* y);

void transpose(const double* A, int n, double* At);

// A ← the negative semidefinite matrix that is nearest to its symmetric part, by Jacobi's rotations. The antisymmetric
// part is kept or dropped. `scratch` has 2 n² numbers.
void make_negative(double* A, int n, bool keep_antisymmetric, double* scratch);

}  // namespace tappet::dense

namespace tappet::band {

// LU with partial pivoting of a matrix of half bandwidth w. Entry (i, j) is at A[j (3w+1) + 2w + i − j]. The diagonal
// of U is stored inverted.
bool lu(double* A, int n, int w, int* pivots);
void lu_solve(const double* LU, int n, int w, const int* pivots, double* x);

}  // namespace tappet::band
