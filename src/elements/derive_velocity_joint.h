// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elements/seed.h"

// Levels of a joint on velocity level, from velocity(), which is affine in the twists.
namespace tappet {

template <class J>
concept VelocityJoint = requires(const J& joint, Pose<double> A, Twist<double> a, double* gamma) {
  joint.velocity(A, a, A, a, 0.0, gamma);
};

template <VelocityJoint J>
void joint_directions(const J& joint, const Pair& at, double* W, double* chi) {
  using namespace seed;
  using S = Along6<double>;
  std::fill_n(W, joint.rows() * pair_size, 0.0);
  joint.velocity(at.A, Twist<double>{}, at.B, Twist<double>{}, at.t, chi);
  const Pose<S> A = constant<S>(at.A), B = constant<S>(at.B);
  for_moving(at, [&](int which) {
    S gamma[J::max_rows];
    const auto [a, b] = displaced_pair(PairTwist{}, which);
    joint.velocity(A, a, B, b, S(at.t), gamma);
    for (int r = 0; r < joint.rows(); ++r) std::copy_n(gamma[r].d, 6, W + r * pair_size + 6 * which);
  });
}

template <VelocityJoint J>
void joint_second_rate(const J& joint, const Pair& at, const PairTwist& u, double* zeta) {
  using S = seed::Along1<double>;
  S gamma[J::max_rows];
  joint.velocity(seed::moving(at.A, u.a), seed::constant<S>(u.a), seed::moving(at.B, u.b), seed::constant<S>(u.b),
                 seed::moving_time<S>(at.t), gamma);
  for (int r = 0; r < joint.rows(); ++r) zeta[r] = gamma[r].d[0];
}

template <VelocityJoint J>
void joint_contraction(const J& joint, const Pair& at, const double* P, double* K) {
  using namespace seed;
  using T = Along6<double>;
  using S = Along6<T>;
  std::fill_n(K, pair_size * pair_size, 0.0);
  for_moving(at, [&](int column) {
    const auto [A_T, B_T] = displaced_pair(at, column);
    const Pose<S> A = constant<S>(A_T), B = constant<S>(B_T);
    for_moving(at, [&](int row) {
      S gamma[J::max_rows];
      const Twist<S> a = row == 0 ? displaced(Twist<T>{}) : Twist<S>{},
                     b = row == 1 ? displaced(Twist<T>{}) : Twist<S>{};
      joint.velocity(A, a, B, b, S(at.t), gamma);
      for (int r = 0; r < joint.rows(); ++r)
        for (int i = 0; i < 6; ++i)
          for (int j = 0; j < 6; ++j) K[(6 * row + i) * pair_size + 6 * column + j] += P[r] * gamma[r].d[i].d[j];
    });
  });
}

template <VelocityJoint J>
void joint_velocity_gradient(const J& joint, const Pair& at, const PairTwist& u, double* D) {
  using namespace seed;
  using S = Along6<double>;
  std::fill_n(D, joint.rows() * pair_size, 0.0);
  for_moving(at, [&](int which) {
    S gamma[J::max_rows];
    const auto [A, B] = displaced_pair(at, which);
    joint.velocity(A, constant<S>(u.a), B, constant<S>(u.b), S(at.t), gamma);
    for (int r = 0; r < joint.rows(); ++r) std::copy_n(gamma[r].d, 6, D + r * pair_size + 6 * which);
  });
}

template <VelocityJoint J>
void joint_acceleration_gradient(const J& joint, const Pair& at, const PairTwist& u, const PairTwist& u_dot,
                                 double* D_pose, double* D_twist) {
  using namespace seed;
  using T = Along6<double>;
  using S = Along1<T>;
  std::fill_n(D_pose, joint.rows() * pair_size, 0.0);
  std::fill_n(D_twist, joint.rows() * pair_size, 0.0);
  const Twist<T> a_dot = constant<T>(u_dot.a), b_dot = constant<T>(u_dot.b);
  const auto level = [&](const Poses<T>& at_T, const Twists<T>& u_T, int which, double* D) {
    S gamma[J::max_rows];
    joint.velocity(moving(at_T.A, u_T.a), moving(u_T.a, a_dot), moving(at_T.B, u_T.b), moving(u_T.b, b_dot),
                   moving_time<S>(at.t), gamma);
    for (int r = 0; r < joint.rows(); ++r) std::copy_n(gamma[r].d[0].d, 6, D + r * pair_size + 6 * which);
  };
  const Poses<T> fixed{constant<T>(at.A), constant<T>(at.B)};
  const Twists<T> steady{constant<T>(u.a), constant<T>(u.b)};
  for_moving(at, [&](int which) {
    level(displaced_pair(at, which), steady, which, D_pose);
    level(fixed, displaced_pair(u, which), which, D_twist);
  });
}

}  // namespace tappet
