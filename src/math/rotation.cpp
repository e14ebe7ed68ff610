// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <tappet/pose.h>

namespace tappet {
namespace {

Mat3d combine(const Vec3d& w, double first, double second) {
  const Mat3d W = hat(w);
  return Mat3d::identity() + first * W + second * (W * W);
}

}  // namespace

// Below a = 0.05 the closed forms lose digits. The series is exact to 1e-17 there.
Mat3d right_jacobian(const Vec3d& w) {
  const double a2 = dot(w, w), a = std::sqrt(a2);
  if (a < 0.05) {
    const double c1 = 0.5 - a2 / 24.0 * (1.0 - a2 / 30.0 * (1.0 - a2 / 56.0));
    const double c2 = 1.0 / 6.0 - a2 / 120.0 * (1.0 - a2 / 42.0 * (1.0 - a2 / 72.0));
    return combine(w, -c1, c2);
  }
  return combine(w, -(1.0 - std::cos(a)) / a2, (a - std::sin(a)) / (a2 * a));
}

Mat3d right_jacobian_inverse(const Vec3d& w) {
  const double a2 = dot(w, w), a = std::sqrt(a2);
  if (a < 0.05) return combine(w, 0.5, 1.0 / 12.0 + a2 / 720.0 * (1.0 + a2 / 42.0 * (1.0 + a2 / 40.0)));
  return combine(w, 0.5, 1.0 / a2 - 0.5 / (a * std::tan(0.5 * a)));
}

}  // namespace tappet
