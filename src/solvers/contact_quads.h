// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "solvers/wide.h"

namespace tappet {

// The velocities Lᵀu of a rigid body on one line of the cache: v_x v_y v_z 0 ω_x ω_y ω_z 0.
struct alignas(64) BodyVelocity {
  double value[8] = {};
};

// Four contacts between balls that share no body, side by side. What makes a ball: the normal passes through its centre
// and its inertia is the same in all directions; then G_kk = diag(G_N, G_F, G_F), and what the contact does to the
// centre of B is −κ times what it does to that of A. Rows N, F1, F2 of (L⁻¹W)ᵀ: `centre` over v of A, `turn_A` and
// `turn_B` over ω for F1 and F2. A contact with the ground has κ = 0 and turn_B = 0; a lane without a contact has zeros
// throughout.
struct alignas(32) ContactQuad {
  Four centre[3][3], turn_A[2][3], turn_B[2][3], kappa;
  Four c[3], mu, G[2], G_inverse[2];  // of normal and friction
  int A[4], B[4];                     // bodies to be read, all of this quad alone
  unsigned moves_A, moves_B;          // bit by bit whether they are to be written
};

// P: N of four contacts, F1 of four, F2 of four; 12 numbers a quad.
// One visit each: P of the four is solved with all others held, the bodies move; Returns
// ‖diag(G_kk) ΔP‖².
double visit(const ContactQuad* quads, int count, BodyVelocity* bodies, double* P);

// The sum of squares that residual() takes the root of.
double squared_distance(const ContactQuad* quads, int count, const BodyVelocity* bodies, const double* P,
                        double rho_inverse);

// Bodies += Y P.
void push(const ContactQuad* quads, int count, const double* P, BodyVelocity* bodies);

}  // namespace tappet
