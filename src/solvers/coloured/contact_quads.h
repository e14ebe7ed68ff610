// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

#include "math/wide/wide.h"

namespace tappet {

// The velocities Lᵀu of a rigid body on one cache line: v_x v_y v_z 0 ω_x ω_y ω_z 0. ω of a ball is in the frame of the
// contacts, that of other bodies in their own frame.
struct alignas(64) BodyVelocity {
  double value[8] = {};
};

// Two numbers for each of four contacts in the place of one, with the 20 leading bits of their fractions. `upper` is
// the number itself, and its lower half, below the bits that are exact, holds `lower`. Large problems are read from
// memory in every sweep, so this halves the bytes. The rounding error of ξ is put into c (ColouredSweeps::correct).
struct Two {
  Four both;

  void set(int lane, double upper, double lower) {
    constexpr std::uint64_t half = std::uint64_t{1} << 31;  // rounds to nearest
    const auto leading = [](double x) { return (std::bit_cast<std::uint64_t>(x) + half) >> 32; };
    if (upper == 0.0 && lower != 0.0) upper = 1e-30;  // avoids a denormal number, which would be slow to compute with
    both[lane] = std::bit_cast<double>(std::bit_cast<std::uint64_t>(upper) >> 32 << 32 | leading(lower));
  }
};

// Four contacts between balls that share no body, side by side. A body counts as a ball if the normal passes through
// its centre and its mass and inertia are the same in all directions. With the normal n and the tangents s and t = n ×
// s, the rows N, F1, F2 of (L⁻¹W)ᵀ are a_A n, a_A s, a_A t over v of A, −a_B n … over v of B, and 0, −b_A t, b_A s over
// ω of A, with b_B over that of B. G_kk = diag(G_N, G_F, G_F). A contact with the ground has a_B = b_B = 0. A lane
// without a contact has only zeros.
struct alignas(32) ContactQuad {
  Two ns[3];    // n, s
  Two a, b;     // of A, of B
  Two inverse;  // 1/G_N, 1/G_F
  Four mu, c[3];
  std::uint32_t A[4], B[4];     // the first numbers of the bodies
  bool moves_A[4], moves_B[4];  // whether the bodies are to be written
};

// v holds the numbers of all bodies. P holds N of four contacts, F1 of four, F2 of four, so 12 numbers per quad. Each
// visit solves P of the four with all others held fixed and moves the bodies. Returns ‖G_N ΔP‖².
double visit(const ContactQuad* quads, int count, double* v, double* P);

// The sum of squares of which residual() takes the root.
double squared_distance(const ContactQuad* quads, int count, const double* v, const double* P, double rho_inverse);

// v += Y P.
void push(const ContactQuad* quads, int count, const double* P, double* v);

// ξ as a visit computes it, in the order of P.
void velocities(const ContactQuad* quads, int count, const double* v, double* xi);

}  // namespace tappet
