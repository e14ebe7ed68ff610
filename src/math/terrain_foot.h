// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include "math/derivatives_of.h"
#include "math/height_field.h"

namespace tappet {

// A symmetric matrix N × N as L D Lᵀ.
template <int N>
struct SmallFactor {
  double L[N][N], D[N];

  // Returns false unless the matrix is positive definite.
  bool factor(const double (&A)[N][N]) {
    for (int i = 0; i < N; ++i) {
      D[i] = A[i][i];
      for (int k = 0; k < i; ++k) D[i] -= L[i][k] * L[i][k] * D[k];
      if (!(D[i] > 1e-10 * std::abs(A[i][i]))) return false;
      for (int r = i + 1; r < N; ++r) {
        L[r][i] = A[r][i];
        for (int k = 0; k < i; ++k) L[r][i] -= L[r][k] * L[i][k] * D[k];
        L[r][i] /= D[i];
      }
    }
    return true;
  }
  template <class S>
  void solve(S (&b)[N]) const {
    for (int i = 1; i < N; ++i)
      for (int k = 0; k < i; ++k) b[i] = b[i] - L[i][k] * b[k];
    for (int i = 0; i < N; ++i) b[i] = b[i] * (1.0 / D[i]);
    for (int i = N - 2; i >= 0; --i)
      for (int k = i + 1; k < N; ++k) b[i] = b[i] - L[k][i] * b[k];
  }
};

// A circle or a point above a terrain, in the frame of the terrain.
template <class S>
struct RingOf {
  Vec3<S> center, spokes[2];  // two perpendicular radii of the circle; not used for a point
};

// The foot of a circle (a wheel without its tube) or of a point (the centre of a ball) on a terrain: the points of both
// that are nearest to each other, at least nearer than their neighbours. The unknowns are x and y on the terrain and,
// for a circle, the angle on it. In the foot, half the squared distance is stationary, and Newton's method solves this.
// Derivatives follow from the implicit function theorem: each further Newton step with the same matrix, on numbers that
// carry derivatives, makes one more of them exact.
template <bool is_wheel>
struct TerrainFoot {
  static constexpr int unknowns = is_wheel ? 3 : 2;

  double at[unknowns];
  SmallFactor<unknowns> matrix;
  bool found = false;

  // Everything of the foot for a ring near the one for which it was found.
  template <class S>
  struct Nearest {
    S distance;
    Vec3<S> ring, ground, normal;
  };
  template <class S>
  Nearest<S> nearest(const HeightField& field, const RingOf<S>& ring) const {
    S x[unknowns];
    for (int k = 0; k < unknowns; ++k) x[k] = S(at[k]);
    for (int level = 0; level < derivatives_of<S>; ++level) {
      S F[unknowns];
      slopes(ring, field.at<false>(x[0], x[1]), x, F);
      matrix.solve(F);
      for (int k = 0; k < unknowns; ++k) x[k] = x[k] - F[k];
    }
    const Height<S> h = field.at<false>(x[0], x[1]);
    const Vec3<S> n = normalized(Vec3<S>{-h.x, -h.y, S(1.0)}), ground{x[0], x[1], h.z}, c = point(ring, x);
    return {dot(n, c - ground), c, ground, n};
  }

  static TerrainFoot find(const HeightField& field, const RingOf<double>& ring, const double* from) {
    TerrainFoot foot;
    std::copy_n(from, unknowns, foot.at);
    const double reach = is_wheel ? norm(ring.spokes[0]) : 1e300;
    for (int round = 0; round < 40 && !foot.found; ++round) {
      const Height<double> h = field.at<true>(foot.at[0], foot.at[1]);
      double step[unknowns], J[unknowns][unknowns];
      slopes(ring, h, foot.at, step);
      second(ring, h, foot.at, false, J);
      const bool definite = foot.matrix.factor(J);
      if (!definite) second(ring, h, foot.at, true, J), foot.matrix.factor(J);
      foot.matrix.solve(step);
      double most = std::max(std::abs(step[0]), std::abs(step[1]));
      if constexpr (is_wheel) most = std::max(most, reach * std::abs(step[2]));
      const double scale = is_wheel && most > 0.5 * reach ? 0.5 * reach / most : 1.0;
      for (int k = 0; k < unknowns; ++k) foot.at[k] -= scale * step[k];
      foot.found = definite && most < 1e-13 * (1.0 + std::abs(foot.at[0]) + std::abs(foot.at[1]));
    }
    return foot;
  }

 private:
  template <class S>
  static Vec3<S> point(const RingOf<S>& ring, const S* x) {
    if constexpr (is_wheel)
      return ring.center + cos(x[2]) * ring.spokes[0] + sin(x[2]) * ring.spokes[1];
    else
      return ring.center;
  }
  template <class S>
  static Vec3<S> tangent(const RingOf<S>& ring, const S* x) {
    return cos(x[2]) * ring.spokes[1] - sin(x[2]) * ring.spokes[0];
  }
  // The derivatives of half the squared distance by the unknowns.
  template <class S>
  static void slopes(const RingOf<S>& ring, const Height<S>& h, const S* x, S (&F)[unknowns]) {
    const Vec3<S> c = point(ring, x), d{c.x - x[0], c.y - x[1], c.z - h.z};
    F[0] = -(d.x + d.z * h.x), F[1] = -(d.y + d.z * h.y);
    if constexpr (is_wheel) F[2] = dot(d, tangent(ring, x));
  }
  // Their second derivatives or, if these are not positive definite far from the foot, something near that is.
  static void second(const RingOf<double>& ring, const Height<double>& h, const double* x, bool safe,
                     double (&J)[unknowns][unknowns]) {
    const Vec3d c = point(ring, x), d{c.x - x[0], c.y - x[1], c.z - h.z};
    const double w = safe ? 0.0 : d.z;
    J[0][0] = 1.0 + h.x * h.x - w * h.xx, J[1][1] = 1.0 + h.y * h.y - w * h.yy;
    J[0][1] = J[1][0] = h.x * h.y - w * h.xy;
    if constexpr (is_wheel) {
      const Vec3d T = tangent(ring, x);
      J[0][2] = J[2][0] = -(T.x + T.z * h.x), J[1][2] = J[2][1] = -(T.y + T.z * h.y);
      J[2][2] = dot(T, T) - (safe ? 0.0 : dot(d, c - ring.center));
      if (safe) J[0][0] += 0.5, J[1][1] += 0.5, J[2][2] *= 1.5;
    }
  }
};

}  // namespace tappet
