// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tappet {

// The inner loops of a dense elimination, column-major. Every entry receives its products one after the other, and none
// is contracted. So the result is the same on every machine, for every width of vectors.

// C (rows × columns) −= L (rows × depth) U (depth × columns); all three with columns `stride` apart.
void subtract_product(int rows, int columns, int depth, const double* L, const double* U, double* C, int stride);

// U (depth × columns) ← L⁻¹ U, where L (depth × depth) has ones on its diagonal, which are not stored. Both with
// columns `stride` apart, depth at most `deepest`.
constexpr int deepest = 24;
void solve_lower(int depth, int columns, const double* L, double* U, int stride);

// The largest |x_i|, 0 if there is none.
double largest_of(int n, const double* x);

// y −= L (rows × depth) x, with columns of L `stride` apart.
void subtract_image(int rows, int depth, const double* L, int stride, const double* x, double* y);

// C (rows × columns) −= x uᵀ, where the entries of u and the columns of C are `stride` apart.
void subtract_outer(int rows, int columns, const double* x, const double* u, double* C, int stride);

// y −= a x
void subtract_multiple(int n, double a, const double* x, double* y);

}  // namespace tappet
