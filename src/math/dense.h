// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tappet::dense {

// Small factorisations in place, plain loops, column-major with leading dimension n: at three to sixty unknowns
// they cost a few instructions per operation and never allocate.

bool cholesky(double* A, int n);  // lower triangle; false: not positive definite
void cholesky_solve(const double* L, int n, double* x);

bool lu(double* A, int n, int* pivots);  // partial pivoting; false: singular
void lu_solve(const double* LU, int n, const int* pivots, double* x);

void multiply(const double* A, int n, const double* x, double* y);  // y = A x, y apart from x

// A ← the nearest negative semidefinite matrix to its symmetric part, by Jacobi's rotations; its antisymmetric part
// is kept or dropped. scratch: 2 n² numbers.
void make_negative(double* A, int n, bool keep_antisymmetric, double* scratch);

}  // namespace tappet::dense

namespace tappet::band {

// LU with partial pivoting of a matrix of half bandwidth w: entry (i, j) stands at A[j (3w+1) + 2w + i − j].
// The diagonal of U is left inverted.
bool lu(double* A, int n, int w, int* pivots);
void lu_solve(const double* LU, int n, int w, const int* pivots, double* x);

}  // namespace tappet::band
