// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tappet {

// Householder reflections I − β v vᵀ, where v[0] = 1 is implied and not stored. Sums are taken in four parts, so the
// result is the same for every width of vectors.

// Turns x into the reflector with (I − β v vᵀ) x = α e₁; x[0] ← α, and the rest of x becomes that of v. Returns β.
double reflector(int n, double* x);

// x ← (I − β v vᵀ) x
void reflect(int n, const double* v, double beta, double* x);

// Σ x_i²
double sum_of_squares(int n, const double* x);

}  // namespace tappet
