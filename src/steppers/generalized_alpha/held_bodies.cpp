// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/generalized_alpha/held_bodies.h"

#include <algorithm>

namespace tappet::alpha {

HeldBodies::HeldBodies(const System& system)
    : system_(system),
      n_(system.u_size()),
      rows_(system.joint_rows()),
      inverse_(system.rotations().size()),
      f_(lanes * 3 * n_),
      d_(lanes * 3 * rows_),
      moves_(3 * n_),
      resists_(3 * rows_),
      by_residuals_(3 * n_),
      resists_residuals_(3 * rows_) {}

void HeldBodies::analyse(const BlockMatrix& M, const BlockMatrix& K, const BlockMatrix& C, const Coupling& pattern,
                         BlockMatrix turned) {
  BlockRows joints;
  std::vector<unsigned> levels;
  for (const Constraint& joint : system_.joints()) {
    joints.append(joint.rows, joint.columns);
    levels.push_back(joint.position_level ? 7 : 3);
  }
  const bool turns = !system_.rotations().empty();
  turned_ = std::move(turned);
  if (!can_turn(M)) return elimination_.give_up();
  elimination_.analyse(
      {.bodies = M,
       .coupling = pattern,
       .joints = joints,
       .levels = 3,
       .held = levels,
       .terms = {
           {0, 0, &M}, {0, 1, &C}, {0, 2, &K}, {1, 0, &M}, {1, 1, &M}, {2, 0, &M}, {2, 2, turns ? &turned_ : &M}}});
}

// Whether M T⁻¹ has the pattern of `turned_`, as that of rigid bodies has.
bool HeldBodies::can_turn(const BlockMatrix& M) const {
  for (int c : system_.rotations())
    for (int i : M.block(M.block_of(c))) {
      const bool any = M.find(i, c) || M.find(i, c + 1) || M.find(i, c + 2);
      if (any && !(turned_.find(i, c) && turned_.find(i, c + 1) && turned_.find(i, c + 2))) return false;
    }
  return true;
}

void HeldBodies::turn(const Balance& at) {
  turned_.assign(at.M);
  for (size_t k = 0; k < inverse_.size(); ++k) {
    const int c = system_.rotations()[k];
    const Mat3d& R = inverse_[k] = right_jacobian_inverse({at.w[c], at.w[c + 1], at.w[c + 2]});
    for (int i : at.M.block(at.M.block_of(c))) {
      const Vec3d m{at.M(i, c), at.M(i, c + 1), at.M(i, c + 2)};
      if (m.x == 0.0 && m.y == 0.0 && m.z == 0.0) continue;
      turned_.add(i, c, dot(m, R.x) - m.x), turned_.add(i, c + 1, dot(m, R.y) - m.y);
      turned_.add(i, c + 2, dot(m, R.z) - m.z);
    }
  }
}

bool HeldBodies::factor(const Balance& at, const Quadrature& weight, const Derivatives& by) {
  if (!inverse_.empty()) turn(at);
  const double b = weight.position_1, c = weight.velocity_1;
  const double factors[] = {1.0, 1.0, 1.0, -c, 1.0, -b, 1.0};
  constexpr int position = 2;
  const BorderedElimination::JointTerm act[] = {
      {0, 0, &at.W}, {1, 1, &at.W}, {2, 2, &at.W}, {2, 1, &at.W, weight.dt / 2, position}};  // (80)
  const BorderedElimination::JointTerm judge[] = {{0, 0, &at.W}, {0, 1, &by.gamma_dot_u}, {0, 2, &by.gamma_dot_q},
                                                  {1, 1, &at.W}, {1, 2, &by.gamma_q},     {2, 2, &at.W}};
  return elimination_.factor(factors, act, judge);
}

void HeldBodies::solve(int panel) {
  elimination_.solve(f(0), d(0), reinterpret_cast<Four*>(moved_.column(panel)),
                     reinterpret_cast<Four*>(resisted_.column(panel)));
}

void HeldBodies::keep_residuals(int panel, int lane) {
  const double *moved = moved_.column(panel) + lane, *resisted = resisted_.column(panel) + lane;
  for (int i = 0; i < by_residuals_.size(); ++i) by_residuals_[i] = moved[lanes * i];
  for (int i = 0; i < resists_residuals_.size(); ++i) resists_residuals_[i] = resisted[lanes * i];
}

// sum += the columns times δz
void HeldBodies::add(const Mat& panels, const Vec& dz, Vec& sum) {
  for (int first = 0; first < dz.size(); first += lanes) {
    Four x{};
    for (int lane = 0; lane < lanes && first + lane < dz.size(); ++lane) x[lane] = dz[first + lane];
    const Four* from = reinterpret_cast<const Four*>(panels.column(first / lanes));
    for (int i = 0; i < sum.size(); ++i) {
      const Four term = from[i] * x;
      sum[i] += (term[0] + term[1]) + (term[2] + term[3]);
    }
  }
}

void HeldBodies::move(const Quadrature& weight, const Vec& dz, Unknowns& x) {
  moves_ = by_residuals_, resists_ = resists_residuals_;
  add(moved_, dz, moves_), add(resisted_, dz, resists_);
  const double *a = moves_.data(), *v = a + n_, *p = v + n_;
  for (int i = 0; i < n_; ++i) {
    x.a[i] += a[i];
    x.U[i] += v[i] - weight.velocity_1 * a[i];
    x.Q[i] += p[i] - weight.position_1 * a[i];
  }
  for (size_t k = 0; k < inverse_.size(); ++k) {  // T⁻¹ p in the place of p
    const int c = system_.rotations()[k];
    const Vec3d turned = inverse_[k] * Vec3d{p[c], p[c + 1], p[c + 2]};
    x.Q[c] += turned.x - p[c], x.Q[c + 1] += turned.y - p[c + 1], x.Q[c + 2] += turned.z - p[c + 2];
  }
  const double *lambda = resists_.data(), *Lambda = lambda + rows_, *kappa = Lambda + rows_;
  for (const Constraint& joint : system_.joints())
    for (int s = joint.row; s < joint.row + joint.rows; ++s) {
      x.lambda[s] += lambda[s];
      x.Lambda[s] += Lambda[s];
      x.kappa[s] = joint.position_level ? x.kappa[s] + kappa[s] : weight.dt / 2 * x.Lambda[s];
    }
}

}  // namespace tappet::alpha
