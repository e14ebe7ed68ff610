// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>

#include "elements/seed.h"

// Levels of a position-level joint, from residual().
namespace tappet {

template <class J>
concept PositionJoint = requires(const J& joint, Pose<double> A, double* g) {
  joint.residual(A, A, 0.0, g);
};

template <class J>
bool depends_on_time(const J& element) {
  if constexpr (requires { element.depends_on_time(); }) return element.depends_on_time();
  return false;
}

template <class J>
void value(const J& joint, const Pair& at, double* g) {
  if constexpr (PositionJoint<J>) joint.residual(at.A, at.B, at.t, g);
}

template <PositionJoint J>
void joint_directions(const J& joint, const Pair& at, double* W, double* chi) {
  using namespace seed;
  std::fill_n(W, joint.rows() * pair_size, 0.0);
  std::fill_n(chi, joint.rows(), 0.0);
  for_moving(at, [&](int which) {
    Along6<double> g[J::max_rows];
    const auto [A, B] = displaced_pair(at, which);
    joint.residual(A, B, Along6<double>(at.t), g);
    for (int r = 0; r < joint.rows(); ++r) std::copy_n(g[r].d, 6, W + r * pair_size + 6 * which);
  });
  if (!depends_on_time(joint)) return;
  using S = Along1<double>;
  S g[J::max_rows];
  joint.residual(constant<S>(at.A), constant<S>(at.B), moving_time<S>(at.t), g);
  for (int r = 0; r < joint.rows(); ++r) chi[r] = g[r].d[0];
}

template <PositionJoint J>
void joint_second_rate(const J& joint, const Pair& at, const PairTwist& u, double* zeta) {
  using S = Jet2<double>;
  S g[J::max_rows];
  joint.residual(seed::moving<S>(at.A, u.a), seed::moving<S>(at.B, u.b), seed::moving_time<S>(at.t), g);
  for (int r = 0; r < joint.rows(); ++r) zeta[r] = g[r].dd;
}

// Column j is displaced first by τ along e_j and then by η: ∂²/∂τ∂η of g at the pose R exp(τ e_j^) exp(η^). Between the
// two frames the order does not matter, so the block of A under B is that of B under A, transposed.
template <PositionJoint J>
void joint_contraction(const J& joint, const Pair& at, const double* P, double* K) {
  using namespace seed;
  using T = Along1<double>;
  using S = Along6<T>;
  std::fill_n(K, pair_size * pair_size, 0.0);
  const auto block = [&](int row, int column) {
    for (int j = 0; j < 6; ++j) {
      const Pose<T> A = moving<T>(at.A, column == 0 ? unit_twist(j) : Twist<double>{});
      const Pose<T> B = moving<T>(at.B, column == 1 ? unit_twist(j) : Twist<double>{});
      S g[J::max_rows];
      joint.residual(row == 0 ? displaced(A) : constant<S>(A), row == 1 ? displaced(B) : constant<S>(B), S(at.t), g);
      for (int r = 0; r < joint.rows(); ++r)
        for (int i = 0; i < 6; ++i) K[(6 * row + i) * pair_size + 6 * column + j] += P[r] * g[r].d[i].d[0];
    }
  };
  for_moving(at, [&](int frame) { block(frame, frame); });
  if (!at.A_moves || !at.B_moves) return;
  block(1, 0);
  for (int i = 0; i < 6; ++i)
    for (int j = 6; j < 12; ++j) K[i * pair_size + j] = K[j * pair_size + i];
}

template <PositionJoint J>
void joint_velocity_gradient(const J& joint, const Pair& at, const PairTwist& u, double* D) {
  using namespace seed;
  using T = Along1<double>;
  using S = Along6<T>;
  std::fill_n(D, joint.rows() * pair_size, 0.0);
  for_moving(at, [&](int which) {
    S g[J::max_rows];
    joint.residual(which == 0 ? displaced_start<T>(at.A, u.a) : constant<S>(moving<T>(at.A, u.a)),
                   which == 1 ? displaced_start<T>(at.B, u.b) : constant<S>(moving<T>(at.B, u.b)),
                   S(moving_time<T>(at.t)), g);
    for (int r = 0; r < joint.rows(); ++r)
      for (int j = 0; j < 6; ++j) D[r * pair_size + 6 * which + j] = g[r].d[j].d[0];
  });
}

template <PositionJoint J>
void joint_acceleration_gradient(const J& joint, const Pair& at, const PairTwist& u, const PairTwist& u_dot,
                                 double* D_pose, double* D_twist) {
  using namespace seed;
  using T = Jet2<double>;
  using S = Along6<T>;
  std::fill_n(D_pose, joint.rows() * pair_size, 0.0);
  std::fill_n(D_twist, joint.rows() * pair_size, 0.0);
  const Pose<S> A = constant<S>(moving<T>(at.A, u.a, u_dot.a)), B = constant<S>(moving<T>(at.B, u.b, u_dot.b));
  const auto level = [&](const Pose<S>& A_S, const Pose<S>& B_S, int which, double* D) {
    S g[J::max_rows];
    joint.residual(A_S, B_S, S(moving_time<T>(at.t)), g);
    for (int r = 0; r < joint.rows(); ++r)
      for (int j = 0; j < 6; ++j) D[r * pair_size + 6 * which + j] = g[r].d[j].dd;
  };
  if (at.A_moves) {
    level(displaced_start<T>(at.A, u.a, u_dot.a), B, 0, D_pose);
    level(displaced_twist<T>(at.A, u.a, u_dot.a), B, 0, D_twist);
  }
  if (at.B_moves) {
    level(A, displaced_start<T>(at.B, u.b, u_dot.b), 1, D_pose);
    level(A, displaced_twist<T>(at.B, u.b, u_dot.b), 1, D_twist);
  }
}

}  // namespace tappet
