// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "batch/equations/equations.h"
#include "batch/equations/number_source.h"

namespace tappet {

// Records the equations of motion of a model of bodies. The coordinates of all bodies stand one after the other.
// Each part of a model has a file of its own: moving_bodies.cpp, measured_joints.cpp, joints.cpp, contacts.cpp,
// forces.cpp.
class BodyBuilder {
 public:
  BodyBuilder(const System& system, const std::vector<KeptParameters::TimeFormula>& times, const BodyNumbers& numbers,
              const std::vector<bool>& varies, BatchEquations& out)
      : system_(system),
        model_(system.model()),
        times_(times),
        out_(out),
        graph_(out.graph),
        source_(graph_, numbers, varies, out.parameters) {}

  RecordedMotion build();

 private:
  struct Moving {
    Pose<Traced> pose;
    // The same after a small displacement, of which only the first order is right. Its six numbers are inputs.
    Pose<Traced> displaced;
    Twist<Traced> twist;
    Traced mass;
    int first = 0, count = 0;        // of its velocities
    int first_q = 0;                 // of its positions
    std::array<int, 6> component{};  // of the twist, by velocity
    std::array<Node, 6> small{};     // the displacement, by velocity
  };

  void add_bodies();
  template <class E>
  void add_body(const E& element);
  void add_inertia(const Moving& body, const Mat3<Traced>& inertia);
  // Records q ⊕ u, and the rates of q.
  template <class E>
  void displace(const Moving& body, const Traced* q);

  // The coordinate of a joint with limits, friction or a motor, as System::MeasuredJoint.
  struct Measured {
    int joint;  // into Model::joints
    int q;      // its place among the positions
    Traced position;
    RecordedRow row;
    std::optional<std::array<Traced, 3>> limits;  // from, to, restitution
    Traced dry = 0.0;                             // the bound of its friction
    int pad_q = -1, pad_u = -1;                   // of the pad that the friction acts on (System::Pad)
  };

  void add_measured_joints();
  void add_measured(const System::MeasuredJoint& measured);
  void add_pad(Measured& joint, const Traced& mass);
  void add_stops_and_friction(const Measured& joint);

  void add_joints();
  template <class J>
  void add_joint(const J& own, const JointEntry& entry);
  template <class J>
  void add_velocity_joint(const J& own, const Entry<VelocityJointVariant>& entry);

  void add_contacts();
  template <class C>
  void add_contact(const C&, const ContactEntry& entry);

  void add_forces();
  template <class F>
  void add_force(const F& own, const Entry<ForceVariant>& entry);
  void add_state_force(const StateForce& entry);
  Node state(int slot);
  void weigh(const Moving& body, const Vec3<Traced>& acceleration);
  void act(const Attachment& attachment, const Wrench<Traced>& wrench);

  const Moving& frame(const Attachment& attachment) const {
    return attachment.body < 0 ? ground_ : bodies_[attachment.body];
  }
  bool in_plane(const std::array<Attachment, 2>& bodies) const;
  Traced time() { return {graph_, motion_.t}; }
  // Sets the numbers of an element, and its functions of time, which are those of `own`.
  template <class E, class Own, class OfModel>
  void set_numbers(E& element, Own own, const OfModel& entry);
  // The row of a position that was recorded with the displaced poses of two bodies.
  RecordedRow row_of_position(Node position, const std::array<Attachment, 2>& bodies);
  // The row of a velocity that is linear in u.
  RecordedRow row_of(const Traced& rate, const Traced& chi);
  // The formula without the small displacements.
  Node at_rest(Node f);

  static constexpr int first_small = 1 << 20;  // the slot of the first small displacement

  const System& system_;
  const Model& model_;
  const std::vector<KeptParameters::TimeFormula>& times_;
  BatchEquations& out_;
  Graph& graph_;
  NumberSource source_;
  RecordedMotion motion_;
  std::vector<Moving> bodies_;
  const Moving ground_{};
  std::vector<Measured> measured_;
  std::vector<Node> joint_positions_;  // after a displacement
  std::vector<Traced> pad_masses_;
  Traced kinetic_ = 0.0, potential_ = 0.0;
  std::vector<Traced> M_, forces_;  // M column by column
};

template <class E, class Own, class OfModel>
void BodyBuilder::set_numbers(E& element, Own own, const OfModel& entry) {
  SourceNumbers numbers(source_, in_plane(entry.bodies));
  kernels::ListNumbers list(in_plane(entry.bodies));
  element.numbers(numbers);
  own.numbers(list);
  for (size_t i = 0; i < list.drives.size(); ++i) {
    source_.next_form();
    if (list.drives[i].function.is_constant()) continue;
    const auto& formula = formula_of(list.drives[i].function, times_);
    const auto copied = source_.next_formulas(formula.graph, {&formula.f, 1}, [&](int) { return motion_.t; });
    numbers.drives[i]->value = {graph_, copied[0]};
  }
}

}  // namespace tappet
