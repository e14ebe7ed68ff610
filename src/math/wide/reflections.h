// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tappet {

// Householder reflections I − β v vᵀ, v[0] = 1, of many columns at once. The columns lie side by side: each row of the
// matrix is contiguous, and rows are `stride` apart. Every column has its own sum, whose terms are added from the first
// to the last row. So the result has the same bits as if the columns were reflected one by one, for every width of
// vectors.

// squares[j] = Σ A(i, j)² over the rows
void sums_of_squares(int rows, int columns, const double* A, int stride, double* squares);

// A ← (I − β v vᵀ) A
void reflect_columns(int rows, int columns, double beta, const double* v, double* A, int stride);
// The same, and squares[j] = Σ A(i, j)² over the rows after the first.
void reflect_columns(int rows, int columns, double beta, const double* v, double* A, int stride, double* squares);

// x ← x / divisor
void divide(int n, double divisor, double* x);

}  // namespace tappet
