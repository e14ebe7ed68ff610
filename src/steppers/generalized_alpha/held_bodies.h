// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/pose.h>

#include "problem/joints/bordered_elimination.h"
#include "steppers/generalized_alpha/balance.h"

namespace tappet::alpha {

// The linearised balances (127) together with the rows of joints, which are linear equations on all three levels. The
// unknowns are changes of the accelerations a, of the velocities v = c a + U, of the positions p = T (b a + Q) along
// the velocities at q₁, and of the multipliers of the joints, with the weights b and c of the quadrature:
//   M a + C v + K p − W λ = f₀         W a + γ̇_u v + γ̇_q p = d₀
//   M (v − c a) − W Λ = f₁             W v + γ_q p = d₁
//   M (T⁻¹ p − b a) − W κ = f₂         W p = d₂
// Bodies and joints are eliminated along lists. Four right-hand sides are solved side by side.
class HeldBodies {
 public:
  explicit HeldBodies(const System& system);

  // All matrices must outlive this object, except `turned`, whose pattern M T⁻¹ gets.
  void analyse(const BlockMatrix& M, const BlockMatrix& K, const BlockMatrix& C, const Coupling& pattern,
               BlockMatrix turned);
  bool suitable() const { return elimination_.suitable(); }
  void archive(Archive& a) { a(elimination_); }

  struct Derivatives {
    const BlockRows &gamma_q, &gamma_dot_q, &gamma_dot_u;
  };
  // T is the right Jacobian of the rotations of the step. Returns false if joints depend on each other.
  bool factor(const Balance& at, const Quadrature& weight, const Derivatives& derivatives);

  void start_panel() { f_.set_zero(), d_.set_zero(); }
  Four* f(int level) { return fours(f_) + level * n_; }
  Four* d(int level) { return fours(d_) + level * rows_; }
  void reserve(int panels) { moved_.reserve(lanes * 3 * n_, panels), resisted_.reserve(lanes * 3 * rows_, panels); }
  void resize(int panels) { moved_.resize(lanes * 3 * n_, panels), resisted_.resize(lanes * 3 * rows_, panels); }
  void solve(int panel);  // panels are numbered by the caller
  const Four* moved(int panel, int level) const {
    return reinterpret_cast<const Four*>(moved_.column(panel)) + level * n_;
  }
  void keep_residuals(int panel, int lane);  // the solution of this right-hand side belongs to the residuals

  // x += the change by the residuals and by the multipliers δz of contacts, whose columns are the first ones
  void move(const Quadrature& weight, const Vec& dz, Unknowns& x);

 private:
  static constexpr int lanes = sizeof(Four) / sizeof(double);
  static Four* fours(Vec& x) { return reinterpret_cast<Four*>(x.data()); }
  bool can_turn(const BlockMatrix& M) const;
  void turn(const Balance& at);
  static void add(const Mat& panels, const Vec& dz, Vec& sum);

  const System& system_;
  const int n_, rows_;  // velocities, and rows of joints
  BorderedElimination elimination_;
  BlockMatrix turned_;  // M T⁻¹, if there are rotations
  std::vector<Mat3d> inverse_;
  Vec f_, d_;
  Mat moved_, resisted_;
  Vec moves_, resists_, by_residuals_, resists_residuals_;
};

}  // namespace tappet::alpha
