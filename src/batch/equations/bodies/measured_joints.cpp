// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numbers>

#include "batch/equations/bodies/body_builder.h"
#include "elements/contacts/contact_rows.h"

namespace tappet {

namespace {

// As JointCoordinate::position.
Traced joint_coordinate(const JointCoordinate& coordinate, const AttachedOf<Traced>& at, const Pose<Traced>& A,
                        const Pose<Traced>& B) {
  Traced g;
  const RecordedDrive none;
  if (coordinate.slides) {
    at.driven_slide(A, B, none, Traced(0.0), &g);
    return g;
  }
  if (at.planar) {
    at.driven_turn(A, B, none, Traced(0.0), &g);
    return g;
  }
  const Vec3<Traced> x = B.direction(at.triad_B.x), y = B.direction(at.triad_B.y);
  const Vec3<Traced> rest_x = A.direction(at.triad_A.x), rest_y = A.direction(at.triad_A.y);
  return atan2(dot(x, rest_y) - dot(y, rest_x), dot(x, rest_x) + dot(y, rest_y));
}

}  // namespace

// Coordinates of joints follow those of all bodies, and pads come last.
void BodyBuilder::add_measured_joints() {
  for (const System::MeasuredJoint& joint : system_.measured_joints()) add_measured(joint);
  motion_.displaced.insert(motion_.displaced.end(), joint_positions_.begin(), joint_positions_.end());
  auto mass = pad_masses_.begin();
  for (Measured& joint : measured_)
    if (!known_zero(joint.dry)) add_pad(joint, *mass++);
}

void BodyBuilder::add_measured(const System::MeasuredJoint& measured) {
  const JointEntry& entry = model_.joints[measured.joint];
  Measured joint{.joint = measured.joint, .q = measured.q};
  AttachedOf<Traced> attached;
  SourceNumbers numbers(source_, in_plane(entry.bodies));
  attached.numbers(numbers);
  const Moving &A = frame(entry.bodies[0]), &B = frame(entry.bodies[1]);
  const JointCoordinate& coordinate = entry.actions.coordinate;
  joint.row =
      row_of_position(joint_coordinate(coordinate, attached, A.displaced, B.displaced).node(graph_), entry.bodies);
  const Traced counted(graph_, motion_.q[joint.q]);
  const auto near = [&](const Traced& value, const Traced& reference) {
    if (!coordinate.counts_turns()) return value;
    const double turn = 2.0 * std::numbers::pi;
    const Traced turns = (reference - value) / turn + 0.5;
    return value + turn * Traced(graph_, graph_.unary(Operation::floor, turns.node(graph_)));
  };
  const Traced now(graph_, joint.row.value);
  joint.position = near(now, counted);
  std::vector<std::pair<Node, Node>> places;
  for (size_t i = 0; i < motion_.displaced.size(); ++i) places.emplace_back(motion_.q[i], motion_.displaced[i]);
  const Traced turned =
      counted - dot(attached.triad_A.z, A.twist.w) + dot(attached.triad_B.z, B.twist.w);  // twists are displacements
  joint_positions_.push_back(near({graph_, graph_.substitute(joint.row.value, places)}, turned).node(graph_));
  out_.q_start.push_back(graph_.constant(0.0));
  if (source_.next_form()) joint.limits = {source_.next(), source_.next(), source_.next()};
  if (source_.next_form()) joint.dry = source_.next(), pad_masses_.push_back(source_.next());
  measured_.push_back(std::move(joint));
}

// The velocity of its own across the joint, and what presses the pad on.
void BodyBuilder::add_pad(Measured& joint, const Traced& mass) {
  joint.pad_q = static_cast<int>(out_.q_start.size()), joint.pad_u = static_cast<int>(out_.u_start.size());
  const int n = motion_.velocities();
  const Traced u(graph_, motion_.u[joint.pad_u]);
  out_.q_start.push_back(graph_.constant(0.0)), out_.u_start.push_back(graph_.constant(0.0));
  motion_.displaced.push_back(motion_.u[joint.pad_u]);
  motion_.tangents.push_back({{motion_.q[joint.pad_q], graph_.constant(1.0)}});
  M_[joint.pad_u * n + joint.pad_u] = mass;
  forces_[joint.pad_u] -= joint.dry;
  kinetic_ += 0.5 * mass * u * u;
}

// Its stops and its friction.
void BodyBuilder::add_stops_and_friction(const Measured& joint) {
  const JointEntry& entry = model_.joints[joint.joint];
  const auto add = [&](const std::string& name, RecordedMotion::Contact rows, const Traced& e_N, double mu) {
    motion_.contacts.push_back(std::move(rows));
    BatchEquations::BatchContact own{
        .name = entry.name + name, .pressed = joint.pad_u >= 0 && mu > 0, .place = entry.place};
    own.e_N = e_N.node(graph_), own.e_F = graph_.constant(0.0), own.mu = graph_.constant(mu);
    out_.contacts.push_back(own);
  };
  for (int i = 0; i < 2 && joint.limits; ++i) {
    const double sign = i == 0 ? 1.0 : -1.0;
    RecordedRow gap = joint.row;
    for (Node& w : gap.W) w = graph_.multiply(graph_.constant(sign), w);
    gap.value = (sign * (joint.position - (*joint.limits)[i])).node(graph_);
    add(i == 0 ? ".from" : ".to", {gap, {}}, (*joint.limits)[2], 0.0);
  }
  if (joint.pad_u < 0) return;
  RecordedRow normal{std::vector<Node>(motion_.velocities(), graph_.constant(0.0)), graph_.constant(0.0)};
  normal.W[joint.pad_u] = graph_.constant(1.0);
  normal.value = graph_.min(graph_.constant(0.0), motion_.q[joint.pad_q]);
  RecordedRow slip = joint.row;
  slip.value = -1;
  add(".friction", {normal, {slip}}, Traced(0.0), 1.0);
}

}  // namespace tappet
