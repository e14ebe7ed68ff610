// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "elements/flexible/flexible.h"
#include "elements/keys.h"

namespace tappet {

// A straight round shaft along `axis` with N beam elements. It has bending in two planes (Euler and Bernoulli, cubic),
// torsion and free rotation about its axis, but no motion along it. The local axes are e1 (the axis), e3 (the
// projection of the world's z, or x for a shaft along z) and e2 = e3 × e1. Node i has five coordinates:
//   v, w          small deflections along e2, e3 [m]
//   beta, gamma   small tilts about e2, e3; v' = γ, w' = −β
//   alpha         rotation about e1 of any size
// and the orientation Rz(γ) Ry(β) Rx(α). Gyroscopic moments of the sections of the shaft are left out. They are smaller
// than those of its discs by (radius of shaft/radius of disc)⁴ length/width. Discs are rigid bodies on the nodes and
// have their full gyroscopic moments. The mass per element is m = ρ A ℓ. It is consistent with rotary inertia, or
// lumped: each node has m/2 and the inertia m ℓ²/24 + ρ I ℓ/2 of half an element. Lumped masses suit explicit schemes,
// because ω_max is a third to a seventh of the consistent one. Distributed damping is C = mass_damping · M (only for
// deflections and tilts, so the spin is not braked) + damping · K. Lumped damping is torsional_damping between
// neighbouring nodes.
struct Shaft {
  static constexpr std::string_view name = "shaft";
  static constexpr std::string_view about =
      "a shaft in space that bends and twists; `node` of a joint, contact or force selects a node";
  static constexpr bool is_planar = false;
  enum class MassMatrix { consistent, lumped };
  static constexpr int per_node = 5;
  enum Coordinate { v, w, beta, gamma, alpha };

  double length = 1, radius = 1, density = 1, modulus = 1, shear_modulus = 1;  // [m] [m] [kg/m³] [N/m²] [N/m²]
  double damping = 0, mass_damping = 0, torsional_damping = 0;                 // [s] [1/s] [N m s]
  int elements = 1;
  double spin = 0;  // [rad/s]
  Vec3d position{}, axis{1, 0, 0};
  MassMatrix mass_matrix = MassMatrix::consistent;

  template <class V>
  void describe(V& v) {
    v.required("length", length, positive);
    v.required("radius", radius, positive);
    v.required("density", density, positive);
    v.required("modulus", modulus, positive);
    v.required("shear_modulus", shear_modulus, positive);
    v.required("elements", elements, NumberOfElements{});
    v.optional("damping", damping, non_negative);
    v.optional("mass_damping", mass_damping, non_negative);
    v.optional("torsional_damping", torsional_damping, non_negative);
    v.optional("spin", spin);
    v.optional("position", position);
    v.optional("axis", axis, nonzero_vector);
    v.choice("mass_matrix", mass_matrix, {"consistent", "lumped"});
  }

  int size() const { return per_node * nodes(); }
  int nodes() const { return elements + 1; }
  std::string coordinate(int i) const {
    static constexpr std::array<const char*, per_node> names{"v", "w", "beta", "gamma", "alpha"};
    return names[i % per_node] + std::to_string(i / per_node);
  }

  void initial(double* q, double* u) const {
    for (int i = 0; i < size(); ++i) q[i] = 0.0, u[i] = i % per_node == alpha ? spin : 0.0;
  }

  template <class Add>
  void mass(Add&& add) const {
    const Beam M = bending_mass();
    const auto [own, other] = torsional_mass();
    for (int e = 0; e < elements; ++e) {
      each_plane([&](const Plane& plane) {
        for (int i = 0; i < 4; ++i)
          for (int j = 0; j < 4; ++j)
            if (M[i][j] != 0.0) add(plane.at(e, i), plane.at(e, j), plane.sign(i) * plane.sign(j) * M[i][j]);
      });
      const int a = per_node * e + alpha, b = a + per_node;
      add(a, a, own), add(b, b, own);
      if (other != 0.0) add(a, b, other), add(b, a, other);
    }
  }
  void forces(const double* q, const double* u, double* h) const {
    const Beam K = bending_stiffness(), M = bending_mass();
    const double k = torsional_stiffness();
    for (int e = 0; e < elements; ++e) {
      each_plane([&](const Plane& plane) {
        double x[4], x_dot[4];
        for (int i = 0; i < 4; ++i) {
          const double position = plane.sign(i) * q[plane.at(e, i)];
          x_dot[i] = plane.sign(i) * u[plane.at(e, i)];
          x[i] = position + damping * x_dot[i];
        }
        for (int i = 0; i < 4; ++i) {
          double f = 0.0;
          for (int j = 0; j < 4; ++j) f += K[i][j] * x[j] + mass_damping * M[i][j] * x_dot[j];
          h[plane.at(e, i)] -= plane.sign(i) * f;
        }
      });
      const int a = per_node * e + alpha, b = a + per_node;
      const double torque = k * (q[b] - q[a]) + (k * damping + torsional_damping) * (u[b] - u[a]);
      h[a] += torque, h[b] -= torque;
    }
  }
  template <class Add>
  void force_derivatives(const double*, const double*, double by_q, double by_u, Add&& add) const {
    const Beam K = bending_stiffness(), M = bending_mass();
    const double torsion = (by_q + by_u * damping) * torsional_stiffness() + by_u * torsional_damping;
    for (int e = 0; e < elements; ++e) {
      each_plane([&](const Plane& plane) {
        for (int i = 0; i < 4; ++i)
          for (int j = 0; j < 4; ++j)
            add(plane.at(e, i), plane.at(e, j),
                -plane.sign(i) * plane.sign(j) * ((by_q + by_u * damping) * K[i][j] + by_u * mass_damping * M[i][j]));
      });
      const int a = per_node * e + alpha, b = a + per_node;
      add(a, a, -torsion), add(b, b, -torsion);
      add(a, b, torsion), add(b, a, torsion);
    }
  }
  double kinetic_energy(const double* u) const {
    double sum = 0.0;
    mass([&](int i, int j, double value) { sum += 0.5 * value * u[i] * u[j]; });
    return sum;
  }
  double strain_energy(const double* q) const {
    const Beam K = bending_stiffness();
    double sum = 0.0;
    for (int e = 0; e < elements; ++e) {
      each_plane([&](const Plane& plane) {
        for (int i = 0; i < 4; ++i)
          for (int j = 0; j < 4; ++j)
            sum += 0.5 * plane.sign(i) * plane.sign(j) * K[i][j] * q[plane.at(e, i)] * q[plane.at(e, j)];
      });
      const double twist = q[per_node * (e + 1) + alpha] - q[per_node * e + alpha];
      sum += 0.5 * torsional_stiffness() * twist * twist;
    }
    return sum;
  }
  void weight(const Vec3d& acceleration, double* h) const {
    const Axes E = axes();
    for (int i = 0; i < nodes(); ++i) {
      h[per_node * i + v] += node_mass(i) * dot(acceleration, E[1]);
      h[per_node * i + w] += node_mass(i) * dot(acceleration, E[2]);
    }
  }
  double weight_energy(const Vec3d& acceleration, const double* q) const {
    double sum = 0.0;
    for (int i = 0; i < nodes(); ++i) sum -= node_mass(i) * dot(acceleration, node_pose(i, q).p);
    return sum;
  }

  Pose<double> node_pose(int node, const double* q) const {
    const Axes E = axes();
    const double* x = q + per_node * node;
    const Vec3d p = position + (node * element_length()) * E[0] + x[v] * E[1] + x[w] * E[2];
    // Rz(γ) Ry(β) Rx(α) of local axes, columns
    const double ca = std::cos(x[alpha]), sa = std::sin(x[alpha]), cb = std::cos(x[beta]), sb = std::sin(x[beta]);
    const double cg = std::cos(x[gamma]), sg = std::sin(x[gamma]);
    const Vec3d c0{cg * cb, sg * cb, -sb};
    const Vec3d c1{cg * sb * sa - sg * ca, sg * sb * sa + cg * ca, cb * sa};
    const Vec3d c2{cg * sb * ca + sg * sa, sg * sb * ca - cg * sa, cb * ca};
    const Vec3d images[3] = {world(E, c0), world(E, c1), world(E, c2)};  // of e1, e2, e3
    Mat3d R{};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) R(i, j) = images[0][i] * E[0][j] + images[1][i] * E[1][j] + images[2][i] * E[2][j];
    return {p, R, 0.0};
  }
  std::vector<int> node_columns(int node) const {
    std::vector<int> columns(per_node);
    for (int i = 0; i < per_node; ++i) columns[i] = per_node * node + i;
    return columns;
  }
  // ω in the turning frame of the node is Rx(α)ᵀ (α̇ − γ̇ sin β, β̇, γ̇ cos β).
  void node_jacobian(int node, const double* q, double* J) const {
    const Axes E = axes();
    const double* x = q + per_node * node;
    const double ca = std::cos(x[alpha]), sa = std::sin(x[alpha]), cb = std::cos(x[beta]), sb = std::sin(x[beta]);
    const Vec3d turn[3] = {world(E, {0.0, ca, -sa}), world(E, {-sb, sa * cb, ca * cb}), E[0]};
    std::fill(J, J + 6 * per_node, 0.0);
    for (int i = 0; i < 3; ++i) {
      J[i * per_node + v] = E[1][i];
      J[i * per_node + w] = E[2][i];
      for (int c = 0; c < 3; ++c) J[(3 + i) * per_node + beta + c] = turn[c][i];
    }
  }

  void node_curvature(int node, const double* q, const double* x, double* D) const {
    const Turn turn(q + per_node * node);
    std::fill(D, D + 6 * per_node, 0.0);
    put(turn.by_alpha(x), alpha, 1.0, D);
    put(turn.by_beta(x), beta, 1.0, D);
  }
  void node_curvature_rate(int node, const double* q, const double* u, double* Dq, double* Du) const {
    const Turn turn(q + per_node * node);
    std::fill(Dq, Dq + 6 * per_node, 0.0);
    std::fill(Du, Du + 6 * per_node, 0.0);
    put(turn.by_alpha_alpha(u), alpha, u[alpha], Dq);
    put(turn.by_alpha_beta(u), alpha, u[beta], Dq);
    put(turn.by_alpha_beta(u), beta, u[alpha], Dq);
    put(turn.by_beta_beta(u), beta, u[beta], Dq);
    for (int c = 0; c < per_node; ++c) {
      double unit[per_node] = {};
      unit[c] = 1.0;
      put(turn.by_alpha(unit), c, u[alpha], Du);
      put(turn.by_beta(unit), c, u[beta], Du);
    }
    put(turn.by_alpha(u), alpha, 1.0, Du);
    put(turn.by_beta(u), beta, 1.0, Du);
  }

 private:
  using Axes = std::array<Vec3d, 3>;
  using Beam = std::array<std::array<double, 4>, 4>;  // over v₁, v₁', v₂, v₂'

  // The coordinates of one bending plane: (v, γ), or (w, −β).
  struct Plane {
    int deflection, tilt;
    double tilt_sign;
    int at(int e, int i) const { return per_node * (e + i / 2) + (i % 2 ? tilt : deflection); }
    double sign(int i) const { return i % 2 ? tilt_sign : 1.0; }
  };
  template <class F>
  static void each_plane(F&& f) {
    f(Plane{v, gamma, 1.0});
    f(Plane{w, beta, -1.0});
  }

  // Derivatives of the local ω = Rx(α)ᵀ (x_α − x_γ sin β, x_β, x_γ cos β).
  struct Turn {
    double ca, sa, cb, sb;
    explicit Turn(const double* q)
        : ca(std::cos(q[alpha])), sa(std::sin(q[alpha])), cb(std::cos(q[beta])), sb(std::sin(q[beta])) {}
    Vec3d by_alpha(const double* x) const {
      return {0.0, -sa * x[beta] + ca * cb * x[gamma], -ca * x[beta] - sa * cb * x[gamma]};
    }
    Vec3d by_beta(const double* x) const { return {-cb * x[gamma], -sa * sb * x[gamma], -ca * sb * x[gamma]}; }
    Vec3d by_alpha_alpha(const double* x) const {
      return {0.0, -ca * x[beta] - sa * cb * x[gamma], sa * x[beta] - ca * cb * x[gamma]};
    }
    Vec3d by_alpha_beta(const double* x) const { return {0.0, -ca * sb * x[gamma], sa * sb * x[gamma]}; }
    Vec3d by_beta_beta(const double* x) const { return {sb * x[gamma], -sa * cb * x[gamma], -ca * cb * x[gamma]}; }
  };
  // Column `column` of a 6 × 5 matrix += factor (0, E ω)
  void put(const Vec3d& omega, int column, double factor, double* D) const {
    const Vec3d turned = world(axes(), omega);
    for (int i = 0; i < 3; ++i) D[(3 + i) * per_node + column] += factor * turned[i];
  }

  static Vec3d world(const Axes& E, const Vec3d& a) { return a.x * E[0] + a.y * E[1] + a.z * E[2]; }
  Axes axes() const {
    const Vec3d e1 = normalized(axis), up{0, 0, 1};
    const Vec3d along = std::abs(dot(up, e1)) < 0.999 ? up : Vec3d{1, 0, 0};
    const Vec3d e3 = normalized(along - dot(along, e1) * e1);
    return {e1, cross(e3, e1), e3};
  }
  double element_length() const { return length / elements; }
  double section() const { return std::numbers::pi * radius * radius; }
  double second_moment() const { return section() * radius * radius / 4; }
  double element_mass() const { return density * section() * element_length(); }
  double node_mass(int i) const { return element_mass() * (i == 0 || i == elements ? 0.5 : 1.0); }
  double torsional_stiffness() const { return shear_modulus * 2 * second_moment() / element_length(); }
  std::pair<double, double> torsional_mass() const {
    const double inertia = density * 2 * second_moment() * element_length();
    if (mass_matrix == MassMatrix::lumped) return {inertia / 2, 0.0};
    return {inertia / 3, inertia / 6};
  }
  Beam bending_stiffness() const {
    const double l = element_length(), k = modulus * second_moment() / (l * l * l);
    Beam K{{{12, 6 * l, -12, 6 * l},
            {6 * l, 4 * l * l, -6 * l, 2 * l * l},
            {-12, -6 * l, 12, -6 * l},
            {6 * l, 2 * l * l, -6 * l, 4 * l * l}}};
    for (auto& row : K)
      for (double& value : row) value *= k;
    return K;
  }
  Beam bending_mass() const {
    const double l = element_length(), m = element_mass(), rotary = density * second_moment();
    if (mass_matrix == MassMatrix::lumped) {
      const double J = m * l * l / 24 + rotary * l / 2;
      return {{{m / 2, 0, 0, 0}, {0, J, 0, 0}, {0, 0, m / 2, 0}, {0, 0, 0, J}}};
    }
    const Beam translation{{{156, 22 * l, 54, -13 * l},
                            {22 * l, 4 * l * l, 13 * l, -3 * l * l},
                            {54, 13 * l, 156, -22 * l},
                            {-13 * l, -3 * l * l, -22 * l, 4 * l * l}}};
    const Beam rotation{{{36, 3 * l, -36, 3 * l},
                         {3 * l, 4 * l * l, -3 * l, -l * l},
                         {-36, -3 * l, 36, -3 * l},
                         {3 * l, -l * l, -3 * l, 4 * l * l}}};
    Beam M;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) M[i][j] = m / 420 * translation[i][j] + rotary / (30 * l) * rotation[i][j];
    return M;
  }
};

}  // namespace tappet
