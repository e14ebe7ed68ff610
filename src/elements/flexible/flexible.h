// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/pose.h>

#include <concepts>
#include <string_view>
#include <vector>

namespace tappet {

// The condition on the key `elements` of a flexible body.
struct NumberOfElements {
  static constexpr int most = 1'000'000;
  static constexpr std::string_view text = "a whole number from 1 to 1000000";
  bool operator()(int n) const { return n >= 1 && n <= most; }
};

// A flexible body has as many velocities as coordinates, with q̇ = u. Joints, contacts and forces attach to its nodes.
// All pointers are to its own coordinates. `add(i, j, value)` receives matrix entries, so a body of N elements costs
// O(N) and does not depend on how matrices are stored.
//   mass(add)                         constant
//   forces(q, u, h)                   h += elastic and damping forces
//   force_derivatives(q, u, by_q, by_u, add)   by_q ∂h/∂q + by_u ∂h/∂u
//   node_columns(node)                the velocities that move a node
//   node_jacobian(node, q, J)         twist of the node = J u over those columns, 6 × columns, row-major
//   weight(acceleration, h)           h += generalised weight
// A planar body whose nodes turn gives the derivatives of their angle θ(q), so that joints can hold it:
//   node_turn(node, q, u, w), node_turn(node, q, u, w, z)      D²θ[u, w], D³θ[u, w, z]
// Any other body whose J depends on q gives, with x over the columns of the node and b = J̇u = D(u) u:
//   node_curvature(node, q, x, D)            D = ∂(J x)/∂q, 6 × columns, row-major
//   node_curvature_rate(node, q, u, Dq, Du)  ∂b/∂q and ∂b/∂u
template <class B>
concept FlexibleBody = requires(const B& body, const double* q, double* out, int node, Vec3d a) {
  { body.size() } -> std::convertible_to<int>;
  { body.nodes() } -> std::convertible_to<int>;
  { body.node_pose(node, q) } -> std::convertible_to<Pose<double>>;
  { body.node_columns(node) } -> std::convertible_to<std::vector<int>>;
  body.node_jacobian(node, q, out);
  body.mass([](int, int, double) {});
  body.forces(q, q, out);
  body.force_derivatives(q, q, 1.0, 1.0, [](int, int, double) {});
  { body.kinetic_energy(q) } -> std::convertible_to<double>;
  { body.strain_energy(q) } -> std::convertible_to<double>;
  body.weight(a, out);
  { body.weight_energy(a, q) } -> std::convertible_to<double>;
};

template <class B>
concept TurningNodes = FlexibleBody<B> && requires(const B& body, const double* q) {
  { body.node_turn(0, q, q, q) } -> std::convertible_to<double>;
  { body.node_turn(0, q, q, q, q) } -> std::convertible_to<double>;
};

template <class B>
concept TurningFrames = FlexibleBody<B> && requires(const B& body, const double* q, double* out, int node) {
  body.node_curvature(node, q, q, out);
  body.node_curvature_rate(node, q, q, out, out);
};

}  // namespace tappet
