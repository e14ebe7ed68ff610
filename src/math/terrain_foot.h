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

// What is above a terrain: the centre of a ball, the circle of a wheel, or the axis of a capsule.
enum class Track { point, circle, line };

// Such a track in the frame of the terrain.
template <class S>
struct TrackOf {
  // Of a circle: two perpendicular radii. Of a line: half of the axis, and nothing. Not used for a point.
  Vec3<S> center, spokes[2];
};
// A place on it. A circle has the angle u, a line runs from u = −1 to 1.
template <Track track, class S>
Vec3<S> place_on(const TrackOf<S>& on, const S& u) {
  if constexpr (track == Track::circle)
    return on.center + cos(u) * on.spokes[0] + sin(u) * on.spokes[1];
  else
    return on.center + u * on.spokes[0];
}

// The foot of a track on a terrain: the points of both that are nearest to each other, at least nearer than their
// neighbours. The unknowns are x and y on the terrain and, for a circle or a line, the place on it. In the foot, half
// the squared distance is stationary, and Newton's method solves this. Derivatives follow from the implicit function
// theorem: each further Newton step with the same matrix, on numbers that carry derivatives, makes one more of them
// exact.
template <Track track>
struct TerrainFoot {
  static constexpr bool is_long = track != Track::point;
  static constexpr int unknowns = is_long ? 3 : 2;

  double at[unknowns];
  SmallFactor<unknowns> matrix;
  bool found = false;

  // Everything of the foot for a track near the one for which it was found.
  template <class S>
  struct Nearest {
    S distance;
    Vec3<S> point, ground, normal;
  };
  template <class S>
  Nearest<S> nearest(const HeightField& field, const TrackOf<S>& on) const {
    S x[unknowns];
    for (int k = 0; k < unknowns; ++k) x[k] = S(at[k]);
    for (int level = 0; level < derivatives_of<S>; ++level) {
      S F[unknowns];
      slopes(Place<S>(on, x), field.at<false>(x[0], x[1]), x, F);
      matrix.solve(F);
      for (int k = 0; k < unknowns; ++k) x[k] = x[k] - F[k];
    }
    const Height<S> h = field.at<false>(x[0], x[1]);
    const Vec3<S> n = normalized(Vec3<S>{-h.x, -h.y, S(1.0)}), ground{x[0], x[1], h.z}, c = point(on, x);
    return {dot(n, c - ground), c, ground, n};
  }

  // Who needs no derivatives may stop earlier: the distance hardly depends on the last step.
  static constexpr double for_distance = 1e-8, for_derivatives = 1e-13;

  static TerrainFoot find(const HeightField& field, const TrackOf<double>& on, const double* from,
                          double accuracy = for_derivatives) {
    return find(field, on, from, field.at<true>(from[0], from[1]), accuracy);
  }
  // The same if the height at the start is known.
  static TerrainFoot find(const HeightField& field, const TrackOf<double>& on, const double* from, Height<double> h,
                          double accuracy) {
    TerrainFoot foot;
    std::copy_n(from, unknowns, foot.at);
    const double reach = is_long ? norm(on.spokes[0]) : 1e300;
    // Over ground that is almost flat the place on a line is not known as well. Then steps stop to become smaller.
    constexpr double flat = track == Track::line ? 1e-9 : 0.0;
    double last = 1e300;
    for (int round = 0; round < 40 && !foot.found; ++round) {
      if (round > 0) h = field.at<true>(foot.at[0], foot.at[1]);
      double step[unknowns], J[unknowns][unknowns];
      const Place<double> place(on, foot.at);
      slopes(place, h, foot.at, step);
      second(on, place, h, foot.at, false, J);
      const bool definite = foot.matrix.factor(J);
      if (!definite) second(on, place, h, foot.at, true, J), foot.matrix.factor(J);
      foot.matrix.solve(step);
      double most = std::max(std::abs(step[0]), std::abs(step[1]));
      if constexpr (is_long) most = std::max(most, reach * std::abs(step[2]));
      const double scale = is_long && most > 0.5 * reach ? 0.5 * reach / most : 1.0;
      for (int k = 0; k < unknowns; ++k) foot.at[k] -= scale * step[k];
      const double size = 1.0 + std::abs(foot.at[0]) + std::abs(foot.at[1]);
      foot.found = definite && (most < accuracy * size || (most < flat * size && most >= last));
      last = most;
    }
    return foot;
  }

 private:
  template <class S>
  static Vec3<S> point(const TrackOf<S>& on, const S* x) {
    if constexpr (is_long)
      return place_on<track>(on, x[2]);
    else
      return on.center;
  }
  // The point of the track and its derivative by the place on it, with one sine and cosine for both.
  template <class S>
  struct Place {
    Vec3<S> point, tangent;
    Place(const TrackOf<S>& on, const S* x) {
      if constexpr (track == Track::circle) {
        const S c = cos(x[2]), s = sin(x[2]);
        point = on.center + c * on.spokes[0] + s * on.spokes[1];
        tangent = c * on.spokes[1] - s * on.spokes[0];
      } else {
        point = TerrainFoot::point(on, x), tangent = on.spokes[0];
      }
    }
  };
  // The derivatives of half the squared distance by the unknowns.
  template <class S>
  static void slopes(const Place<S>& place, const Height<S>& h, const S* x, S (&F)[unknowns]) {
    const Vec3<S> d{place.point.x - x[0], place.point.y - x[1], place.point.z - h.z};
    F[0] = -(d.x + d.z * h.x), F[1] = -(d.y + d.z * h.y);
    if constexpr (is_long) F[2] = dot(d, place.tangent);
  }
  // Their second derivatives or, if these are not positive definite far from the foot, something near that is.
  static void second(const TrackOf<double>& on, const Place<double>& place, const Height<double>& h, const double* x,
                     bool safe, double (&J)[unknowns][unknowns]) {
    const Vec3d &c = place.point, d{c.x - x[0], c.y - x[1], c.z - h.z};
    const double w = safe ? 0.0 : d.z;
    J[0][0] = 1.0 + h.x * h.x - w * h.xx, J[1][1] = 1.0 + h.y * h.y - w * h.yy;
    J[0][1] = J[1][0] = h.x * h.y - w * h.xy;
    if constexpr (is_long) {
      const Vec3d& T = place.tangent;
      J[0][2] = J[2][0] = -(T.x + T.z * h.x), J[1][2] = J[2][1] = -(T.y + T.z * h.y);
      J[2][2] = dot(T, T) - (safe || track == Track::line ? 0.0 : dot(d, c - on.center));
      if (safe) J[0][0] += 0.5, J[1][1] += 0.5, J[2][2] *= 1.5;
    }
  }
};

}  // namespace tappet
