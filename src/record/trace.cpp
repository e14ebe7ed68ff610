// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "record/trace.h"

#include <algorithm>
#include <cmath>

#include "model/names.h"
#include "record/sampler.h"

namespace tappet {

namespace {

constexpr std::string_view earlier = "last.";

constexpr SampleParts plain = SampleParts::none(), energies{true, false, false, false}, gaps{false, true, false, false},
                      velocities{false, false, true, false}, motion{false, true, true, false},
                      impulses{false, false, false, true};

struct Named {
  std::string_view name;
  double (*value)(const Sample&);
  SampleParts needs = plain;
};

double largest_penetration(const Sample& s) {
  double worst = s.penetration;  // of contacts between colliders
  for (const double g : s.gap) worst = std::max(worst, -g);
  return worst;
}

double largest_joint_residual(const Sample& s) {
  double worst = 0;
  for (const double g : s.joint_residual) worst = std::max(worst, std::abs(g));
  return worst;
}

constexpr Named of_the_step[] = {
    {"t", [](const Sample& s) { return s.t; }},
    {"dt", [](const Sample& s) { return s.dt; }},
    {"kinetic", [](const Sample& s) { return s.kinetic; }, energies},
    {"potential", [](const Sample& s) { return s.potential; }, energies},
    {"energy", [](const Sample& s) { return s.kinetic + s.potential; }, energies},
    {"violation", largest_penetration, gaps},
    {"joint_violation", largest_joint_residual, motion},
    {"newton", [](const Sample& s) { return double(s.newton); }},
    {"index_sets", [](const Sample& s) { return double(s.index_sets); }},
    {"projections", [](const Sample& s) { return double(s.projections); }},
    {"iterations", [](const Sample& s) { return double(s.iterations); }},
    {"residual", [](const Sample& s) { return s.residual; }},
    {"closed", [](const Sample& s) { return double(s.closed); }},
    {"found", [](const Sample& s) { return double(s.found); }},
    {"impulsive", [](const Sample& s) { return double(s.impulsive); }},
    {"unconverged", [](const Sample& s) { return double(s.status != SolveStatus::converged); }},
};

struct Quantity {
  std::string_view name;
  Vec Sample::*values;
  SampleParts needs;
};
constexpr Quantity normal[] = {{"gap", &Sample::gap, gaps},
                               {"gap_velocity", &Sample::gap_velocity, velocities},
                               {"P_N", &Sample::P_N, impulses},
                               {"lambda_N", &Sample::lambda_N, impulses},
                               {"Lambda_N", &Sample::Lambda_N, impulses}};
constexpr Quantity tangential[] = {{"slip_velocity", &Sample::slip_velocity, velocities},
                                   {"P_F", &Sample::P_F, impulses},
                                   {"lambda_F", &Sample::lambda_F, impulses},
                                   {"Lambda_F", &Sample::Lambda_F, impulses}};
constexpr Quantity of_joints[] = {{"residual", &Sample::joint_residual, motion},
                                  {"impulse", &Sample::joint_impulse, impulses}};

constexpr SampleParts motion_of_joints{false, false, true, true};

int index_of(const std::vector<std::string>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

// "P_F2" is component 1 of "P_F". −1 means that it is another name.
int component(std::string_view text, std::string_view quantity) {
  if (!text.starts_with(quantity)) return -1;
  text.remove_prefix(quantity.size());
  if (text.empty()) return 0;
  return text.size() == 1 && text[0] >= '1' && text[0] <= '9' ? text[0] - '1' : -1;
}

}  // namespace

Trace::Value Trace::find(const std::string& name) {
  for (const Named& named : of_the_step)
    if (named.name == name) return needs_ |= named.needs, named.value;
  if (const int i = index_of(layout_.q, name); i >= 0) return [i](const Sample& s) { return s.q[i]; };
  const bool prime = name.ends_with('\'');
  const int i = index_of(layout_.u, prime ? std::string_view(name).substr(0, name.size() - 1) : name);
  if (i >= 0) return [i](const Sample& s) { return s.u[i]; };
  const auto entry = [&](const Quantity& quantity, int row) -> Value {
    needs_ |= quantity.needs;
    return [values = quantity.values, row](const Sample& s) { return (s.*values)[row]; };
  };
  const size_t dot = name.rfind('.');
  if (dot == std::string::npos) return {};
  const std::string owner = name.substr(0, dot), quantity = name.substr(dot + 1);
  for (size_t k = 0; k < layout_.contacts.size(); ++k) {
    const auto& contact = layout_.contacts[k];
    if (contact.name != owner) continue;
    for (const Quantity& q : normal)
      if (q.name == quantity) return entry(q, static_cast<int>(k));
    for (const Quantity& q : tangential)
      if (const int c = component(quantity, q.name); c >= 0 && c < contact.rows) return entry(q, contact.row + c);
  }
  for (const auto& joint : layout_.joints)
    for (const Quantity& q : of_joints)
      if (const int c = component(quantity, q.name); joint.name == owner && c >= 0 && c < joint.rows)
        return entry(q, joint.row + c);
  for (size_t k = 0; k < layout_.measured.size(); ++k)
    for (int i = 0; i < Layout::MeasuredJoint::numbers; ++i)
      if (layout_.measured[k].name == owner &&
          quantity == Layout::MeasuredJoint::quantities(layout_.measured[k].slides, i))
        return entry({"motion", &Sample::joint_motion, motion_of_joints},
                     static_cast<int>(k) * Layout::MeasuredJoint::numbers + i);
  return {};
}

bool Trace::describes_step(const std::string& name) {
  if (name.starts_with(earlier)) return true;
  for (const Named& named : of_the_step)
    if (named.name == name) return named.needs == SampleParts::none() && name != "t";
  return false;
}

int Trace::slot(const std::string& name) {
  if (const auto known = slots_.find(name); known != slots_.end()) return known->second;
  Value value = find(name);
  if (!value) return -1;
  values_.push_back(std::move(value));
  return slots_[name] = static_cast<int>(values_.size()) - 1;
}

// The first inputs are those of the formulas of the model, so that its definitions can be used.
Scope Trace::scope(const System& system, const std::vector<std::string>& formulas) {
  const Formulas& model = system.model().formulas;
  graph_ = model.graph;
  values_.push_back([](const Sample& s) { return s.t; });
  for (const int i : system.formula_q()) values_.push_back([i](const Sample& s) { return s.q[i]; });
  for (const int i : system.formula_u()) values_.push_back([i](const Sample& s) { return s.u[i]; });
  std::vector<std::string> names;
  for (const std::string& formula : formulas)
    for (const std::string& name : names_in(formula)) {
      names.push_back(name);
      slot(name.starts_with(earlier) ? name.substr(earlier.size()) : name);
    }
  const int inputs = static_cast<int>(values_.size());
  std::vector<std::pair<Node, Node>> back;
  for (int i = 0; i < inputs; ++i) back.emplace_back(graph_.input(i), graph_.input(inputs + i));
  Scope scope;
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    const auto& [name, value, place] = system.model().parameters[i];
    const Node node = model.parameters[i];  // an input if the parameter is kept
    scope[name] = graph_.is_constant(node) ? node : graph_.constant(value);
  }
  for (const auto& [name, node] : model.definitions) {
    scope[name] = node;
    if (index_of(names, std::string(earlier) + name) >= 0)
      scope[std::string(earlier) + name] = graph_.substitute(node, back);
  }
  for (const auto& [name, slot] : slots_) {
    scope[name] = graph_.input(slot);
    scope[std::string(earlier) + name] = graph_.input(inputs + slot);
  }
  return scope;
}

Trace::Trace(const System& system, const std::vector<std::string>& formulas, std::string* wrong)
    : layout_(layout_of(system)) {
  const Scope known = scope(system, formulas);
  std::vector<Node> outputs;
  for (const std::string& formula : formulas) {
    if (index_.contains(formula)) continue;
    if (wrong) *wrong = formula;
    index_[formula] = static_cast<int>(outputs.size());
    outputs.push_back(parse(graph_, formula, known));
  }
  tape_.inputs = 2 * static_cast<int>(values_.size());
  program_ = Program(graph_, outputs, tape_);
  for (const int slot : graph_.input_slots(outputs)) read_.push_back(slot % static_cast<int>(values_.size()));
  std::sort(read_.begin(), read_.end());
  read_.erase(std::unique(read_.begin(), read_.end()), read_.end());
  numbers_ = tape_.numbers();
  outputs_.resize(outputs.size());
  columns_.resize(outputs.size());
}

void Trace::end_recording() {
  constants_ = graph_.staged_constants();
  graph_.record_into(nullptr);
}

void Trace::follow(const ParameterStage& stage) {
  tape_.set_constants(constants_, stage);
  numbers_ = tape_.numbers();
  t_.clear();
  for (std::vector<double>& column : columns_) column.clear();
}

void Trace::record(const Sample& sample) {
  double *inputs = numbers_.data() + tape_.constants.size(), *before = inputs + values_.size();
  for (const int i : read_) {
    const double value = values_[i](sample);
    before[i] = t_.empty() ? value : inputs[i];
    inputs[i] = value;
  }
  program_.execute(inputs);
  program_.read(inputs, 0, program_.outputs(), outputs_.data());
  t_.push_back(sample.t);
  for (size_t k = 0; k < columns_.size(); ++k) columns_[k].push_back(outputs_[k]);
}

}  // namespace tappet
