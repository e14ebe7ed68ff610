// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/dual.h>

#include <array>
#include <cmath>
#include <utility>

namespace tappet {

template <class A, class B>
using Product = decltype(std::declval<A>() * std::declval<B>());

template <class S>
struct Vec3 {
  S x{}, y{}, z{};

  S& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  const S& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  Vec3 operator-() const { return {-x, -y, -z}; }
  Vec3& operator+=(const Vec3& b) { return *this = *this + b; }
  Vec3& operator-=(const Vec3& b) { return *this = *this - b; }
  friend bool operator==(const Vec3&, const Vec3&) = default;
};
using Vec3d = Vec3<double>;

template <class A, class B>
Vec3<Product<A, B>> operator+(const Vec3<A>& a, const Vec3<B>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class A, class B>
Vec3<Product<A, B>> operator-(const Vec3<A>& a, const Vec3<B>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class A, class B>
Vec3<Product<A, B>> operator*(const A& a, const Vec3<B>& b) {
  return {a * b.x, a * b.y, a * b.z};
}
template <class A, class B>
Product<A, B> dot(const Vec3<A>& a, const Vec3<B>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class A, class B>
Vec3<Product<A, B>> cross(const Vec3<A>& a, const Vec3<B>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class S>
S norm(const Vec3<S>& a) {
  return sqrt(dot(a, a));
}
template <class S>
Vec3<S> normalized(const Vec3<S>& a) {
  return (1.0 / norm(a)) * a;
}

// Three columns.
template <class S>
struct Mat3 {
  Vec3<S> x{}, y{}, z{};

  Vec3<S>& operator[](int column) { return column == 0 ? x : column == 1 ? y : z; }
  const Vec3<S>& operator[](int column) const { return column == 0 ? x : column == 1 ? y : z; }
  S& operator()(int row, int column) { return (*this)[column][row]; }
  const S& operator()(int row, int column) const { return (*this)[column][row]; }
  static Mat3 identity() { return diagonal({S(1.0), S(1.0), S(1.0)}); }
  static Mat3 diagonal(const Vec3<S>& d) {
    Mat3 m;
    m.x.x = d.x;
    m.y.y = d.y;
    m.z.z = d.z;
    return m;
  }
  friend bool operator==(const Mat3&, const Mat3&) = default;
};
using Mat3d = Mat3<double>;

template <class A, class B>
Vec3<Product<A, B>> operator*(const Mat3<A>& m, const Vec3<B>& a) {
  return {m.x.x * a.x + m.y.x * a.y + m.z.x * a.z, m.x.y * a.x + m.y.y * a.y + m.z.y * a.z,
          m.x.z * a.x + m.y.z * a.y + m.z.z * a.z};
}
template <class A, class B>
Mat3<Product<A, B>> operator*(const Mat3<A>& a, const Mat3<B>& b) {
  return {a * b.x, a * b.y, a * b.z};
}
// mᵀa
template <class A, class B>
Vec3<Product<A, B>> transposed_times(const Mat3<A>& m, const Vec3<B>& a) {
  return {dot(m.x, a), dot(m.y, a), dot(m.z, a)};
}
template <class S>
Mat3<S> transpose(const Mat3<S>& m) {
  return {{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}};
}
template <class S>
Mat3<S> operator+(const Mat3<S>& a, const Mat3<S>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class S>
Mat3<S> operator*(const S& a, const Mat3<S>& b) {
  return {a * b.x, a * b.y, a * b.z};
}
// hat(a) b = a × b
template <class S>
Mat3<S> hat(const Vec3<S>& a) {
  return {{S(0.0), a.z, -a.y}, {-a.z, S(0.0), a.x}, {a.y, -a.x, S(0.0)}};
}

// Two unit normals of a unit vector d, right-handed (first, second, d). If d is in the plane z = 0, they are (d × z,
// −z). Along ±z they are x and ±y. So exact zeros are preserved, and rows that planar bodies fulfil identically stay
// zero.
inline std::array<Vec3d, 2> normals(const Vec3d& d) {
  const Vec3d first =
      abs(d.z) < 0.9 ? normalized(Vec3d{d.y, -d.x, 0.0}) : normalized(Vec3d{1.0 - d.x * d.x, -d.x * d.y, -d.x * d.z});
  return {first, cross(d, first)};
}

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

// The position p of the origin of a frame, and its rotation R from frame to world. phi is the angle about z, counted
// over many turns, of a body that has it as a coordinate (planar). For others it is 0 and has no meaning.
template <class S>
struct Pose {
  Vec3<S> p{};
  Mat3<S> R = Mat3<S>::identity();
  S phi{};

  // The world position of a point and the world direction of a vector of the frame.
  template <class T>
  Vec3<S> point(const Vec3<T>& local) const {
    return p + R * local;
  }
  template <class T>
  Vec3<S> direction(const Vec3<T>& local) const {
    return R * local;
  }
};

// The motion of a frame: v of its origin in the world frame, ω in the frame itself. These are six numbers in this
// order. They may also be a displacement (δp, δθ) of a pose: p + δp, R exp(δθ^).
template <class S>
struct Twist {
  Vec3<S> v{}, w{};

  S& operator[](int i) { return i < 3 ? v[i] : w[i - 3]; }
  const S& operator[](int i) const { return i < 3 ? v[i] : w[i - 3]; }
};

// Force in the world frame, torque about the frame's origin in the frame: power = f·v + m·ω.
template <class S>
struct Wrench {
  Vec3<S> f{}, m{};

  const S& operator[](int i) const { return i < 3 ? f[i] : m[i - 3]; }
};

// A world force at a world point, as a wrench on the frame.
template <class S>
Wrench<S> wrench_at(const Pose<S>& A, const Vec3<S>& point, const Vec3<S>& force) {
  return {force, transposed_times(A.R, cross(point - A.p, force))};
}
// The velocity of the material point of the frame at a world point.
template <class S, class T>
Vec3<S> velocity_at(const Pose<S>& A, const Twist<T>& a, const Vec3<S>& point) {
  return a.v + cross(A.R * a.w, point - A.p);
}

// Applies one displacement, exact to round-off.
inline Pose<double> displaced(const Pose<double>& A, const Twist<double>& w) {
  return {A.p + w.v, A.R * rotation_matrix(exp_map(w.w)), A.phi + w.w.z};
}

}  // namespace tappet
