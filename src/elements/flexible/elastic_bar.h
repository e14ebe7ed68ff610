// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "elements/flexible/flexible.h"
#include "elements/keys.h"

namespace tappet {

// A straight linear elastic bar along `axis` with N linear finite elements. Coordinate i is the axial displacement of
// node i, whose undeformed position is position + axis · i L/N. Element matrices with ℓ = L/N:
//   M_e = ρ S ℓ/6 [2 1; 1 2] (consistent) or ρ S ℓ/2 I (lumped),   K_e = E S/ℓ [1 −1; −1 1],   C_e = δ K_e
struct ElasticBar {
  static constexpr std::string_view name = "elastic_bar";
  static constexpr std::string_view about =
      "a bar that stretches along one axis; `node` of a joint, contact or force selects a node";
  static constexpr bool is_planar = false;
  enum class MassMatrix { consistent, lumped };

  double length = 1, area = 1, density = 1, modulus = 1;  // [m] [m²] [kg/m³] [N/m²]
  double damping = 0;                                     // δ [s], stiffness-proportional
  int elements = 1;
  double velocity = 0;  // axial, all nodes [m/s]
  Vec3d position{}, axis{1, 0, 0};
  MassMatrix mass_matrix = MassMatrix::consistent;

  template <class V>
  void describe(V& v) {
    v.required("length", length, positive);
    v.required("area", area, positive);
    v.required("density", density, positive);
    v.required("modulus", modulus, positive);
    v.required("elements", elements, NumberOfElements{});
    v.optional("damping", damping, non_negative);
    v.optional("velocity", velocity);
    v.optional("position", position);
    v.optional("axis", axis, nonzero_vector);
    v.choice("mass_matrix", mass_matrix, {"consistent", "lumped"});
  }

  int size() const { return elements + 1; }
  int nodes() const { return elements + 1; }
  std::string coordinate(int i) const { return "u" + std::to_string(i); }

  void initial(double* q, double* u) const {
    for (int i = 0; i < size(); ++i) q[i] = 0.0, u[i] = velocity;
  }

  template <class Add>
  void mass(Add&& add) const {
    const double m = density * area * length / elements;
    const bool lumped = mass_matrix == MassMatrix::lumped;
    for (int e = 0; e < elements; ++e) {
      add(e, e, lumped ? m / 2 : m / 3);
      add(e + 1, e + 1, lumped ? m / 2 : m / 3);
      if (lumped) continue;
      add(e, e + 1, m / 6);
      add(e + 1, e, m / 6);
    }
  }
  void forces(const double* q, const double* u, double* h) const {
    const double k = stiffness();
    for (int e = 0; e < elements; ++e) {
      const double pull = k * (q[e + 1] - q[e] + damping * (u[e + 1] - u[e]));
      h[e] += pull;
      h[e + 1] -= pull;
    }
  }
  template <class Add>
  void force_derivatives(const double*, const double*, double by_q, double by_u, Add&& add) const {
    const double k = stiffness() * (by_q + by_u * damping);
    for (int e = 0; e < elements; ++e) {
      add(e, e, -k), add(e + 1, e + 1, -k);
      add(e, e + 1, k), add(e + 1, e, k);
    }
  }
  double kinetic_energy(const double* u) const {
    const double m = density * area * length / elements;
    double sum = 0.0;
    for (int e = 0; e < elements; ++e) {
      const double a = u[e], b = u[e + 1];
      sum += mass_matrix == MassMatrix::lumped ? m / 4 * (a * a + b * b) : m / 6 * (a * a + a * b + b * b);
    }
    return sum;
  }
  double strain_energy(const double* q) const {
    double sum = 0.0;
    for (int e = 0; e < elements; ++e) sum += (q[e + 1] - q[e]) * (q[e + 1] - q[e]);
    return 0.5 * stiffness() * sum;
  }
  void weight(const Vec3d& acceleration, double* h) const {
    const double f = density * area * length / elements * dot(acceleration, normalized(axis));
    for (int i = 0; i < size(); ++i) h[i] += i == 0 || i == elements ? f / 2 : f;
  }
  double weight_energy(const Vec3d& acceleration, const double* q) const {
    const double f = density * area * length / elements;
    double sum = 0.0;
    for (int i = 0; i < size(); ++i)
      sum -= (i == 0 || i == elements ? f / 2 : f) * dot(acceleration, node_pose(i, q).p);
    return sum;
  }

  Pose<double> node_pose(int node, const double* q) const {
    const Vec3d e = normalized(axis);
    return {position + (node * length / elements + q[node]) * e, Mat3d::identity(), 0.0};
  }
  std::vector<int> node_columns(int node) const { return {node}; }
  void node_jacobian(int, const double*, double* J) const {
    const Vec3d e = normalized(axis);
    for (int i = 0; i < 3; ++i) J[i] = e[i], J[3 + i] = 0.0;
  }

 private:
  double stiffness() const { return modulus * area * elements / length; }
};

}  // namespace tappet
