// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

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
  joint.residual(seed::moving(at.A, u.a, {}), seed::moving(at.B, u.b, {}), seed::moving_time<S>(at.t), g);
  for (int r = 0; r < joint.rows(); ++r) zeta[r] = g[r].dd;
}

// Displaced twice: first by ε, then by η from there; ∂²/∂ε∂η of g at the pose R exp(ε^) exp(η^).
template <PositionJoint J>
void joint_contraction(const J& joint, const Pair& at, const double* P, double* K) {
  using namespace seed;
  using T = Along6<double>;
  using S = Along6<T>;
  std::fill_n(K, pair_size * pair_size, 0.0);
  for_moving(at, [&](int column) {
    const auto [A, B] = displaced_pair(at, column);
    for_moving(at, [&](int row) {
      S g[J::max_rows];
      joint.residual(row == 0 ? displaced(A) : constant<S>(A), row == 1 ? displaced(B) : constant<S>(B), S(at.t), g);
      for (int r = 0; r < joint.rows(); ++r)
        for (int i = 0; i < 6; ++i)
          for (int j = 0; j < 6; ++j) K[(6 * row + i) * pair_size + 6 * column + j] += P[r] * g[r].d[i].d[j];
    });
  });
}

template <PositionJoint J>
void joint_velocity_gradient(const J& joint, const Pair& at, const PairTwist& u, double* D) {
  using namespace seed;
  using T = Along6<double>;
  using S = Along1<T>;
  std::fill_n(D, joint.rows() * pair_size, 0.0);
  for_moving(at, [&](int which) {
    S g[J::max_rows];
    const auto [A, B] = displaced_pair(at, which);
    joint.residual(moving(A, constant<T>(u.a)), moving(B, constant<T>(u.b)), moving_time<S>(at.t), g);
    for (int r = 0; r < joint.rows(); ++r) std::copy_n(g[r].d[0].d, 6, D + r * pair_size + 6 * which);
  });
}

template <PositionJoint J>
void joint_acceleration_gradient(const J& joint, const Pair& at, const PairTwist& u, const PairTwist& u_dot,
                                 double* D_pose, double* D_twist) {
  using namespace seed;
  using T = Along6<double>;
  using S = Jet2<T>;
  std::fill_n(D_pose, joint.rows() * pair_size, 0.0);
  std::fill_n(D_twist, joint.rows() * pair_size, 0.0);
  const Twist<T> a_dot = constant<T>(u_dot.a), b_dot = constant<T>(u_dot.b);
  const auto level = [&](const Poses<T>& at_T, const Twists<T>& u_T, int which, double* D) {
    S g[J::max_rows];
    joint.residual(moving(at_T.A, u_T.a, a_dot), moving(at_T.B, u_T.b, b_dot), moving_time<S>(at.t), g);
    for (int r = 0; r < joint.rows(); ++r) std::copy_n(g[r].dd.d, 6, D + r * pair_size + 6 * which);
  };
  const Poses<T> fixed{constant<T>(at.A), constant<T>(at.B)};
  const Twists<T> steady{constant<T>(u.a), constant<T>(u.b)};
  for_moving(at, [&](int which) {
    level(displaced_pair(at, which), steady, which, D_pose);
    level(fixed, displaced_pair(u, which), which, D_twist);
  });
}

}  // namespace tappet
