// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tappet {

// The inner loops of a dense elimination, column-major. Every entry receives its products one after the other, and none
// is contracted. So the result is the same on every machine, for every width of vectors.

// C (rows × columns) −= L (rows × depth) U (depth × columns); all three with columns `stride` apart.
void subtract_product(int rows, int columns, int depth, const double* L, const double* U, double* C, int stride);

// y −= a x
void subtract_multiple(int n, double a, const double* x, double* y);

}  // namespace tappet
