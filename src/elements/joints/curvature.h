// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elements/derive.h"

namespace tappet {

// Second derivatives of the terms from which the rows of most joints are built, written by hand. Each function adds its
// own, times a weight, to K as defined by contraction() in derive.h. With forward differentiation they would be most of
// the cost of an exact Newton iteration on a mechanism. Frame 0 is A, frame 1 is B.
//
// If displaced by τ e_j and then by η e_i, f·R x has the second derivative f·R (e_j × (e_i × x)) = φ_i x_j − (φ·x) δ_ij
// with φ = Rᵀf. Positions enter linearly.
class Curvature {
 public:
  Curvature(const Pair& at, double* K);  // sets K to zero

  void point(int frame, const Vec3d& f, const Vec3d& x);           // f·(p + R x), f in the world
  void directions(double weight, const Vec3d& x, const Vec3d& y);  // weight (R_A x)·(R_B y)
  void along(double weight, const Vec3d& x, const Vec3d& b);       // weight (R_A x)·(point b of B − any point of A)

 private:
  double& entry(int row, int column) { return K_[row * pair_size + column]; }
  const Pose<double>& pose(int frame) const { return frame == 0 ? at_.A : at_.B; }

  const Pair& at_;
  double* K_;
  const bool moves_[2];
};

}  // namespace tappet
