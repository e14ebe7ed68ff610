// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elements/derive.h"

// Poses whose numbers carry derivatives. Only the derive_*.cpp include this.
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

// The pose at t + τ, to first order: p + τ v, R (1 + τ ω^).
template <class T>
Pose<Along1<T>> moving(const Pose<T>& A, const Twist<T>& a) {
  Pose<Along1<T>> P = constant<Along1<T>>(A);
  for (int i = 0; i < 3; ++i) {
    P.p[i].d[0] = a.v[i];
    P.R.x[i].d[0] = a.w.z * A.R.y[i] - a.w.y * A.R.z[i];
    P.R.y[i].d[0] = a.w.x * A.R.z[i] - a.w.z * A.R.x[i];
    P.R.z[i].d[0] = a.w.y * A.R.x[i] - a.w.x * A.R.y[i];
  }
  P.phi.d[0] = a.w.z;
  return P;
}
template <class T>
Twist<Along1<T>> moving(const Twist<T>& a, const Twist<T>& a_dot) {
  Twist<Along1<T>> u = constant<Along1<T>>(a);
  for (int i = 0; i < 6; ++i) u[i].d[0] = a_dot[i];
  return u;
}
// To second order: p + τ v + ½τ² v̇, R (1 + τ ω^ + ½τ² (ω^ω^ + ω̇^)).
template <class T>
Pose<Jet2<T>> moving(const Pose<T>& A, const Twist<T>& a, const Twist<T>& a_dot) {
  Pose<Jet2<T>> P = constant<Jet2<T>>(A);
  const Mat3<T> W = hat(a.w), first = A.R * W, second = first * W + A.R * hat(a_dot.w);
  for (int i = 0; i < 3; ++i) {
    P.p[i].d = a.v[i];
    P.p[i].dd = a_dot.v[i];
    for (int column = 0; column < 3; ++column) {
      P.R[column][i].d = first[column][i];
      P.R[column][i].dd = second[column][i];
    }
  }
  P.phi.d = a.w.z;
  P.phi.dd = a_dot.w.z;
  return P;
}

// Time itself moves at rate one.
template <class S>
S moving_time(double t) {
  S time(t);
  if constexpr (requires { time.dd; })
    time.d = decltype(time.d)(1.0);
  else
    time.d[0] = std::remove_reference_t<decltype(time.d[0])>(1.0);
  return time;
}

// The pair with the frame `which` (0: A, 1: B) displaced.
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

// Calls f(0) and f(1) for the frames that move.
template <class F>
void for_moving(const Pair& at, F&& f) {
  if (at.A_moves) f(0);
  if (at.B_moves) f(1);
}

}  // namespace tappet::seed
