// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "elements/derive.h"
#include "kernels/choose.h"
#include "model/formula_system.h"
#include "system/system.h"

namespace tappet {

namespace {

// A displacement in no special direction. It distinguishes rows that vanish identically from rows that happen to be
// zero.
Twist<double> general_displacement(const Frame& frame, double sign) {
  Twist<double> w;
  double step = 0.137 * sign;
  for (int c : frame.component)
    if (c >= 0) w[c] = step, step *= -1.3;
  return w;
}

// Whether a rigid body has three equal moments of inertia, up to a share of them. If they are exactly equal,
// ω × Jω = 0 for every ω.
bool is_round(const BodyVariant& body, double rounding = 0.0) {
  const auto* rigid = std::get_if<RigidBody>(&body);
  if (!rigid) return false;
  const Mat3d& J = rigid->inertia;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (!(std::abs(J(i, j) - (i == j ? J(0, 0) : 0.0)) <= rounding * J(0, 0))) return false;
  return true;
}

}  // namespace

Pose<double> System::pose_of(const Frame& frame, const double* q) const {
  if (frame.body < 0) return {};
  const double* own = q + bodies_[frame.body].q;
  return std::visit(
      [&]<class Element>(const Element& element) {
        if constexpr (FlexibleBody<Element>)
          return element.node_pose(frame.node, own);
        else
          return element.pose(own);
      },
      model_.bodies[frame.body].element);
}

void System::jacobian_of(const Frame& frame, const double* q, double* jacobians) const {
  if (frame.jacobian < 0) return;
  std::visit(
      [&]<class Element>(const Element& element) {
        if constexpr (FlexibleBody<Element>)
          element.node_jacobian(frame.node, q + bodies_[frame.body].q, jacobians + frame.jacobian);
      },
      model_.bodies[frame.body].element);
}

int System::frame_of(const Attachment& attachment) const {
  if (attachment.body < 0) return 0;
  const Body& body = bodies_[attachment.body];
  return body.frame + (attachment.node < 0 ? body.frames + attachment.node : attachment.node);
}

bool System::is_planar(const std::array<Attachment, 2>& bodies) const {
  for (const Attachment& a : bodies)
    if (a.body >= 0 && !std::visit([](const auto& e) { return e.is_planar; }, model_.bodies[a.body].element))
      return false;
  return true;
}

void System::attach(const std::array<Attachment, 2>& bodies, PairLayout& layout) const {
  for (int side = 0; side < 2; ++side) {
    layout.frames[side] = frame_of(bodies[side]);
    const Frame& frame = frames_[layout.frames[side]];
    layout.columns.append(frame.columns);
    for (signed char component : frame.component)
      layout.component.push_back(static_cast<signed char>(component < 0 ? -1 : 6 * side + component));
    if (side == 0) layout.columns_A = static_cast<int>(layout.columns.size());
  }
}

Pair System::pair_at(const PairLayout& layout, const Vec& q) const {
  const Frame &A = frames_[layout.frames[0]], &B = frames_[layout.frames[1]];
  return {pose_of(A, q.data()), pose_of(B, q.data()), 0.0, A.body >= 0, B.body >= 0};
}

void System::compile_formulas() {
  Formulas& f = model_.formulas;
  if (formula_q_.empty()) return;
  const FormulaSystem system = formula_system(f);
  try {
    formulas_ = std::make_unique<FormulaMechanics>(f.graph, system);
    compile_switches(system);
  } catch (const MechanicsError& error) {
    throw located(error);
  }
  mass_is_constant_ = formulas_->mass_is_constant();
  forces_depend_on_state_ = formulas_->forces_depend_on_q() || formulas_->forces_depend_on_u();
  forces_are_linear_ = !forces_depend_on_state_;

  auto columns = [&](int block, Constraint& constraint) {
    constraint.rows = formulas_->rows(block);
    for (int v : formulas_->columns(block)) constraint.columns.push_back(formula_u_[v]);
    directions_are_constant_ = directions_are_constant_ && formulas_->directions_are_constant(block);
  };
  for (int k = 0; k < formulas_->joints(); ++k) {
    Constraint joint;
    joint.details = details(f.joints[k].name, f.joints[k].place);
    joint.source = Constraint::Source::formula_joint, joint.index = k;
    joint.position_level = !f.joints[k].velocity_level;
    columns(k, joint);
    add_joint(std::move(joint));
  }
  for (int k = 0; k < formulas_->contacts(); ++k) {
    Contact contact;
    contact.details = details(f.contacts[k].name, f.contacts[k].place);
    contact.law = &f.contacts[k].law;
    contact.source = Constraint::Source::formula_contact, contact.index = formulas_->joints() + k;
    columns(contact.index, contact);
    named_contacts_.push_back(std::move(contact));
  }
}

ModelError System::located(const MechanicsError& error) const {
  const Formulas& f = model_.formulas;
  switch (error.part) {
    case MechanicsError::Part::joint:
      return {model_.file, f.joints[error.index].place, "joints." + f.joints[error.index].name, error.what()};
    case MechanicsError::Part::contact:
      return {model_.file, f.contacts[error.index].place, "contacts." + f.contacts[error.index].name, error.what()};
    case MechanicsError::Part::kinetic:
      return {model_.file, f.energy_place, "lagrangian.kinetic", error.what()};
    case MechanicsError::Part::potential:
      return {model_.file, f.energy_place, "lagrangian.potential", error.what()};
    case MechanicsError::Part::mass:
      return {model_.file, f.energy_place, "mass", error.what()};
    default:
      return {model_.file, f.forces_place, "forces", error.what()};
  }
}

Constraint::Details* System::details(std::string name, Place place, std::vector<int> kept) {
  return &details_.emplace_back(Constraint::Details{std::move(name), place, std::move(kept), {}});
}

kernels::Family System::family(const std::array<Attachment, 2>& bodies) const {
  const auto kind = [&](const Attachment& a) {
    if (a.body < 0) return kernels::Kind::ground;
    return std::holds_alternative<PlanarBody>(model_.bodies[a.body].element) ? kernels::Kind::planar
                                                                             : kernels::Kind::spatial;
  };
  return {kind(bodies[0]), kind(bodies[1])};
}

template <class Kernel>
void System::use(const kernels::Choice<Kernel>& choice, const PairLayout& layout, KernelUse<Kernel>& use) {
  if (!choice.kernel) return;
  use.functions = choice.kernel;
  use.numbers = static_cast<int>(kernel_numbers_.size()), use.count = static_cast<int>(choice.numbers.size());
  use.direct = std::equal(layout.component.begin(), layout.component.end(), choice.kernel->columns.begin(),
                          choice.kernel->columns.end());
  kernel_numbers_.insert(kernel_numbers_.end(), choice.numbers.begin(), choice.numbers.end());
  for (const auto& [number, function] : choice.drives)
    if (!function.is_constant()) kernel_drives_.push_back({use.numbers + number, function});
}

template void System::use(const kernels::Choice<kernels::RowKernel>&, const PairLayout&,
                          KernelUse<kernels::RowKernel>&);

void System::add_joint(Constraint joint) {
  joint.row = joint_rows_;
  joint_rows_ += joint.rows;
  joints_.push_back(std::move(joint));
}

// The rows of a joint that do not vanish identically between these bodies.
template <class Element>
std::vector<int> System::moving_rows(const Element& element, const Pair& start, const Constraint& joint) const {
  const int rows = element.rows();
  std::vector<double> W(rows * pair_size), chi(rows), g(rows);
  std::vector<char> moving(rows, 0);
  std::vector<double> J(jacobian_size_);
  for (const int f : joint.frames) jacobian_of(frames_[f], initial_.q.data(), J.data());
  for (double sign : {0.0, 1.0, -1.0}) {
    Pair at = start;
    at.A = displaced(at.A, general_displacement(frames_[joint.frames[0]], sign));
    at.B = displaced(at.B, general_displacement(frames_[joint.frames[1]], 0.7 * sign));
    directions(element, at, W.data(), chi.data());
    if constexpr (requires { value(element, at, g.data()); })
      if (sign == 0.0) value(element, at, g.data());
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < static_cast<int>(joint.columns.size()); ++c)
        moving[r] |= std::abs(pulled(joint, c, W.data() + r * pair_size, J.data())) > 1e-14;
      moving[r] |= std::abs(g[r]) > consistent;
    }
  }
  std::vector<int> kept;
  for (int r = 0; r < rows; ++r)
    if (moving[r]) kept.push_back(r);
  return kept;
}

template <class Entries>
void System::compile_joints(Entries& entries, Constraint::Source source) {
  for (size_t k = 0; k < entries.size(); ++k) {
    auto& entry = entries[k];
    Constraint joint;
    joint.source = source, joint.index = static_cast<int>(k);
    joint.position_level = source == Constraint::Source::joint;
    attach(entry.bodies, joint);
    const Pair start = initial_pair(joint);
    std::visit(
        [&](auto& element) {
          element.attach(start.A, start.B, is_planar(entry.bodies));
          auto* own = details(entry.name, entry.place, moving_rows(element, start, joint));
          joint.details = own;
          kernels::Choice<kernels::RowKernel> choice = kernels::choose_joint(element, family(entry.bodies));
          // A row that the kernel leaves out and that still says something: the joint does not hold at the start.
          for (int r : own->kept)
            if (choice.kernel && std::count(choice.kernel->rows.begin(), choice.kernel->rows.end(), r) == 0)
              choice = {};
          use(choice, joint, own->kernel);
          own->kernel.direct = own->kernel.direct && std::equal(own->kept.begin(), own->kept.end(),
                                                                choice.kernel->rows.begin(), choice.kernel->rows.end());
        },
        entry.element);
    joint.rows = static_cast<int>(joint.details->kept.size());
    add_joint(std::move(joint));
  }
}

void System::compile_joints() {
  compile_joints(model_.joints, Constraint::Source::joint);
  compile_joints(model_.velocity_joints, Constraint::Source::velocity_joint);
}

void System::find_round_bodies() {
  constexpr double rounding = 1e-12;
  is_round_.clear();
  for (const BodyEntry& body : model_.bodies) is_round_.push_back(is_round(body.element, rounding));
}

Law::Balls System::balls(const std::array<Attachment, 2>& bodies, std::array<bool, 2> through_origins,
                         const ContactLaw& law) const {
  if (law.rows() != 3 || law.mu[0] != law.mu[1] || bodies[0].body < 0) return {};
  const auto is_ball = [&](int side) {
    return through_origins[side] && bodies[side].body >= 0 && is_round_[bodies[side].body];
  };
  return {is_ball(0), is_ball(1)};
}

void System::compile_contacts() {
  find_round_bodies();
  for (size_t k = 0; k < model_.contacts.size(); ++k) {
    ContactEntry& entry = model_.contacts[k];
    entry.law.resolve(is_planar(entry.bodies));
    Contact contact;
    auto* own = details(entry.name, entry.place);
    contact.details = own;
    contact.law = &entry.law;
    contact.source = Constraint::Source::contact, contact.index = static_cast<int>(k);
    attach(entry.bodies, contact);
    const Pair start = initial_pair(contact);
    std::visit(
        [&](auto& element) {
          element.attach(start.A, start.B, is_planar(entry.bodies));
          const auto choice = kernels::choose_contact(element, entry.law, family(entry.bodies));
          use(choice, contact, own->kernel);
          own->kernel.direct = own->kernel.direct && static_cast<int>(choice.kernel->rows.size()) == entry.law.rows();
        },
        entry.element);
    contact.rows = entry.law.rows();
    std::visit(
        [&](const auto& element) {
          if constexpr (requires { element.through_origins(); })
            contact.balls = balls(entry.bodies, element.through_origins(), entry.law);
        },
        entry.element);
    named_contacts_.push_back(std::move(contact));
  }
  directions_are_constant_ = directions_are_constant_ && model_.joints.empty() && model_.velocity_joints.empty();
  for (const auto& entry : model_.contacts) {  // bodies that cannot turn, against a plane of the ground
    const auto [a, b] = entry.bodies;
    const bool turns = a.body < 0 || !(std::holds_alternative<PointBody>(model_.bodies[a.body].element) ||
                                       std::holds_alternative<ElasticBar>(model_.bodies[a.body].element));
    directions_are_constant_ =
        directions_are_constant_ && b.body < 0 && !turns && std::holds_alternative<PointPlane>(entry.element);
  }
}

void System::compile_forces() {
  for (size_t k = 0; k < model_.forces.size(); ++k) {
    auto& entry = model_.forces[k];
    std::visit(
        [&](auto& element) {
          if constexpr (std::is_same_v<std::decay_t<decltype(element)>, Gravity>) {
            for (int b = 0; b < static_cast<int>(bodies_.size()); ++b)
              if (entry.targets.empty() ||
                  std::find(entry.targets.begin(), entry.targets.end(), b) != entry.targets.end())
                weights_.push_back({static_cast<int>(k), b});
            largest_gravity_ += norm(element.acceleration);
          } else {
            Force force;
            force.index = static_cast<int>(k);
            attach(entry.bodies, force);
            const Pair start = initial_pair(force);
            element.attach(start.A, start.B, is_planar(entry.bodies));
            use(kernels::choose_force(element, family(entry.bodies)), force, force.kernel);
            forces_depend_on_state_ = true;
            forces_are_linear_ = false;
            forces_.push_back(std::move(force));
          }
        },
        entry.element);
  }
  for (const BodyEntry& body : model_.bodies)
    if (!std::holds_alternative<PointBody>(body.element) && !std::holds_alternative<PlanarBody>(body.element) &&
        !is_round(body.element)) {
      forces_depend_on_state_ = true;  // gyroscopic or elastic
      forces_are_linear_ = forces_are_linear_ && std::holds_alternative<ElasticBar>(body.element);
    }
}

}  // namespace tappet
