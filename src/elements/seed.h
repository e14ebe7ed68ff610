// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elements/derive.h"

// Poses whose numbers carry derivatives. Only the derive_*.cpp include this. If derivatives along the motion are
// combined with derivatives along displacements, the motion is the inner one, Along6<Along1<double>>. The inner number
// is then kept in registers.
namespace tappet::seed {

template <class T>
using Along6 = Dual<T, 6>;  // along the six directions of one frame
template <class T>
using Along1 = Dual<T, 1>;  // along the motion

template <class S, class T>
Vec3<S> constant(const Vec3<T>& a) {
  return {S(a.x), S(a.y), S(a.z)};
}
template <class S, class T>
Pose<S> constant(const Pose<T>& A) {
  return {constant<S>(A.p), {constant<S>(A.R.x), constant<S>(A.R.y), constant<S>(A.R.z)}, S(A.phi)};
}
template <class S, class T>
Twist<S> constant(const Twist<T>& a) {
  return {constant<S>(a.v), constant<S>(a.w)};
}

// The pose displaced by six small numbers: p + δp, R (1 + δθ^).
template <class T>
Pose<Along6<T>> displaced(const Pose<T>& A) {
  Pose<Along6<T>> P = constant<Along6<T>>(A);
  for (int i = 0; i < 3; ++i) {
    P.p[i].d[i] = T(1.0);
    P.R.x[i].d[4] = -A.R.z[i];  // R e_y^ = (−z, 0, x), and so on round
    P.R.x[i].d[5] = A.R.y[i];
    P.R.y[i].d[3] = A.R.z[i];
    P.R.y[i].d[5] = -A.R.x[i];
    P.R.z[i].d[3] = -A.R.y[i];
    P.R.z[i].d[4] = A.R.x[i];
  }
  P.phi.d[5] = T(1.0);
  return P;
}
template <class T>
Twist<Along6<T>> displaced(const Twist<T>& a) {
  Twist<Along6<T>> u = constant<Along6<T>>(a);
  for (int i = 0; i < 6; ++i) u[i].d[i] = T(1.0);
  return u;
}

// X path(τ), where a frame turns as R path(τ). path is 1 + τ ω^ to first order (J = Along1), and 1 + τ ω^ + ½τ² (ω^ω^ +
// ω̇^) to second order (J = Jet2).
template <class J>
Mat3<J> turning(const Mat3d& X, const Twist<double>& a, const Twist<double>& a_dot) {
  const Mat3d W = hat(a.w), first = X * W;
  Mat3<J> result;
  if constexpr (std::is_same_v<J, Jet2<double>>) {
    const Mat3d second = first * W + X * hat(a_dot.w);
    for (int c = 0; c < 3; ++c)
      for (int i = 0; i < 3; ++i) result[c][i] = {X[c][i], first[c][i], second[c][i]};
  } else {
    for (int c = 0; c < 3; ++c)
      for (int i = 0; i < 3; ++i) result[c][i].v = X[c][i], result[c][i].d[0] = first[c][i];
  }
  return result;
}
// x + τ v (+ ½τ² a)
template <class J>
J moving_number(double x, double v, double a) {
  if constexpr (std::is_same_v<J, Jet2<double>>) return {x, v, a};
  J result(x);
  if constexpr (!std::is_same_v<J, Jet2<double>>) result.d[0] = v;
  return result;
}
// The pose at t + τ: p + τ v + ½τ² v̇, R path(τ).
template <class J>
Pose<J> moving(const Pose<double>& A, const Twist<double>& a, const Twist<double>& a_dot = {}) {
  Pose<J> P{{}, turning<J>(A.R, a, a_dot), moving_number<J>(A.phi, a.w.z, a_dot.w.z)};
  for (int i = 0; i < 3; ++i) P.p[i] = moving_number<J>(A.p[i], a.v[i], a_dot.v[i]);
  return P;
}
inline Twist<Along1<double>> moving(const Twist<double>& a, const Twist<double>& a_dot) {
  Twist<Along1<double>> u;
  for (int i = 0; i < 6; ++i) u[i] = moving_number<Along1<double>>(a[i], a_dot[i], 0.0);
  return u;
}

// X hat(e_k)
inline Mat3d turned(const Mat3d& X, int k) {
  if (k == 0) return {{}, X.z, -X.y};
  if (k == 1) return {-X.z, {}, X.x};
  return {X.y, -X.x, {}};
}
template <class J>
void put_derivative(const Mat3<J>& dR, int k, Mat3<Along6<J>>& R) {
  for (int c = 0; c < 3; ++c)
    for (int i = 0; i < 3; ++i) R[c][i].d[k] = dR[c][i];
}
// The moving pose with a displaced start: R (1 + δθ^) path(τ).
template <class J>
Pose<Along6<J>> displaced_start(const Pose<double>& A, const Twist<double>& a, const Twist<double>& a_dot = {}) {
  Pose<Along6<J>> P = constant<Along6<J>>(moving<J>(A, a, a_dot));
  for (int k = 0; k < 3; ++k) {
    P.p[k].d[k] = J(1.0);
    put_derivative(turning<J>(turned(A.R, k), a, a_dot), 3 + k, P.R);
  }
  P.phi.d[5] = J(1.0);
  return P;
}
// The moving pose with a displaced twist: ∂path/∂ω_k = τ e_k^ + ½τ² (e_k^ω^ + ω^e_k^).
template <class J>
Pose<Along6<J>> displaced_twist(const Pose<double>& A, const Twist<double>& a, const Twist<double>& a_dot = {}) {
  Pose<Along6<J>> P = constant<Along6<J>>(moving<J>(A, a, a_dot));
  const Mat3d W = hat(a.w), RW = A.R * W;
  const J rate = moving_number<J>(0.0, 1.0, 0.0);
  for (int k = 0; k < 3; ++k) {
    P.p[k].d[k] = rate;
    const Mat3d first = turned(A.R, k), second = first * W + turned(RW, k);
    for (int c = 0; c < 3; ++c)
      for (int i = 0; i < 3; ++i) P.R[c][i].d[3 + k] = moving_number<J>(0.0, first[c][i], second[c][i]);
  }
  P.phi.d[5] = rate;
  return P;
}

// Time moves at rate one.
template <class J>
J moving_time(double t) {
  return moving_number<J>(t, 1.0, 0.0);
}

// The pair with the displaced frame `which` (0 is A, 1 is B).
template <class T>
struct Poses {
  Pose<T> A, B;
};
inline Poses<Along6<double>> displaced_pair(const Pair& at, int which) {
  using T = Along6<double>;
  return {which == 0 ? displaced(at.A) : constant<T>(at.A), which == 1 ? displaced(at.B) : constant<T>(at.B)};
}
template <class T>
struct Twists {
  Twist<T> a, b;
};
inline Twists<Along6<double>> displaced_pair(const PairTwist& u, int which) {
  using T = Along6<double>;
  return {which == 0 ? displaced(u.a) : constant<T>(u.a), which == 1 ? displaced(u.b) : constant<T>(u.b)};
}

inline Twist<double> unit_twist(int i) {
  Twist<double> e{};
  e[i] = 1.0;
  return e;
}

// Calls f(0) and f(1) for the frames that move.
template <class F>
void for_moving(const Pair& at, F&& f) {
  if (at.A_moves) f(0);
  if (at.B_moves) f(1);
}

}  // namespace tappet::seed
