// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "math/wide/wide.h"

namespace tappet {

// A vector of 32 bytes: four numbers in double precision or eight in single precision.
template <class Real>
struct Wide;
template <>
struct Wide<double> {
  using Pack = Four;
  static constexpr int lanes = 4;
};
template <>
struct Wide<float> {
  using Pack = Eight;
  static constexpr int lanes = 8;
};

// The velocities Lᵀu of a rigid body side by side: v_x v_y v_z 0 ω_x ω_y ω_z 0. ω of a ball is in the frame of the
// contacts, that of other bodies in their own frame.
template <class Real>
struct alignas(8 * sizeof(Real)) BodyVelocity {
  Real value[8] = {};
};

// Contacts between balls that share no body, one in each lane. A body counts as a ball if the normal passes through its
// centre and its mass and inertia are the same in all directions. With the normal n and the tangents s and t = n × s,
// the rows N, F1, F2 of (L⁻¹W)ᵀ are a_A n, a_A s, a_A t over v of A, −a_B n … over v of B, and 0, −b_A t, b_A s over ω
// of A, with b_B over that of B. G_kk = diag(G_N, G_F, G_F). All contacts of a group have two balls, or all of them
// have one ball, which touches the ground. Large problems are read from memory in every sweep, so a contact takes as
// few bytes as possible: 64 in single precision.
template <class Real>
struct alignas(32) BallGroup {
  using Pack = typename Wide<Real>::Pack;
  static constexpr int lanes = Wide<Real>::lanes, rows = 3, numbers = rows * lanes;  // of P
  static constexpr std::uint32_t ground = UINT32_MAX;

  Pack n[3], s[3], a[2], b[2], mu, c[3];  // a and b of A and of B
  std::uint32_t body[2][lanes];           // the first numbers of A and of B; ground: all lanes have only A

  bool has_pairs() const { return body[1][0] != ground; }
};

// v holds the numbers of all bodies. P holds N of all lanes of a group, then F1, then F2. Each visit solves the P of a
// group with all others held fixed and moves the bodies. Returns ‖diag(G_kk) ΔP‖².
double visit(const BallGroup<float>* groups, int count, float* v, float* P);
double visit(const BallGroup<double>* groups, int count, double* v, double* P);

// The sum of squares of which residual() takes the root.
double squared_distance(const BallGroup<float>* groups, int count, const float* v, const float* P, float rho_inverse);
double squared_distance(const BallGroup<double>* groups, int count, const double* v, const double* P,
                        double rho_inverse);

// v += Y P.
void push(const BallGroup<float>* groups, int count, const float* P, float* v);
void push(const BallGroup<double>* groups, int count, const double* P, double* v);

// ξ as a visit computes it, in the order of P.
void velocities(const BallGroup<float>* groups, int count, const float* v, float* xi);
void velocities(const BallGroup<double>* groups, int count, const double* v, double* xi);

}  // namespace tappet
