// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/pose.h>

#include "elements/contacts/contact_law.h"
#include "elements/forces/lines.h"

// Everything that is needed of a joint, contact or force at every level. It is derived from its function on position
// level by forward differentiation along twists. The instantiations for all lists are in derive_*.cpp.
//
// There are twelve columns: the twist (or displacement) of A, then that of B. Matrices are row-major. Columns of a
// frame that does not move are set to zero and cost nothing. For a set of rows, along any motion,
//   value′ = γ = W u + χ,     γ′ = W u̇ + ζ,   u the twists of both frames.
// The rows are those of a joint. For a contact they are the gap and then its slips (which have no value).
namespace tappet {

struct Pair {
  Pose<double> A, B;
  double t = 0.0;
  bool A_moves = true, B_moves = true;  // false for the ground
};
struct PairTwist {
  Twist<double> a, b;
};

inline constexpr int pair_size = 12;

// Position-level joints.
template <class J>
void value(const J& joint, const Pair& at, double* g);
// W (rows × 12) and χ = ∂g/∂t.
template <class J>
void directions(const J& joint, const Pair& at, double* W, double* chi);
template <class J>
void second_rate(const J& joint, const Pair& at, const PairTwist& u, double* zeta);
// K_ij = Σ_r P_r ∂W_ri/∂ε_j (12 × 12), where ε is a displacement of the pair. It says how WᵀP changes as the bodies
// move.
template <class J>
void contraction(const J& joint, const Pair& at, const double* P, double* K);
// ∂(W u + χ)/∂ε (rows × 12).
template <class J>
void velocity_gradient(const J& joint, const Pair& at, const PairTwist& u, double* D);
// ∂(W u̇ + ζ)/∂ε and ∂ζ/∂u (rows × 12 each).
template <class J>
void acceleration_gradient(const J& joint, const Pair& at, const PairTwist& u, const PairTwist& u_dot, double* D_pose,
                           double* D_twist);

// Contacts: the same, for a law that has been resolved.
template <class C>
double gap(const C& contact, const Pair& at);
template <class C>
void directions(const C& contact, const ContactLaw& law, const Pair& at, double* W, double* chi);
template <class C>
void second_rate(const C& contact, const ContactLaw& law, const Pair& at, const PairTwist& u, double* zeta);
template <class C>
void contraction(const C& contact, const ContactLaw& law, const Pair& at, const double* P, double* K);
template <class C>
void velocity_gradient(const C& contact, const ContactLaw& law, const Pair& at, const PairTwist& u, double* D);
template <class C>
void acceleration_gradient(const C& contact, const ContactLaw& law, const Pair& at, const PairTwist& u,
                           const PairTwist& u_dot, double* D_pose, double* D_twist);
// The nearest points of the bodies, for drawing and reports.
template <class C>
void nearest_points(const C& contact, const Pair& at, Vec3d& point_A, Vec3d& point_B, Vec3d& normal);

// Forces: f (12: wrench on A, wrench on B), K = ∂f/∂ε and C = ∂f/∂u (12 × 12).
template <class F>
void wrench(const F& force, const Pair& at, const PairTwist& u, double* f);
template <class F>
void wrench_gradient(const F& force, const Pair& at, const PairTwist& u, double* K, double* C);
// The potential energy, or 0 for a force that has none.
template <class F>
double energy(const F& force, const Pair& at);
// For linearly implicit schemes. The stiff part of the force is Σ −∇l_i (k l_i + c dl_i/dt) with few functions l_i of
// the pose. So K ≈ −k GᵀG and C ≈ −c GᵀG with G = ∇l (count × 12, at most 3 rows; Potra 2006 (10.13), (10.14)). A force
// without stiffness has count 0.
template <class F>
Lines lines(const F& force, const Pair& at, double* G);

}  // namespace tappet
