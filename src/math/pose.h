// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "math/jet.h"
#include "math/rotation.h"

namespace tappet {

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
