// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tappet {

// Solves one contact alone, exactly: P with ξ = G P + c, 0 ≤ ξ_N ⊥ P_N ≥ 0, −ξ_F ∈ N_{‖·‖ ≤ μ P_N}(P_F). G is rows ×
// rows, column-major with columns `stride` apart, with 1 to 4 rows. G_NN > 0 unless the row is empty. If c_N ≥ 0 the
// contact is open. Otherwise it sticks if this lies in the cone, and slips if not.
void solve_contact(int rows, double mu, const double* G, int stride, const double* c, double* P);

// Solves one joint alone: P = −G⁻¹ c, with the shortest P if rows depend on each other. G (rows × rows, packed) is
// destroyed.
void solve_joint(int rows, double* G, const double* c, double* P);

}  // namespace tappet
