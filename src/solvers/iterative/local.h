// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tappet {

// One contact alone, exactly: P with ξ = G P + c, 0 ≤ ξ_N ⊥ P_N ≥ 0, −ξ_F ∈ N_{‖·‖ ≤ μ P_N}(P_F).
// G is rows × rows, column-major with columns `stride` apart; rows 1 to 4; G_NN > 0 unless the row is empty.
//   c_N ≥ 0: open. Otherwise stick if it lies in the cone, else slip.
void solve_contact(int rows, double mu, const double* G, int stride, const double* c, double* P);

// One joint alone: P = −G⁻¹ c, the shortest P where rows depend on each other. G is destroyed (rows × rows, packed).
void solve_joint(int rows, double* G, const double* c, double* P);

}  // namespace tappet
