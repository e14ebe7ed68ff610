// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "elements/derive_joint.h"
#include "elements/derive_velocity_joint.h"
#include "elements/instantiate.h"

namespace tappet {

template <class J>
void directions(const J& joint, const Pair& at, double* W, double* chi) {
  joint_directions(joint, at, W, chi);
}
template <class J>
void second_rate(const J& joint, const Pair& at, const PairTwist& u, double* zeta) {
  joint_second_rate(joint, at, u, zeta);
}
template <class J>
void velocity_gradient(const J& joint, const Pair& at, const PairTwist& u, double* D) {
  joint_velocity_gradient(joint, at, u, D);
}

namespace {

template <class J>
struct Levels {
  void (*value)(const J&, const Pair&, double*) = tappet::value<J>;
  void (*directions)(const J&, const Pair&, double*, double*) = tappet::directions<J>;
  void (*second_rate)(const J&, const Pair&, const PairTwist&, double*) = tappet::second_rate<J>;
  void (*velocity_gradient)(const J&, const Pair&, const PairTwist&, double*) = tappet::velocity_gradient<J>;
};
[[gnu::used]] const Instantiate<Levels, AllJoints> joints;
[[gnu::used]] const Instantiate<Levels, JointParts> joint_parts;
[[gnu::used]] const Instantiate<Levels, VelocityJoints> velocity_joints;

}  // namespace
}  // namespace tappet
