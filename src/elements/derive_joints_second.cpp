// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "elements/derive_joint.h"
#include "elements/derive_velocity_joint.h"
#include "elements/instantiate.h"

namespace tappet {

template <class J>
void contraction(const J& joint, const Pair& at, const double* P, double* K) {
  joint_contraction(joint, at, P, K);
}
template <class J>
void acceleration_gradient(const J& joint, const Pair& at, const PairTwist& u, const PairTwist& u_dot, double* D_pose,
                           double* D_twist) {
  joint_acceleration_gradient(joint, at, u, u_dot, D_pose, D_twist);
}

namespace {

template <class J>
struct Levels {
  void (*contraction)(const J&, const Pair&, const double*, double*) = tappet::contraction<J>;
  void (*acceleration_gradient)(const J&, const Pair&, const PairTwist&, const PairTwist&, double*,
                                double*) = tappet::acceleration_gradient<J>;
};
[[gnu::used]] const Instantiate<Levels, AllJoints> joints;
[[gnu::used]] const Instantiate<Levels, JointParts> joint_parts;
[[gnu::used]] const Instantiate<Levels, VelocityJoints> velocity_joints;

}  // namespace
}  // namespace tappet
