// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "system/system.h"

#include <numeric>

#include "system/state_names.h"

namespace tappet {

System::System(Model model) : model_(std::move(model)) {
  lay_out_coordinates();
  compile_formulas();
  compile_joints();
  compile_contacts();
  compile_measured_joints();
  compile_forces();
  list_time_switches();
  compile_state_forces();
  compile_colliders();
  weigh_pads();
  start();
}

void System::lay_out_coordinates() {
  Vec &q = initial_.q, &u = initial_.u;
  auto append = [](Vec& x, double value) { x.resize(x.size() + 1), x[x.size() - 1] = value; };
  for (const Coordinate& c : model_.formulas.coordinates) {
    formula_q_.push_back(q.size());
    formula_u_.push_back(u.size());
    append(q, c.position), append(u, c.velocity);
  }
  bodies_.reserve(model_.bodies.size()), frames_.reserve(model_.bodies.size() + 1);
  frames_.emplace_back();  // the ground
  for (int b = 0; b < static_cast<int>(model_.bodies.size()); ++b)
    std::visit([&](const auto& element) { lay_out(b, element); }, model_.bodies[b].element);
  for (const auto& [body, index] : model_.formulas.body_coordinates) {
    formula_q_.push_back(bodies_[body].q + index);
    formula_u_.push_back(bodies_[body].u + index);
  }
  lay_out_measured_joints();
  q_size_ = q.size();
  u_size_ = u.size();
  formulas_in_place_ = true;  // whether the variables of the formulas are the first coordinates, in order
  for (int i = 0; i < static_cast<int>(formula_q_.size()); ++i)
    formulas_in_place_ = formulas_in_place_ && formula_q_[i] == i && formula_u_[i] == i;
}

template <class Element>
void System::lay_out(int b, const Element& element) {
  constexpr bool flexible = FlexibleBody<Element>;
  Vec &q = initial_.q, &u = initial_.u;
  Body body;
  body.q = q.size(), body.u = u.size(), body.frame = static_cast<int>(frames_.size());
  if constexpr (flexible)
    body.nq = body.nu = element.size(), body.frames = element.nodes();
  else
    body.nq = Element::nq, body.nu = Element::nu;
  if (body.nq > body.nu) rotations_.push_back(body.u + 3);
  q.resize(body.q + body.nq), u.resize(body.u + body.nu);
  element.initial(q.data() + body.q, u.data() + body.u);

  for (int node = 0; node < body.frames; ++node) {
    Frame frame;
    frame.body = b, frame.node = node;
    if constexpr (flexible) {
      for (int c : element.node_columns(node)) frame.columns.push_back(body.u + c);
      for (size_t c = 0; c < frame.columns.size(); ++c) frame.component.push_back(-1);
      frame.jacobian = jacobian_size_;
      frame.turns = TurningNodes<Element> || TurningFrames<Element>;
      jacobian_size_ += 6 * static_cast<int>(frame.columns.size());
    } else {
      for (int c = 0; c < body.nu; ++c) frame.columns.push_back(body.u + c);
      for (int c : Element::twist) frame.component.push_back(static_cast<signed char>(c));
    }
    frames_.push_back(std::move(frame));
  }
  bodies_.push_back(body);
}

std::vector<std::string> System::q_names() const { return tappet::q_names(model_); }
std::vector<std::string> System::u_names() const { return tappet::u_names(model_); }

void System::displace(const Vec& q, const Vec& w, Vec& q1, const Execution& execution) const {
  if (positions_add()) {
    for (int i = 0; i < q_size_; ++i) q1[i] = q[i] + w[i];
    return;
  }
  const int n = static_cast<int>(model_.formulas.coordinates.size());
  for (int i = 0; i < n; ++i) q1[i] = q[i] + w[i];
  parallel_for(execution, static_cast<int>(bodies_.size()), bodies_at_a_time, [&](int first, int last) {
    for (int b = first; b < last; ++b) {
      const Body& body = bodies_[b];
      std::visit(
          [&]<class Element>(const Element& e) {
            if constexpr (FlexibleBody<Element>)
              for (int i = 0; i < body.nq; ++i) q1[body.q + i] = q[body.q + i] + w[body.u + i];
            else
              e.displace(q.data() + body.q, w.data() + body.u, q1.data() + body.q);
          },
          model_.bodies[b].element);
    }
  });
  if (!measured_.empty()) count_turns(q, w, q1);
}

void System::rate(const Vec& q, const Vec& u, Vec& q_dot) const {
  const int n = static_cast<int>(model_.formulas.coordinates.size());
  for (int i = 0; i < n; ++i) q_dot[i] = u[i];
  for (size_t b = 0; b < bodies_.size(); ++b) {
    const Body& body = bodies_[b];
    std::visit(
        [&]<class Element>(const Element& e) {
          if constexpr (FlexibleBody<Element>)
            for (int i = 0; i < body.nq; ++i) q_dot[body.q + i] = u[body.u + i];
          else
            e.rate(q.data() + body.q, u.data() + body.u, q_dot.data() + body.q);
        },
        model_.bodies[b].element);
  }
  for (const MeasuredJoint& joint : measured_) q_dot[joint.q] = joint_speed(joint, q, u);
  for (const Pad& pad : pads_) q_dot[pad.q] = u[pad.u];
}

Coupling System::mass_coupling() const {
  Coupling coupling(u_size_);
  std::vector<int> group(model_.formulas.coordinates.size());
  std::iota(group.begin(), group.end(), 0);
  if (!formulas_ || formulas_->has_all_entries())
    coupling.tie(group);
  else
    tie_formulas(formulas_->mass_entries(), coupling);
  for (size_t b = 0; b < bodies_.size(); ++b) {
    const Body& body = bodies_[b];
    std::visit(
        [&]<class Element>(const Element& element) {
          if constexpr (FlexibleBody<Element>) {
            element.mass([&](int i, int j, double) { coupling.tie(body.u + i, body.u + j); });
          } else {
            group.resize(body.nu);
            std::iota(group.begin(), group.end(), body.u);
            coupling.tie(group);
          }
        },
        model_.bodies[b].element);
  }
  return coupling;
}

void System::tie_formulas(std::span<const MatrixEntry> entries, Coupling& coupling) const {
  for (const auto [i, j] : entries)
    if (i != j) coupling.tie(formula_u_[i], formula_u_[j]);
}

Coupling System::force_coupling() const {
  Coupling coupling = mass_coupling();
  for (size_t b = 0; b < bodies_.size(); ++b)
    std::visit(
        [&]<class Element>(const Element& element) {
          if constexpr (FlexibleBody<Element>)
            element.force_derivatives(initial_.q.data() + bodies_[b].q, initial_.u.data() + bodies_[b].u, 1.0, 1.0,
                                      [&](int i, int j, double) { coupling.tie(bodies_[b].u + i, bodies_[b].u + j); });
        },
        model_.bodies[b].element);
  if (formulas_ && !formulas_->has_all_entries()) {
    tie_formulas(formulas_->stiffness_entries(), coupling);
    tie_formulas(formulas_->damping_entries(), coupling);
    tie_formulas(formulas_->mass_derivative_entries(), coupling);
  } else if (formulas_ && (formulas_->forces_depend_on_q() || formulas_->forces_depend_on_u())) {
    coupling.tie(formula_u_);
  }
  for (const Force& force : forces_) coupling.tie(force.columns);
  for (const StateForceLayout& force : state_forces_) coupling.tie(force.touched);
  return coupling;
}

BlockMatrix System::mass_matrix(const Execution& execution) const {
  return {mass_coupling(), BlockMatrix::Kind::symmetric_positive, execution};
}
BlockMatrix System::iteration_matrix(const Execution& execution) const {
  return {force_coupling(), BlockMatrix::Kind::general, execution};
}

// A kernel knows which entries of ∂(W P)/∂q do not vanish. A hinge between planar bodies, for example, does not couple
// them there.
Coupling System::constrained_coupling() const {
  Coupling coupling = force_coupling();
  const auto tie = [&](const Constraint& c) {
    if (!c.details || !c.details->kernel.direct) return coupling.tie(c.columns);
    for (const auto [i, j] : c.details->kernel.functions->curvature) coupling.tie(c.columns[i], c.columns[j]);
  };
  for (const Constraint& joint : joints_) tie(joint);
  for (const Contact& contact : named_contacts_) tie(contact);
  return coupling;
}

BlockMatrix System::constrained_matrix(const Execution& execution,
                                       std::span<const std::pair<int, int>> touching) const {
  Coupling coupling = constrained_coupling();
  for (const auto& [a, b] : touching)
    for (int i : frames_[a].columns)
      for (int j : frames_[b].columns) coupling.tie(i, j);
  return {coupling, BlockMatrix::Kind::general, execution};
}

}  // namespace tappet
