// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <optional>

#include "batch/equations/complete_equations.h"
#include "batch/equations/number_source.h"
#include "elements/contacts/contact_rows.h"
#include "kernels/recordable.h"
#include "model/kept.h"
#include "system/state_names.h"

namespace tappet {

namespace {

// A model of bodies: the coordinates of all of them, one after the other.
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

  RecordedMotion build() {
    for (const Parameter& p : model_.parameters) out_.parameter_names[p.name] = source_.next().node(graph_);
    out_.q_names = q_names(model_), out_.u_names = u_names(model_);
    for (std::string& name : out_.u_names)  // a velocity that is the rate of a position has its name
      if (std::find(out_.q_names.begin(), out_.q_names.end(), name) != out_.q_names.end()) name += "'";
    const int q_size = static_cast<int>(out_.q_names.size()), n = static_cast<int>(out_.u_names.size());
    motion_.t = graph_.input(0);
    for (int i = 0; i < q_size; ++i) motion_.q.push_back(graph_.input(1 + i));
    for (int i = 0; i < n; ++i) motion_.u.push_back(graph_.input(1 + q_size + i));
    M_.resize(n * n);
    forces_.resize(n);
    for (const BodyEntry& body : model_.bodies)
      std::visit([&](const auto& element) { add_body(element); }, body.element);
    for (const System::MeasuredJoint& joint : system_.measured_joints()) add_measured(joint);
    add_joint_positions();
    for (const JointEntry& joint : model_.joints)
      std::visit([&](const auto& element) { add_joint(element, joint); }, joint.element);
    for (const auto& joint : model_.velocity_joints)
      std::visit([&](const auto& element) { add_velocity_joint(element, joint); }, joint.element);
    for (const ContactEntry& contact : model_.contacts)
      std::visit([&](const auto& element) { add_contact(element, contact); }, contact.element);
    for (const Measured& joint : measured_) add_contacts(joint);
    for (const auto& force : model_.forces)
      std::visit([&](const auto& element) { add_force(element, force); }, force.element);
    for (const StateForce& force : model_.state_forces) add_state_force(force);
    motion_.kinetic = kinetic_.node(graph_);
    motion_.potential = potential_.node(graph_);
    for (const Traced& entry : M_) motion_.M.push_back(entry.node(graph_));
    for (const Traced& force : forces_) motion_.h.push_back(force.node(graph_));
    return std::move(motion_);
  }

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

  template <class E>
  void add_body(const E&) {
    if constexpr (std::is_same_v<E, PlanarBody> || std::is_same_v<E, PointBody> || std::is_same_v<E, RigidBody>) {
      Moving body;
      const int first_q = static_cast<int>(out_.q_start.size());
      body.first = static_cast<int>(out_.u_start.size()), body.count = E::nu, body.first_q = first_q;
      body.mass = source_.next();
      Mat3<Traced> inertia;
      if constexpr (std::is_same_v<E, PlanarBody>) inertia.z.z = source_.next();
      if constexpr (std::is_same_v<E, RigidBody>)
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j <= i; ++j) inertia(i, j) = inertia(j, i) = source_.next();
      Traced q[E::nq];
      for (int i = 0; i < E::nq; ++i) q[i] = {graph_, motion_.q[first_q + i]};
      for (int i = 0; i < E::nq; ++i) out_.q_start.push_back(source_.next().node(graph_));
      Twist<Traced> small{};
      for (int i = 0; i < E::nu; ++i) {
        body.component[i] = E::twist[i];
        body.twist[E::twist[i]] = {graph_, motion_.u[body.first + i]};
        body.small[i] = graph_.input(first_small + body.first + i);
        small[E::twist[i]] = {graph_, body.small[i]};
        out_.u_start.push_back(source_.next().node(graph_));
      }
      body.pose = E::pose(q);
      body.displaced = {body.pose.p + small.v, body.pose.R + body.pose.R * hat(small.w), body.pose.phi + small.w.z};
      add_inertia(body, inertia);
      displace<E>(body, q);
      bodies_.push_back(body);
    }
  }

  void add_inertia(const Moving& body, const Mat3<Traced>& inertia) {
    const int n = motion_.velocities();
    const Vec3<Traced>& w = body.twist.w;
    const Vec3<Traced> momentum = inertia * w, moment = cross(momentum, w);
    for (int i = 0; i < body.count; ++i)
      for (int j = 0; j < body.count; ++j) {
        const int a = body.component[i], b = body.component[j];
        const Traced zero = 0.0;
        M_[(body.first + j) * n + body.first + i] = a >= 3 && b >= 3 ? inertia(a - 3, b - 3)
                                                    : a == b         ? body.mass
                                                                     : zero;
      }
    for (int i = 0; i < body.count; ++i)
      if (body.component[i] >= 3) forces_[body.first + i] += moment[body.component[i] - 3];
    kinetic_ += 0.5 * (body.mass * dot(body.twist.v, body.twist.v) + dot(w, momentum));
  }

  // q ⊕ u, and the rates of q.
  template <class E>
  void displace(const Moving& body, const Traced* q) {
    const int first_q = static_cast<int>(out_.q_start.size()) - E::nq;
    const Vec3<Traced>& w = body.twist.w;
    for (int i = 0; i < E::nu; ++i) motion_.tangents.emplace_back();
    const int straight = std::is_same_v<E, RigidBody> ? 3 : E::nq;
    for (int i = 0; i < straight; ++i) {
      motion_.displaced.push_back((q[i] + Traced(graph_, motion_.u[body.first + i])).node(graph_));
      motion_.tangents[body.first + i].emplace_back(motion_.q[first_q + i], graph_.constant(1.0));
    }
    if constexpr (std::is_same_v<E, RigidBody>) {
      const Quat<Traced> before{q[3], q[4], q[5], q[6]}, after = normalized(before * exponential(w));
      for (const Traced& x : {after.w, after.x, after.y, after.z}) motion_.displaced.push_back(x.node(graph_));
      for (int i = 0; i < 3; ++i) {
        Vec3<Traced> half{};
        half[i] = 0.5;
        const Quat<Traced> rate = before * Quat<Traced>{0.0, half.x, half.y, half.z};
        int k = first_q + 3;
        for (const Traced& x : {rate.w, rate.x, rate.y, rate.z})
          motion_.tangents[body.first + 3 + i].emplace_back(motion_.q[k++], x.node(graph_));
      }
    }
  }

  // The rotation by |w| about w, as exp_map() of tappet/pose.h. Both parts have a series near zero, so that their
  // derivatives exist there, too.
  static Quat<Traced> exponential(const Vec3<Traced>& w) {
    const Traced angle2 = dot(w, w), near = less(angle2, 1e-6), angle = sqrt(select(near, 1.0, angle2));
    const Traced s = select(near, 0.5 - angle2 / 48.0 + angle2 * angle2 / 3840.0, sin(0.5 * angle) / angle);
    const Traced c = select(near, 1.0 - angle2 / 8.0 + angle2 * angle2 / 384.0, cos(0.5 * angle));
    return {c, s * w.x, s * w.y, s * w.z};
  }

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

  void add_measured(const System::MeasuredJoint& measured) {
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

  // As JointCoordinate::position.
  static Traced joint_coordinate(const JointCoordinate& coordinate, const AttachedOf<Traced>& at, const Pose<Traced>& A,
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

  // Coordinates of joints follow those of all bodies, and pads come last.
  void add_joint_positions() {
    motion_.displaced.insert(motion_.displaced.end(), joint_positions_.begin(), joint_positions_.end());
    auto mass = pad_masses_.begin();
    for (Measured& joint : measured_)
      if (!known_zero(joint.dry)) add_pad(joint, *mass++);
  }

  // The velocity of its own across the joint, and what presses the pad on.
  void add_pad(Measured& joint, const Traced& mass) {
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
  void add_contacts(const Measured& joint) {
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

  const Moving& frame(const Attachment& attachment) const {
    return attachment.body < 0 ? ground_ : bodies_[attachment.body];
  }
  bool in_plane(const std::array<Attachment, 2>& bodies) const {
    return std::all_of(bodies.begin(), bodies.end(), [&](const Attachment& a) {
      return a.body < 0 || std::holds_alternative<PlanarBody>(model_.bodies[a.body].element);
    });
  }

  // Sets the numbers of an element, and its functions of time, which are those of `own`.
  template <class E, class Own, class OfModel>
  void set_numbers(E& element, Own own, const OfModel& entry) {
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

  template <class J>
  void add_joint(const J& own, const JointEntry& entry) {
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
  void add_velocity_joint(const J& own, const Entry<VelocityJointVariant>& entry) {
    if constexpr (kernels::Recordable<J>) {
      typename kernels::Rebound<J, Traced>::Type joint{};
      set_numbers(joint, own, entry);
      const Moving &A = frame(entry.bodies[0]), &B = frame(entry.bodies[1]);
      std::vector<Traced> gamma(joint.rows());
      joint.velocity(A.pose, A.twist, B.pose, B.twist, time(), gamma.data());
      for (const Traced& rate : gamma) motion_.joints.push_back(row_of(rate, Traced(0.0)));
    }
  }

  Traced time() { return {graph_, motion_.t}; }

  // The row of a position that was recorded with the displaced poses of two bodies.
  RecordedRow row_of_position(Node position, const std::array<Attachment, 2>& bodies) {
    RecordedRow row{std::vector<Node>(motion_.velocities(), graph_.constant(0.0)),
                    at_rest(graph_.derivative(position, motion_.t)), at_rest(position)};
    for (const Attachment& a : bodies)
      for (int i = 0; i < frame(a).count; ++i)
        row.W[frame(a).first + i] = at_rest(graph_.derivative(position, frame(a).small[i]));
    return row;
  }

  // The formula without the small displacements.
  Node at_rest(Node f) {
    std::vector<std::pair<Node, Node>> zeros;
    for (const Moving& body : bodies_)
      for (int i = 0; i < body.count; ++i) zeros.emplace_back(body.small[i], graph_.constant(0.0));
    return graph_.substitute(f, zeros);
  }

  template <class C>
  void add_contact(const C&, const ContactEntry& entry) {
    if constexpr (kernels::Recordable<C>) {
      typename kernels::Rebound<C, Traced>::Type contact{};
      SlipRowsOf<Traced> law;
      SourceNumbers numbers(source_, in_plane(entry.bodies));
      contact.numbers(numbers);
      law.numbers(numbers);
      const Moving &A = frame(entry.bodies[0]), &B = frame(entry.bodies[1]);
      const auto axes = contact_axes(contact, law, A.pose, B.pose, time());
      const Vec3<Traced> approach =
          velocity_at(A.pose, A.twist, axes.touch.point_A) - velocity_at(B.pose, B.twist, axes.touch.point_B);
      RecordedMotion::Contact rows{row_of(dot(axes.e[0], approach), axes.chi), {}};
      rows.gap.value = axes.touch.gap.node(graph_);
      for (int r = 1; r <= std::min(law.count, 2); ++r)
        rows.friction.push_back(row_of(dot(axes.e[r], approach), Traced(0.0)));
      if (law.count == 3)
        rows.friction.push_back(row_of(dot(axes.drill, A.pose.R * A.twist.w - B.pose.R * B.twist.w), Traced(0.0)));
      motion_.contacts.push_back(std::move(rows));
      BatchEquations::BatchContact own{.name = entry.name, .place = entry.place};
      own.e_N = source_.next().node(graph_), own.e_F = source_.next().node(graph_);
      own.mu = source_.next().node(graph_);
      out_.contacts.push_back(own);
    }
  }

  // The row of a velocity that is linear in u.
  RecordedRow row_of(const Traced& rate, const Traced& chi) {
    RecordedRow row{{}, chi.node(graph_)};
    for (Node u : motion_.u) row.W.push_back(graph_.derivative(rate.node(graph_), u));
    return row;
  }

  template <class F>
  void add_force(const F& own, const Entry<ForceVariant>& entry) {
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
  void add_state_force(const StateForce& entry) {
    const auto f =
        source_.next_formulas(model_.formulas.graph, entry.components, [&](int slot) { return state(slot); });
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
      act(entry.body,
          wrench_at(body.pose, body.pose.point(at), in_world ? components : body.pose.direction(components)));
  }

  // What an input of the formulas of the model is here.
  Node state(int slot) {
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

  void weigh(const Moving& body, const Vec3<Traced>& acceleration) {
    potential_ -= body.mass * dot(acceleration, body.pose.p);
    for (int i = 0; i < body.count; ++i)
      if (body.component[i] < 3) forces_[body.first + i] += body.mass * acceleration[body.component[i]];
  }

  void act(const Attachment& attachment, const Wrench<Traced>& wrench) {
    if (attachment.body < 0) return;
    const Moving& body = bodies_[attachment.body];
    for (int i = 0; i < body.count; ++i) forces_[body.first + i] += wrench[body.component[i]];
  }

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

}  // namespace

BatchEquations batch_equations(const System& system, const std::vector<KeptParameters::TimeFormula>& times,
                               const BodyNumbers& numbers, const std::vector<bool>& varies) {
  BatchEquations out;
  complete_equations(BodyBuilder(system, times, numbers, varies, out).build(), out);
  return out;
}

}  // namespace tappet
