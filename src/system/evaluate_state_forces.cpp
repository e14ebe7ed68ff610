// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <stdexcept>

#include "math/dense.h"
#include "system/evaluator.h"

// Forces and torques on bodies that are formulas of the state. Their components f become a wrench on the body in the
// same way as those of a force that is a formula of t. Only the components themselves have additional derivatives.
namespace tappet {
namespace {

AppliedForce applied_force(const StateForce& force, const double* f) {
  AppliedForce applied;
  for (int i = 0; i < 3; ++i) applied.force.component[i] = TimeFunction(f[i]);
  applied.at = force.at, applied.frame = force.frame;
  return applied;
}
AppliedTorque applied_torque(const StateForce& force, const double* f) {
  AppliedTorque applied;
  for (int i = 0; i < 3; ++i) applied.torque.component[i] = TimeFunction(f[i]);
  applied.frame = force.frame;
  return applied;
}

// Calls `use` with the element that has these components.
template <class Use>
void as_element(const StateForce& force, const double* f, Use&& use) {
  if (force.is_torque)
    use(applied_torque(force, f));
  else
    use(applied_force(force, f));
}

}  // namespace

// Formulas with their inputs in the slots of a StateFormula. The branches of switches are in the slots from
// `first_branch` on before and follow the inputs after.
System::StateInputs System::number_inputs(std::span<Node> formulas, int first_branch, int branches) {
  Graph& graph = model_.formulas.graph;
  std::vector<std::pair<Node, Node>> places;
  StateInputs inputs;
  for (const int slot : graph.input_slots(formulas)) {
    if (slot == FormulaSystem::t_slot() || slot >= first_branch) continue;
    inputs.push_back(state_input(slot));
    places.emplace_back(graph.input(slot), graph.input(static_cast<int>(inputs.size())));
  }
  const int n = static_cast<int>(inputs.size());
  for (int i = 0; i < branches; ++i) places.emplace_back(graph.input(first_branch + i), graph.input(1 + n + i));
  for (Node& f : formulas) f = graph.substitute(f, places);
  return inputs;
}

void System::compile_state_forces() {
  if (model_.state_forces.empty()) return;
  Graph& graph = model_.formulas.graph;
  const int first_branch = Formulas::first_state_slot + static_cast<int>(model_.formulas.state_inputs.size());
  HeldFormulas held(graph, first_branch);
  std::vector<std::array<Node, 3>> held_components;
  for (const StateForce& entry : model_.state_forces) {
    std::array<Node, 3>& components = held_components.emplace_back(entry.components);
    for (Node& f : components) f = held.hold(f);
    list_state_switches(held.switches(), (entry.joint < 0 ? "forces." : "joints.") + entry.name);
  }
  const int switches = static_cast<int>(held.switches().size());
  for (size_t k = 0; k < model_.state_forces.size(); ++k) {
    const StateForce& entry = model_.state_forces[k];
    StateForceLayout force;
    force.index = static_cast<int>(k);
    if (entry.joint < 0)
      attach({entry.body, Attachment{}}, force);
    else
      attach(model_.joints[entry.joint].bodies, force);
    for (int m = 0; m < static_cast<int>(measured_.size()); ++m)
      if (entry.joint >= 0 && measured_[m].joint == entry.joint) force.measured = m;
    if (force.measured >= 0 && model_.joints[entry.joint].actions.motor == force.index)
      measured_[force.measured].motor = force.index;
    std::array<Node, 3> components = entry.components;
    StateInputs inputs = number_inputs(components, first_branch, 0);
    for (const int c : force.columns) force.touched.push_back(c);
    const auto touch = [&](const StateInputs& some) {
      for (const auto& input : some)
        for (int d = 0; d < std::max(1, input.slopes()); ++d) force.touched.push_back(input.u + d);
    };
    touch(inputs);
    force.formula = StateFormula(graph, components, std::move(inputs));
    if (switches > 0) {
      StateInputs held_inputs = number_inputs(held_components[k], first_branch, switches);
      touch(held_inputs);
      force.held = StateFormula(graph, held_components[k], std::move(held_inputs), switches);
    }
    std::sort(force.touched.begin(), force.touched.end());
    force.touched.erase(std::unique(force.touched.begin(), force.touched.end()), force.touched.end());
    forces_depend_on_state_ = true;
    forces_are_linear_ = false;
    state_forces_.push_back(std::move(force));
  }
  compile_state_switches(held.switches(), first_branch);
}

// The angle of a joint as it was counted. The formulas that use it do not depend on its exact value, so the velocity
// along which it changes does not matter.
StateFormula::Input System::counted_turns(int joint) const {
  for (const MeasuredJoint& measured : measured_)
    if (measured.joint == joint) return {StateFormula::Input::Kind::position, measured.q, measured.columns[0], 0};
  throw std::logic_error("a formula uses the coordinate of a joint that is not part of the state");
}

StateFormula::Input System::state_input(int slot) const {
  using Kind = StateFormula::Input::Kind;
  const int variables = static_cast<int>(formula_q_.size());
  if (slot <= variables) return {Kind::position, formula_q_[slot - 1], formula_u_[slot - 1], 0};
  if (slot < Formulas::first_state_slot) return {Kind::velocity, 0, formula_u_[slot - 1 - variables], 0};
  const StateInput& input = model_.formulas.state_inputs[slot - Formulas::first_state_slot];
  if (input.kind == StateInput::Kind::joint) return counted_turns(input.body);
  const Body& body = bodies_[input.body];
  switch (input.kind) {
    case StateInput::Kind::position:
      return {Kind::position, body.q + input.index, body.u + input.index, 0};
    case StateInput::Kind::velocity:
      return {Kind::velocity, 0, body.u + input.index, 0};
    case StateInput::Kind::rotation:
      return {Kind::rotation, body.q + 3, body.u + 3, input.index};
    case StateInput::Kind::quaternion:
    case StateInput::Kind::joint:
      break;
  }
  return {Kind::quaternion, body.q + 3, body.u + 3, input.index};
}

// local_ = the wrenches on both frames of a force with these components.
void Evaluator::state_wrench(const System::StateForceLayout& force, double t, const double* f) {
  if (force.measured < 0) {
    as_element(system_.model().state_forces[force.index], f,
               [&](const auto& element) { wrench(element, pair(force, t), {}, local_.data()); });
    return;
  }
  const JointCoordinate& joint = system_.coordinate(system_.measured_joints()[force.measured]);
  tappet::directions(joint, pair(force, t), local_.data(), local_rows_.data());
  for (int i = 0; i < pair_size; ++i) local_[i] *= f[0];
}

// Allocates memory for the one with the most columns.
void Evaluator::make_room_for_state_forces() {
  size_t numbers = 0, inputs = 0, touched = 0;
  for (const System::StateForceLayout& force : system_.state_forces()) {
    numbers = std::max<size_t>(numbers, std::max(force.formula.numbers(), force.held.numbers()));
    inputs = std::max(inputs, std::max(force.formula.inputs().size(), force.held.inputs().size()));
    touched = std::max(touched, force.touched.size());
  }
  if (const int switches = system_.state_switches().size(); switches > 0) {
    state_branches_.assign(switches, 0.0);
    numbers = std::max<size_t>(numbers, system_.state_switches().numbers());
  }
  state_numbers_.resize(numbers), state_slopes_.resize(3 * inputs);
  state_K_.resize(touched * touched), state_C_.resize(touched * touched);
  state_eigenvectors_.resize(2 * touched * touched);
}

double Evaluator::state_force(int index, double t, const Vec& q, const Vec& u) {
  double f[3];
  formula_of(system_.state_forces()[index]).components(t, q, u, state_branches_.data(), f, state_numbers_.data());
  return f[0];
}

void Evaluator::add_state_forces(double t, const Vec& q, const Vec& u, Vec& h) {
  if (system_.state_forces().empty()) return;
  place(q);
  for (const System::StateForceLayout& force : system_.state_forces()) {
    double f[3];
    formula_of(force).components(t, q, u, state_branches_.data(), f, state_numbers_.data());
    state_wrench(force, t, f);
    for (size_t c = 0; c < force.columns.size(); ++c)
      h[force.columns[c]] += system_.pulled(force, static_cast<int>(c), local_.data(), jacobians_.data());
  }
}

// The derivatives by way of the components: state_K_ = (∂h/∂f) (∂f/∂s) ∂s/∂q, and state_C_ the same by u. Both are
// column-major over the velocities that are touched.
void Evaluator::state_force_slopes(const System::StateForceLayout& force, double t, const Vec& q, const Vec& u) {
  const int n = static_cast<int>(force.touched.size());
  std::fill_n(state_K_.data(), n * n, 0.0), std::fill_n(state_C_.data(), n * n, 0.0);
  const StateFormula& formula = formula_of(force);
  const auto& inputs = formula.inputs();
  formula.slopes(t, q, u, state_branches_.data(), state_slopes_.data(), state_numbers_.data());
  const auto number_of = [&](int velocity) {
    return static_cast<int>(std::lower_bound(force.touched.begin(), force.touched.end(), velocity) -
                            force.touched.begin());
  };
  const int components = force.measured < 0 ? 3 : 1;
  for (int k = 0; k < components; ++k) {
    const double unit[3] = {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
    state_wrench(force, t, unit);
    for (size_t c = 0; c < force.columns.size(); ++c) {
      const double lever = system_.pulled(force, static_cast<int>(c), local_.data(), jacobians_.data());
      const int row = number_of(force.columns[c]);
      for (size_t i = 0; i < inputs.size(); ++i) {
        const double slope = lever * state_slopes_[k * inputs.size() + i];
        const int first = number_of(inputs[i].u);
        if (inputs[i].slopes() == 0) state_C_[first * n + row] += slope;
        for (int d = 0; d < inputs[i].slopes(); ++d) state_K_[(first + d) * n + row] += slope * inputs[i].slope(q, d);
      }
    }
  }
}

void Evaluator::add_state_slopes(const System::StateForceLayout& force, double by_q, double by_u,
                                 BlockMatrix& A) const {
  const int n = static_cast<int>(force.touched.size());
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      if (const double value = by_q * state_K_[j * n + i] + by_u * state_C_[j * n + i]; value != 0.0)
        A.add(force.touched[i], force.touched[j], value);
}

void Evaluator::add_state_force_derivatives(double t, const Vec& q, const Vec& u, double by_q, double by_u,
                                            BlockMatrix& A) {
  if (system_.state_forces().empty()) return;
  place(q);
  for (const System::StateForceLayout& force : system_.state_forces()) {
    state_force_slopes(force, t, q, u);
    add_state_slopes(force, by_q, by_u, A);
    double f[3];
    formula_of(force).components(t, q, u, state_branches_.data(), f, state_numbers_.data());
    if (force.measured >= 0) {
      contraction(system_.coordinate(system_.measured_joints()[force.measured]), pair(force, t), f, local_.data());
      pull_back_both(force, local_.data(), block_.data());
      A.add(force.columns, force.columns, block_.data(), by_q);
      continue;
    }
    as_element(system_.model().state_forces[force.index], f, [&](const auto& element) {
      wrench_gradient(element, pair(force, t), {}, local_.data(), local_2_.data());
      for (int e = 0; e < pair_size * pair_size; ++e) local_[e] *= by_q;
      pull_back_both(force, local_.data(), block_.data());
      if (turns(force)) {
        wrench(element, pair(force, t), {}, local_.data());
        add_wrench_curvature(force, q, local_.data(), by_q, block_.data());
      }
    });
    A.add(force.columns, force.columns, block_.data(), 1.0);
  }
}

void Evaluator::add_definite_state_force_derivatives(double t, const Vec& q, const Vec& u, double by_q, double by_u,
                                                     BlockMatrix& A) {
  if (system_.state_forces().empty()) return;
  place(q);
  for (const System::StateForceLayout& force : system_.state_forces()) {
    const int n = static_cast<int>(force.touched.size());
    state_force_slopes(force, t, q, u);
    dense::make_negative(state_K_.data(), n, false, state_eigenvectors_.data());
    dense::make_negative(state_C_.data(), n, true, state_eigenvectors_.data());
    add_state_slopes(force, by_q, by_u, A);
  }
}

}  // namespace tappet
