// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "math/spatial.h"

namespace tappet {

// The components are (w, x, y, z). Rotations use unit quaternions, body → world.
template <class S>
struct Quat {
  S w{1.0}, x{}, y{}, z{};
  friend bool operator==(const Quat&, const Quat&) = default;
};
using Quatd = Quat<double>;

template <class S>
Quat<S> operator*(const Quat<S>& a, const Quat<S>& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
template <class S>
S squared_norm(const Quat<S>& q) {
  return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
}
template <class S>
Quat<S> conjugate(const Quat<S>& q) {
  return {q.w, -q.x, -q.y, -q.z};
}
template <class S>
Quat<S> normalized(const Quat<S>& q) {
  const S scale = 1.0 / sqrt(squared_norm(q));
  return {scale * q.w, scale * q.x, scale * q.y, scale * q.z};
}

// The rotation of q/|q|, which is orthogonal even if the norm of q is off by round-off.
template <class S>
Mat3<S> rotation_matrix(const Quat<S>& q) {
  const S s = 2.0 / squared_norm(q);
  const S xx = s * q.x * q.x, yy = s * q.y * q.y, zz = s * q.z * q.z;
  const S xy = s * q.x * q.y, xz = s * q.x * q.z, yz = s * q.y * q.z;
  const S wx = s * q.w * q.x, wy = s * q.w * q.y, wz = s * q.w * q.z;
  return {{1.0 - yy - zz, xy + wz, xz - wy}, {xy - wz, 1.0 - xx - zz, yz + wx}, {xz + wy, yz - wx, 1.0 - xx - yy}};
}
template <class S>
Mat3<S> rotation_about_z(const S& phi) {
  const S c = cos(phi), s = sin(phi);
  return {{c, s, S(0.0)}, {-s, c, S(0.0)}, {S(0.0), S(0.0), S(1.0)}};
}

// The rotation by |w| about w. Near zero it is computed by its series, exact to round-off.
inline Quatd exp_map(const Vec3d& w) {
  const double angle2 = dot(w, w), angle = std::sqrt(angle2);
  const double s = angle < 1e-3 ? 0.5 - angle2 / 48.0 + angle2 * angle2 / 3840.0 : std::sin(0.5 * angle) / angle;
  return {std::cos(0.5 * angle), s * w.x, s * w.y, s * w.z};
}
// The rotation vector of q, |w| ≤ π.
inline Vec3d log_map(const Quatd& q) {
  const double sign = q.w < 0.0 ? -1.0 : 1.0, s = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
  const double w = sign * q.w, scale = sign * (s < 1e-9 * w ? 2.0 / w : 2.0 * std::atan2(s, w) / s);
  return {scale * q.x, scale * q.y, scale * q.z};
}
inline Quatd axis_angle(const Vec3d& axis, double angle) { return exp_map((angle / norm(axis)) * axis); }
// q ⊗ exp(w/2), where w is a rotation vector in the body frame.
inline Quatd retract(const Quatd& q, const Vec3d& w) { return normalized(q * exp_map(w)); }

// exp(w + dw) = exp(w) exp(J_r(w) dw) to first order: J_r = 1 − (1−cos a)/a² ŵ + (a−sin a)/a³ ŵ².
Mat3d right_jacobian(const Vec3d& w);
// Its inverse, 1 + ½ŵ + (1/a² − cot(a/2)/(2a)) ŵ², for |w| < 2π.
Mat3d right_jacobian_inverse(const Vec3d& w);

}  // namespace tappet
