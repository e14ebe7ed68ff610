// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elements/keys.h"
#include "model/loading.h"

namespace tappet {

// The keys of a revolute or prismatic joint beside those of its type: limits, friction, damping, motor.
struct LimitsItem {
  static constexpr std::string_view expects = "a map {from, to, restitution}";
  std::optional<Item> item;
};
struct MotorItem {
  static constexpr std::string_view expects =
      "a map {torque, most}, {position, kp, kd, most} or {speed, kd, most}; a prismatic joint has `force`";
  std::optional<Item> item;
};
struct JointActionKeys {
  LimitsItem limits;
  double friction = 0.0, damping = 0.0;
  MotorItem motor;

  template <class V>
  void describe(V& v) {
    v.optional("limits", limits);
    v.optional("friction", friction, non_negative);
    v.optional("damping", damping, non_negative);
    v.optional("motor", motor);
  }
};

inline bool has_actions(const std::string& type) { return type == Revolute::name || type == Prismatic::name; }

// Whether the coordinate of a joint can be formed: none of its bodies is flexible.
bool can_be_measured(const Loading& loading, const JointEntry& joint);

// Reads these keys into the last joint of the model.
void read_joint_actions(Loading& loading, const Item& item);

// The coordinate and the speed of a joint as formulas of the state of its bodies. The joint is measured from then on.
struct JointState {
  Node position, speed;
};
JointState joint_state(Loading& loading, int joint);
// The same for a name such as `knee.angle`, `slide.displacement`, `knee.speed`; −1 if there is no such joint.
Node joint_state_named(Loading& loading, std::string_view joint, std::string_view quantity);

}  // namespace tappet
