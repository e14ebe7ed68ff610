// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <string>

#include "elements/flexible/flexible.h"
#include "elements/flexible/spline.h"
#include "elements/keys.h"

namespace tappet {

// A planar Euler–Bernoulli beam that is straight when undeformed, for large displacements and strains (Eugster, Harsch
// 2020, as used in Capobianco 2021 §10.5). The centre line r(s) = Σ N_i(s/L) c_i is a B-spline. The coordinates are its
// control points x0, y0, x1, y1, … With a = ∂r/∂s, b = ∂²r/∂s²:
//   V = ∫ EA/2 (|a| − 1)² + EI/2 κ² ds,   κ = (a × b)/|a|²,   T = ∫ ρ/2 |ṙ|² ds
// The integrals use Gauss points on each element. Node k is the end of element k, and the x axis of its frame is the
// tangent.
struct Beam {
  static constexpr std::string_view name = "beam";
  static constexpr std::string_view about =
      "a beam in the plane z = 0 that bends and stretches; `node` of a joint, contact or force selects a node";
  static constexpr bool is_planar = true;

  double length = 1, axial_stiffness = 1, bending_stiffness = 1, line_density = 1;  // [m] [N] [N m²] [kg/m]
  int elements = 1, degree = 2, quadrature = 5;
  Vec3d position{}, velocity{};  // of node 0; of every point
  double angle = 0;              // of the axis [rad]

  template <class V>
  void describe(V& v) {
    v.required("length", length, positive);
    v.required("axial_stiffness", axial_stiffness, positive);
    v.required("bending_stiffness", bending_stiffness, positive);
    v.required("line_density", line_density, positive);
    v.required("elements", elements, NumberOfElements{});
    v.optional("degree", degree, Degree{});
    v.optional("gauss_points", quadrature, Points{});
    v.optional("position", position);
    v.optional("angle", angle);
    v.optional("velocity", velocity);
  }
  struct Degree {
    static constexpr std::string_view text = "a whole number, 2 to 7";
    bool operator()(int n) const { return n >= 2 && n <= Spline::max_degree; }
  };
  struct Points {
    static constexpr std::string_view text = "a whole number, 1 to 10";
    bool operator()(int n) const { return n >= 1 && n <= 10; }
  };

  Spline spline() const { return {degree, elements}; }
  int size() const { return 2 * spline().size(); }
  int nodes() const { return elements + 1; }
  std::string coordinate(int i) const { return (i % 2 == 0 ? "x" : "y") + std::to_string(i / 2); }

  void initial(double* q, double* u) const;
  template <class Add>
  void mass(Add&& add) const {
    const Spline s = spline();
    const double h = length / elements;
    for (int e = 0; e < elements; ++e)
      for (const GaussPoint& point : gauss_points(quadrature)) {
        const Spline::Values v = s.at(e, (e + point.x) / elements);
        for (int i = 0; i <= degree; ++i)
          for (int j = 0; j <= degree; ++j) {
            const double m = line_density * h * point.weight * v.N[i] * v.N[j];
            for (int c = 0; c < 2; ++c) add(2 * (e + i) + c, 2 * (e + j) + c, m);
          }
      }
  }
  void forces(const double* q, const double* u, double* h) const;
  template <class Add>
  void force_derivatives(const double* q, const double*, double by_q, double, Add&& add) const {
    each_point(q, [&](int e, const Spline::Values& v, const Strain& strain, double weight) {
      double A[4][4];
      strain_hessian(strain, A);
      for (int i = 0; i <= degree; ++i)
        for (int j = 0; j <= degree; ++j)
          for (int c = 0; c < 2; ++c)
            for (int d = 0; d < 2; ++d) {
              const double k = v.N_x[i] * (A[c][d] * v.N_x[j] + A[c][2 + d] * v.N_xx[j]) +
                               v.N_xx[i] * (A[2 + c][d] * v.N_x[j] + A[2 + c][2 + d] * v.N_xx[j]);
              add(2 * (e + i) + c, 2 * (e + j) + d, -by_q * weight * k);
            }
    });
  }
  double kinetic_energy(const double* u) const;
  double strain_energy(const double* q) const;
  void weight(const Vec3d& acceleration, double* h) const;
  double weight_energy(const Vec3d& acceleration, const double* q) const;

  Pose<double> node_pose(int node, const double* q) const;
  std::vector<int> node_columns(int node) const;
  void node_jacobian(int node, const double* q, double* J) const;
  // The angle of the tangent depends on the coordinates. These are its second and third derivatives along given
  // displacements.
  double node_turn(int node, const double* q, const double* u, const double* w) const;
  double node_turn(int node, const double* q, const double* u, const double* w, const double* z) const;

 private:
  using Complex = std::complex<double>;
  struct Strain {
    double a[2], b[2], stretch, kappa;
  };
  Strain strain(int element, const Spline::Values& v, const double* q) const;
  void strain_gradient(const Strain& s, double* gradient) const;
  void strain_hessian(const Strain& s, double A[4][4]) const;
  int element_of(int node) const { return node < elements ? node : elements - 1; }
  Spline::Values at_node(int node) const { return spline().at(element_of(node), node / static_cast<double>(elements)); }
  Complex tangent(int node, const double* q) const;

  // Calls f(control point, mass) with the mass on which a uniform field of accelerations acts at each control point, ∫
  // ρ N_i ds in parts.
  template <class F>
  void each_mass(F&& f) const {
    const Spline s = spline();
    for (int e = 0; e < elements; ++e)
      for (const GaussPoint& point : gauss_points(quadrature)) {
        const Spline::Values v = s.at(e, (e + point.x) / elements);
        for (int i = 0; i <= degree; ++i) f(e + i, line_density * length / elements * point.weight * v.N[i]);
      }
  }
  // Calls f(element, values, strain, weight) for the Gauss points of all elements, with the derivatives of the
  // functions by arc length.
  template <class F>
  void each_point(const double* q, F&& f) const {
    const Spline s = spline();
    for (int e = 0; e < elements; ++e)
      for (const GaussPoint& point : gauss_points(quadrature)) {
        Spline::Values v = s.at(e, (e + point.x) / elements);
        for (int i = 0; i <= degree; ++i) v.N_x[i] /= length, v.N_xx[i] /= length * length;
        f(e, v, strain(e, v, q), length / elements * point.weight);
      }
  }
};

}  // namespace tappet
