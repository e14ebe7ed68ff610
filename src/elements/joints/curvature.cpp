// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "elements/joints/curvature.h"

#include <algorithm>

namespace tappet {

Curvature::Curvature(const Pair& at, double* K) : at_(at), K_(K), moves_{at.A_moves, at.B_moves} {
  std::fill_n(K, pair_size * pair_size, 0.0);
}

void Curvature::point(int frame, const Vec3d& f, const Vec3d& x) {
  if (!moves_[frame]) return;
  const Vec3d phi = transposed_times(pose(frame).R, f);
  const double along = dot(phi, x);
  const int first = 6 * frame + 3;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) entry(first + i, first + j) += phi[i] * x[j];
    entry(first + i, first + i) -= along;
  }
}

void Curvature::directions(double weight, const Vec3d& x, const Vec3d& y) {
  if (weight == 0.0) return;
  const Vec3d x_world = at_.A.R * x, y_world = at_.B.R * y;
  point(0, weight * y_world, x);
  point(1, weight * x_world, y);
  if (!moves_[0] || !moves_[1]) return;
  // (R_A (e_j × x))·(R_B (e_i × y)): R (e × x) = (R e) × (R x)
  Vec3d turned_A[3], turned_B[3];
  for (int i = 0; i < 3; ++i)
    turned_A[i] = cross(at_.A.R[i], x_world), turned_B[i] = cross(at_.B.R[i], weight * y_world);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const double value = dot(turned_A[j], turned_B[i]);
      entry(9 + i, 3 + j) += value, entry(3 + j, 9 + i) += value;
    }
}

void Curvature::along(double weight, const Vec3d& x, const Vec3d& b) {
  if (weight == 0.0) return;
  directions(weight, x, b);  // (R_A x)·(R_B b); points fixed in A do not change
  if (!moves_[0]) return;
  point(0, weight * (at_.B.p - at_.A.p), x);
  const Vec3d x_world = weight * (at_.A.R * x);
  for (int i = 0; i < 3; ++i) {
    const Vec3d turned = cross(at_.A.R[i], x_world);
    for (int j = 0; j < 3; ++j) {
      entry(3 + i, j) -= turned[j], entry(j, 3 + i) -= turned[j];
      if (moves_[1]) entry(3 + i, 6 + j) += turned[j], entry(6 + j, 3 + i) += turned[j];
    }
  }
}

}  // namespace tappet
