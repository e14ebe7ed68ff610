// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "batch/equations/bodies/body_builder.h"
#include "kernels/recordable.h"

namespace tappet {

void BodyBuilder::add_forces() {
  for (const auto& force : model_.forces)
    std::visit([&](const auto& element) { add_force(element, force); }, force.element);
  for (const StateForce& force : model_.state_forces) add_state_force(force);
}

template <class F>
void BodyBuilder::add_force(const F& own, const Entry<ForceVariant>& entry) {
  if constexpr (std::is_same_v<F, Gravity>) {
    const Vec3<Traced> acceleration = source_.next_three();
    for (int b = 0; b < static_cast<int>(bodies_.size()); ++b)
      if (entry.targets.empty() || std::find(entry.targets.begin(), entry.targets.end(), b) != entry.targets.end())
        weigh(bodies_[b], acceleration);
  } else if constexpr (kernels::Recordable<F>) {
    typename kernels::Rebound<F, Traced>::Type force{};
    set_numbers(force, own, entry);
    const Moving &A = frame(entry.bodies[0]), &B = frame(entry.bodies[1]);
    Wrench<Traced> on_A{}, on_B{};
    force.wrench(A.pose, A.twist, B.pose, B.twist, time(), on_A, on_B);
    act(entry.bodies[0], on_A);
    act(entry.bodies[1], on_B);
    if constexpr (requires { force.energy(A.pose, B.pose, time()); })
      potential_ += force.energy(A.pose, B.pose, time());
  }
}

// A force whose components are formulas of the state, or that of a motor or damper along the coordinate of a joint.
void BodyBuilder::add_state_force(const StateForce& entry) {
  const auto f = source_.next_formulas(model_.formulas.graph, entry.components, [&](int slot) { return state(slot); });
  const Vec3<Traced> components{{graph_, f[0]}, {graph_, f[1]}, {graph_, f[2]}};
  const Vec3<Traced> at = source_.next_three();
  if (entry.joint >= 0) {
    const auto found = std::find_if(measured_.begin(), measured_.end(),
                                    [&](const Measured& joint) { return joint.joint == entry.joint; });
    for (size_t i = 0; i < forces_.size(); ++i) forces_[i] += Traced(graph_, found->row.W[i]) * components.x;
    return;
  }
  const Moving& body = frame(entry.body);
  const bool in_world = entry.frame == ForceFrame::world;
  if (entry.is_torque)
    act(entry.body, {{}, in_world ? transposed_times(body.pose.R, components) : components});
  else
    act(entry.body, wrench_at(body.pose, body.pose.point(at), in_world ? components : body.pose.direction(components)));
}

// What an input of the formulas of the model is here.
Node BodyBuilder::state(int slot) {
  const Formulas& f = model_.formulas;
  const int variables = static_cast<int>(f.body_coordinates.size());
  if (slot == 0) return motion_.t;
  if (slot <= 2 * variables) {
    const auto [body, index] = f.body_coordinates[(slot - 1) % variables];
    return slot <= variables ? motion_.q[bodies_[body].first_q + index] : motion_.u[bodies_[body].first + index];
  }
  const StateInput& input = f.state_inputs[slot - Formulas::first_state_slot];
  if (input.kind == StateInput::Kind::joint)
    return motion_.q[std::find_if(measured_.begin(), measured_.end(), [&](const Measured& joint) {
                       return joint.joint == input.body;
                     })->q];
  const Moving& body = bodies_[input.body];
  switch (input.kind) {
    case StateInput::Kind::velocity:
      return motion_.u[body.first + input.index];
    case StateInput::Kind::rotation:
      return body.pose.R(input.index / 3, input.index % 3).node(graph_);
    case StateInput::Kind::quaternion:
      return motion_.q[body.first_q + 3 + input.index];
    default:
      return motion_.q[body.first_q + input.index];
  }
}

void BodyBuilder::weigh(const Moving& body, const Vec3<Traced>& acceleration) {
  potential_ -= body.mass * dot(acceleration, body.pose.p);
  for (int i = 0; i < body.count; ++i)
    if (body.component[i] < 3) forces_[body.first + i] += body.mass * acceleration[body.component[i]];
}

void BodyBuilder::act(const Attachment& attachment, const Wrench<Traced>& wrench) {
  if (attachment.body < 0) return;
  const Moving& body = bodies_[attachment.body];
  for (int i = 0; i < body.count; ++i) forces_[body.first + i] += wrench[body.component[i]];
}

}  // namespace tappet
