// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "tangent/orbits/branch.h"

// Two masses that strike each other once in each period of a force. Between impacts they move linearly, so the orbit
// and its multipliers have a closed form.
namespace tappet::test {
namespace {

using std::numbers::pi;
using Complex = std::complex<double>;

constexpr double k = 0.5, c = 0.05, e = 0.8, s = 0.2;

constexpr const char* two_masses = R"yaml(
parameters: {omega: 1.4, k: 0.5, c: 0.05, e: 0.8, s: 0.2}
coordinates: {x: {position: 0, velocity: 0}, y: {position: 0, velocity: 0}}
lagrangian: {kinetic: x'^2/2 + y'^2/2, potential: x^2/2 + k*(x - y)^2/2}
forces: {x: "cos(omega*t) - c*x' - c*(x' - y')", y: "-c*(y' - x')"}
contacts: {between: {gap: s - (x - y), e_N: e}}
)yaml";

// z' = A z + b cos ωt with z = (x, y, x', y'). The forced motion is Re(Z e^{iωt}). At an impact z⁺ = R z⁻.
//
// Let the impact be at ωt = τ, and p = Re(Z e^{iτ}). After one period z⁻ − p = Φ (R z⁻ − p) with Φ = e^{AT}, so
// z⁻ = (1 − Φ R)⁻¹ (1 − Φ) p. It has the form V_c cos τ + V_s sin τ, and n z⁻ = s determines τ. The derivative of the
// return map is Φ S, where S = R + (f⁺ − R f⁻) n/(n f⁻) with the rates f⁻ and f⁺ before and after the impact.
struct ClosedForm {
  Eigen::Vector4cd multipliers;
  double speed;  // of the impact

  explicit ClosedForm(double omega) {
    using Eigen::Matrix4cd, Eigen::Matrix4d, Eigen::Vector4d, Eigen::Vector4cd;
    const Matrix4d one = Matrix4d::Identity();
    Matrix4d A;
    A << 0, 0, 1, 0, 0, 0, 0, 1, -1 - k, k, -2 * c, c, k, -k, c, -c;
    const Vector4d b(0, 0, 1, 0);
    const Eigen::ComplexEigenSolver<Matrix4cd> modes(A.cast<Complex>());
    const Vector4cd growth = (modes.eigenvalues() * (2 * pi / omega)).array().exp();
    const Matrix4d Phi = (modes.eigenvectors() * growth.asDiagonal() * modes.eigenvectors().inverse()).real();
    const Vector4cd Z = (Complex(0, omega) * Matrix4cd::Identity() - A.cast<Complex>()).lu().solve(b.cast<Complex>());
    Matrix4d R = one;
    R.bottomRightCorner(2, 2) << (1 - e) / 2, (1 + e) / 2, (1 + e) / 2, (1 - e) / 2;
    const Eigen::RowVector4d n(1, -1, 0, 0);
    const Matrix4d V = (one - Phi * R).lu().solve(one - Phi);
    const Vector4d V_c = V * Z.real(), V_s = -V * Z.imag();
    const double with_cos = n * V_c, with_sin = n * V_s;
    const double tau = std::atan2(with_sin, with_cos) - std::acos(s / std::hypot(with_cos, with_sin));
    const Vector4d before = V_c * std::cos(tau) + V_s * std::sin(tau), after = R * before;
    const Vector4d f_before = A * before + b * std::cos(tau), f_after = A * after + b * std::cos(tau);
    speed = n * f_before;
    multipliers = (Phi * (R + (f_after - R * f_before) * n / speed)).eigenvalues();
  }
  double largest() const { return multipliers.cwiseAbs().maxCoeff(); }

  // Where the largest multiplier has size 1, between two frequencies.
  static double torus(double low, double high) {
    const bool below = ClosedForm(low).largest() < 1;
    for (int i = 0; i < 60; ++i) {
      const double middle = (low + high) / 2;
      ((ClosedForm(middle).largest() < 1) == below ? low : high) = middle;
    }
    return low;
  }
};

const ModelSource source = {two_masses, "model.yaml", {}};
ReturnRule forced() { return {.period = "2*pi/omega", .section = "", .mirrored = {}, .options = {}}; }

TEST(Orbit, of_two_masses_that_strike_each_other_has_the_multipliers_of_the_closed_form) {
  const Orbit orbit = find_orbit(source, forced(), 300);
  const ClosedForm right(1.4);
  ASSERT_EQ(orbit.back.sequence.size(), 1u);
  EXPECT_NEAR(orbit.back.closeness.slowest_impact.value / right.speed, 1, 1e-10);
  for (const Complex& one : right.multipliers) {
    double nearest = INFINITY;
    for (const Complex& found : orbit.multipliers) nearest = std::min(nearest, std::abs(found - one));
    EXPECT_LT(nearest, 1e-9) << one;
  }
}

// The largest multipliers are complex, and leave the unit circle between two frequencies.
TEST(Branch, of_two_masses_that_strike_each_other_has_the_torus_points_of_the_closed_form) {
  const Branch branch = follow_branch(source, forced(), {"omega", 1.4, 1.2}, 300);
  std::vector<double> found;
  for (const BranchPoint& point : branch.points)
    if (point.kind != BranchPoint::Kind::ordinary) {
      EXPECT_EQ(point.kind, BranchPoint::Kind::torus) << point.parameter;
      found.push_back(point.parameter);
    }
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NEAR(found[0] / ClosedForm::torus(1.275, 1.35), 1, 1e-9);
  EXPECT_NEAR(found[1] / ClosedForm::torus(1.2, 1.275), 1, 1e-9);
}

}  // namespace
}  // namespace tappet::test
