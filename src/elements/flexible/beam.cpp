// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "elements/flexible/beam.h"

#include <algorithm>
#include <cmath>

namespace tappet {

void Beam::initial(double* q, double* u) const {
  const Spline s = spline();
  for (int i = 0; i < s.size(); ++i) {
    q[2 * i] = position.x + std::cos(angle) * length * s.greville(i);
    q[2 * i + 1] = position.y + std::sin(angle) * length * s.greville(i);
    u[2 * i] = velocity.x, u[2 * i + 1] = velocity.y;
  }
}

Beam::Strain Beam::strain(int element, const Spline::Values& v, const double* q) const {
  Strain s{};
  for (int i = 0; i <= degree; ++i)
    for (int c = 0; c < 2; ++c) {
      s.a[c] += v.N_x[i] * q[2 * (element + i) + c];
      s.b[c] += v.N_xx[i] * q[2 * (element + i) + c];
    }
  s.stretch = std::hypot(s.a[0], s.a[1]);
  s.kappa = (s.a[0] * s.b[1] - s.a[1] * s.b[0]) / (s.stretch * s.stretch);
  return s;
}

namespace {

// ∂κ/∂(a, b)
void kappa_gradient(const double* a, const double* b, double stretch, double kappa, double* g) {
  const double s = 1.0 / (stretch * stretch);
  g[0] = s * (b[1] - 2 * kappa * a[0]);
  g[1] = s * (-b[0] - 2 * kappa * a[1]);
  g[2] = -s * a[1];
  g[3] = s * a[0];
}

}  // namespace

void Beam::strain_gradient(const Strain& s, double* gradient) const {
  double g[4];
  kappa_gradient(s.a, s.b, s.stretch, s.kappa, g);
  const double pull = axial_stiffness * (s.stretch - 1.0) / s.stretch;
  for (int c = 0; c < 4; ++c) gradient[c] = bending_stiffness * s.kappa * g[c] + (c < 2 ? pull * s.a[c] : 0.0);
}

void Beam::strain_hessian(const Strain& s, double A[4][4]) const {
  double g[4];
  kappa_gradient(s.a, s.b, s.stretch, s.kappa, g);
  const double e2 = s.stretch * s.stretch, EI = bending_stiffness, EA = axial_stiffness;
  const double pull = EA * (1.0 - 1.0 / s.stretch), stiff = EA / (e2 * s.stretch);
  const double cross_a[2] = {s.b[1], -s.b[0]}, cross_b[2] = {-s.a[1], s.a[0]};  // of a × b
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) A[i][j] = EI * g[i] * g[j];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      A[i][j] += (i == j) * pull + stiff * s.a[i] * s.a[j];
      const double aa = -2 / (e2 * e2) * (cross_a[i] * s.a[j] + s.a[i] * cross_a[j]) - 2 * s.kappa / e2 * (i == j) +
                        8 * s.kappa / (e2 * e2) * s.a[i] * s.a[j];
      const double ab = (i == j ? 0.0 : i == 0 ? 1.0 : -1.0) / e2 - 2 / (e2 * e2) * s.a[i] * cross_b[j];
      A[i][j] += EI * s.kappa * aa;
      A[i][2 + j] += EI * s.kappa * ab;
      A[2 + j][i] += EI * s.kappa * ab;
    }
}

void Beam::forces(const double* q, const double*, double* h) const {
  each_point(q, [&](int e, const Spline::Values& v, const Strain& s, double weight) {
    double gradient[4];
    strain_gradient(s, gradient);
    for (int i = 0; i <= degree; ++i)
      for (int c = 0; c < 2; ++c) h[2 * (e + i) + c] -= weight * (v.N_x[i] * gradient[c] + v.N_xx[i] * gradient[2 + c]);
  });
}

double Beam::strain_energy(const double* q) const {
  double sum = 0.0;
  each_point(q, [&](int, const Spline::Values&, const Strain& s, double weight) {
    sum += 0.5 * weight * (axial_stiffness * (s.stretch - 1) * (s.stretch - 1) + bending_stiffness * s.kappa * s.kappa);
  });
  return sum;
}

double Beam::kinetic_energy(const double* u) const {
  double sum = 0.0;
  each_point(u, [&](int e, const Spline::Values& v, const Strain&, double weight) {
    double x = 0.0, y = 0.0;
    for (int i = 0; i <= degree; ++i) x += v.N[i] * u[2 * (e + i)], y += v.N[i] * u[2 * (e + i) + 1];
    sum += 0.5 * line_density * weight * (x * x + y * y);
  });
  return sum;
}

void Beam::weight(const Vec3d& acceleration, double* h) const {
  each_mass([&](int i, double m) {
    for (int c = 0; c < 2; ++c) h[2 * i + c] += m * acceleration[c];
  });
}

double Beam::weight_energy(const Vec3d& acceleration, const double* q) const {
  double sum = 0.0;
  each_mass([&](int i, double m) { sum -= m * (acceleration.x * q[2 * i] + acceleration.y * q[2 * i + 1]); });
  return sum;
}

Beam::Complex Beam::tangent(int node, const double* q) const {
  const Spline::Values v = at_node(node);
  Complex a = 0.0;
  for (int i = 0; i <= degree; ++i)
    a += v.N_x[i] * Complex(q[2 * (element_of(node) + i)], q[2 * (element_of(node) + i) + 1]);
  return a;
}

Pose<double> Beam::node_pose(int node, const double* q) const {
  const Spline::Values v = at_node(node);
  Vec3d p{};
  for (int i = 0; i <= degree; ++i)
    for (int c = 0; c < 2; ++c) p[c] += v.N[i] * q[2 * (element_of(node) + i) + c];
  const double turn = std::arg(tangent(node, q));
  return {p, rotation_about_z(turn), turn};
}

std::vector<int> Beam::node_columns(int node) const {
  std::vector<int> columns(2 * (degree + 1));
  for (size_t i = 0; i < columns.size(); ++i) columns[i] = 2 * element_of(node) + static_cast<int>(i);
  return columns;
}

void Beam::node_jacobian(int node, const double* q, double* J) const {
  const Spline::Values v = at_node(node);
  const Complex a = tangent(node, q);
  const int columns = 2 * (degree + 1);
  std::fill_n(J, 6 * columns, 0.0);
  for (int i = 0; i <= degree; ++i)
    for (int c = 0; c < 2; ++c) {
      J[c * columns + 2 * i + c] = v.N[i];
      J[5 * columns + 2 * i + c] = std::imag(v.N_x[i] * (c == 0 ? Complex(1, 0) : Complex(0, 1)) / a);
    }
}

// θ = Im log a, and a is linear in the coordinates.
double Beam::node_turn(int node, const double* q, const double* u, const double* w) const {
  const Complex a = tangent(node, q);
  return -std::imag(tangent(node, u) * tangent(node, w) / (a * a));
}
double Beam::node_turn(int node, const double* q, const double* u, const double* w, const double* z) const {
  const Complex a = tangent(node, q);
  return 2 * std::imag(tangent(node, u) * tangent(node, w) * tangent(node, z) / (a * a * a));
}

}  // namespace tappet
