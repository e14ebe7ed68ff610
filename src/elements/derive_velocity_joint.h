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
  joint.velocity(seed::moving<S>(at.A, u.a), seed::constant<S>(u.a), seed::moving<S>(at.B, u.b), seed::constant<S>(u.b),
                 seed::moving_time<S>(at.t), gamma);
  for (int r = 0; r < joint.rows(); ++r) zeta[r] = gamma[r].d[0];
}

template <VelocityJoint J>
void joint_contraction(const J& joint, const Pair& at, const double* P, double* K) {
  using namespace seed;
  using T = Along1<double>;
  using S = Along6<T>;
  std::fill_n(K, pair_size * pair_size, 0.0);
  const auto column = [&](int j) {
    const Pose<S> A = constant<S>(moving<T>(at.A, j < 6 ? unit_twist(j) : Twist<double>{}));
    const Pose<S> B = constant<S>(moving<T>(at.B, j < 6 ? Twist<double>{} : unit_twist(j - 6)));
    for_moving(at, [&](int row) {
      S gamma[J::max_rows];
      const Twist<S> seeded = displaced(Twist<T>{});
      joint.velocity(A, row == 0 ? seeded : Twist<S>{}, B, row == 1 ? seeded : Twist<S>{}, S(at.t), gamma);
      for (int r = 0; r < joint.rows(); ++r)
        for (int i = 0; i < 6; ++i) K[(6 * row + i) * pair_size + j] += P[r] * gamma[r].d[i].d[0];
    });
  };
  for_moving(at, [&](int frame) {
    for (int j = 0; j < 6; ++j) column(6 * frame + j);
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
  using T = Along1<double>;
  using S = Along6<T>;
  std::fill_n(D_pose, joint.rows() * pair_size, 0.0);
  std::fill_n(D_twist, joint.rows() * pair_size, 0.0);
  const Pose<S> A = constant<S>(moving<T>(at.A, u.a)), B = constant<S>(moving<T>(at.B, u.b));
  const Twist<T> a_T = moving(u.a, u_dot.a), b_T = moving(u.b, u_dot.b);
  const Twist<S> a = constant<S>(a_T), b = constant<S>(b_T);
  const auto level = [&](const Pose<S>& A_S, const Twist<S>& a_S, const Pose<S>& B_S, const Twist<S>& b_S, int which,
                         double* D) {
    S gamma[J::max_rows];
    joint.velocity(A_S, a_S, B_S, b_S, S(moving_time<T>(at.t)), gamma);
    for (int r = 0; r < joint.rows(); ++r)
      for (int j = 0; j < 6; ++j) D[r * pair_size + 6 * which + j] = gamma[r].d[j].d[0];
  };
  if (at.A_moves) {
    level(displaced_start<T>(at.A, u.a), a, B, b, 0, D_pose);
    level(displaced_twist<T>(at.A, u.a), displaced(a_T), B, b, 0, D_twist);
  }
  if (at.B_moves) {
    level(A, a, displaced_start<T>(at.B, u.b), b, 1, D_pose);
    level(A, a, displaced_twist<T>(at.B, u.b), displaced(b_T), 1, D_twist);
  }
}

}  // namespace tappet
