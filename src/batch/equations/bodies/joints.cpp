// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "batch/equations/bodies/body_builder.h"
#include "kernels/recordable.h"

namespace tappet {

void BodyBuilder::add_joints() {
  for (const JointEntry& joint : model_.joints)
    std::visit([&](const auto& element) { add_joint(element, joint); }, joint.element);
  for (const auto& joint : model_.velocity_joints)
    std::visit([&](const auto& element) { add_velocity_joint(element, joint); }, joint.element);
}

template <class J>
void BodyBuilder::add_joint(const J& own, const JointEntry& entry) {
  if constexpr (kernels::Recordable<J>) {
    typename kernels::Rebound<J, Traced>::Type joint{};
    set_numbers(joint, own, entry);
    std::vector<Traced> g(joint.rows());
    joint.residual(frame(entry.bodies[0]).displaced, frame(entry.bodies[1]).displaced, time(), g.data());
    for (const Traced& position : g) {
      RecordedRow row = row_of_position(position.node(graph_), entry.bodies);
      // Rows that planar bodies fulfil by themselves are left out.
      if (std::any_of(row.W.begin(), row.W.end(), [&](Node w) { return !graph_.is_zero(w); }))
        motion_.joints.push_back(std::move(row));
    }
  }
}

// A row γ of velocities that is linear in u, such as that of rolling without slip.
template <class J>
void BodyBuilder::add_velocity_joint(const J& own, const Entry<VelocityJointVariant>& entry) {
  if constexpr (kernels::Recordable<J>) {
    typename kernels::Rebound<J, Traced>::Type joint{};
    set_numbers(joint, own, entry);
    const Moving &A = frame(entry.bodies[0]), &B = frame(entry.bodies[1]);
    std::vector<Traced> gamma(joint.rows());
    joint.velocity(A.pose, A.twist, B.pose, B.twist, time(), gamma.data());
    for (const Traced& rate : gamma) motion_.joints.push_back(row_of(rate, Traced(0.0)));
  }
}

}  // namespace tappet
