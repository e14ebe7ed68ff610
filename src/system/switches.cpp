// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "formula/switches.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "system/evaluator.h"
#include "system/system.h"

namespace tappet {

namespace {

// The functions of time, and of place, among the keys of an element.
struct SwitchesInKeys {
  std::string element;  // "joints.motor"
  std::vector<TimeSwitch>& times;
  std::vector<std::string>& surfaces;

  void look(std::string_view key, const TimeFunction& f) {
    for (int i = 0; i < f.switches(); ++i) times.push_back({fmt::format("{}.{}", element, key), f, i});
  }
  void look(std::string_view key, const TimeVector& v) {
    for (const TimeFunction& f : v.component) look(key, f);
  }
  void look(std::string_view key, const SurfaceFunction& f) {
    if (f.switches()) surfaces.push_back(fmt::format("{}.{}", element, key));
  }
  template <class T>
  void look(std::string_view key, const std::optional<T>& x) {
    if (x) look(key, *x);
  }
  template <class T>
  void look(std::string_view, const T&) {}

  template <class T, class... Check>
  void required(std::string_view key, const T& x, Check...) {
    look(key, x);
  }
  template <class T, class... Check>
  void optional(std::string_view key, const T& x, Check...) {
    look(key, x);
  }
  template <class T>
  void choice(std::string_view, const T&, const Choices&, std::string_view = "") {}
};

}  // namespace

void System::list_time_switches() {
  const auto list = [&](const char* section, const auto& entries) {
    for (const auto& entry : entries) {
      SwitchesInKeys keys{fmt::format("{}.{}", section, entry.name), time_switches_, surface_switches_};
      std::visit([&](auto element) { element.describe(keys); }, entry.element);
    }
  };
  list("joints", model_.joints);
  list("joints", model_.velocity_joints);
  list("contacts", model_.contacts);
  list("forces", model_.forces);
}

std::string System::formula_name(const HeldSystem::Origin& origin) const {
  using Part = MechanicsError::Part;
  const Formulas& f = model_.formulas;
  switch (origin.part) {
    case Part::contact:
      return fmt::format("contacts.{}.{}", f.contacts[origin.index].name, origin.row == 0 ? "gap" : "slip");
    case Part::joint:
      return fmt::format("joints.{}", f.joints[origin.index].name);
    case Part::forces:
      return fmt::format("forces.{}", q_names()[formula_q_[origin.index]]);
    case Part::potential:
      return "lagrangian.potential";
    case Part::kinetic:
      return "lagrangian.kinetic";
    default:
      return "mass";
  }
}

void System::compile_switches(const FormulaSystem& system) {
  Graph& graph = model_.formulas.graph;
  const HeldSystem held = held_system(graph, system);
  if (held.system.switches.empty()) return;
  held_formulas_ = std::make_unique<FormulaMechanics>(graph, held.system);
  for (int k = 0; k < formulas_->blocks(); ++k)
    if (!std::ranges::equal(formulas_->columns(k), held_formulas_->columns(k)))
      throw std::logic_error("a formula with held switches depends on other coordinates than before");
  for (size_t i = 0; i < held.origins.size(); ++i) {
    const Switch& s = held.system.switches[i];
    const HeldSystem::Origin& origin = held.origins[i];
    SwitchPlace place;
    place.name = fmt::format("{} in {}", spelling(s.op), formula_name(origin));
    place.contact = origin.part == MechanicsError::Part::contact ? origin.index : -1;
    place.in_gap = place.contact >= 0 && origin.row == 0;
    place.jumps = s.jumps, place.whole = s.whole, place.at_zero = s.at_zero;
    place.order = held_formulas_->switch_order(static_cast<int>(i));
    switches_.push_back(std::move(place));
  }
}

// Adds those switches that the formulas of the force with this path (`forces.drag`) brought in.
void System::list_state_switches(const std::vector<Switch>& switches, const std::string& name) {
  const size_t formula_switches = held_formulas_ ? held_formulas_->switches() : 0;
  for (size_t i = switches_.size() - formula_switches; i < switches.size(); ++i) {
    SwitchPlace place;
    place.name = fmt::format("{} in {}", spelling(switches[i].op), name);
    place.jumps = switches[i].jumps, place.whole = switches[i].whole, place.at_zero = switches[i].at_zero;
    switches_.push_back(std::move(place));
  }
}

void System::compile_state_switches(const std::vector<Switch>& switches, int first_branch) {
  if (switches.empty()) return;
  std::vector<Node> sigma;
  for (const Switch& s : switches) sigma.push_back(s.decides);
  const int count = static_cast<int>(sigma.size());
  StateInputs inputs = number_inputs(sigma, first_branch, count);
  state_switches_ = StateSwitches(model_.formulas.graph, sigma, std::move(inputs));
  for (int i = 0; i < count; ++i) switches_[switches_.size() - count + i].order = state_switches_.order(i);
}

int System::formula_switches() const { return static_cast<int>(switches_.size()) - state_switches_.size(); }

void Evaluator::hold_switches() {
  holds_ = true;
  forget();
  if (!system_.held_formulas()) return;
  formulas_ = system_.held_formulas();
  formula_ = formulas_->workspace();
}

// Switches of formulas come first, then those of the formulas of state forces.
void Evaluator::set_branch(int i, double b) {
  forget();
  if (const int of_formulas = system_.formula_switches(); i >= of_formulas)
    state_branches_[i - of_formulas] = b;
  else
    formulas_->set_branch(i, b, formula_);
}

void Evaluator::switch_functions(double t, const Vec& q, const Vec& u, Vec& sigma) {
  sigma.resize(static_cast<int>(system_.switches().size()));
  if (system_.formula_switches() > 0)
    formulas_->switch_functions(t, gather(q, system_.formula_q(), formula_q_),
                                gather(u, system_.formula_u(), formula_u_), sigma.data(), formula_);
  if (system_.state_switches().size() > 0)
    system_.state_switches().values(t, q, u, state_branches_.data(), sigma.data() + system_.formula_switches(),
                                    state_numbers_.data());
}

void Evaluator::switch_rates(double t, const Vec& q, const Vec& u, const Vec& a, Vec& first, Vec& rate) {
  first.resize(static_cast<int>(system_.switches().size())), rate.resize(first.size());
  const int of_formulas = system_.formula_switches();
  if (of_formulas > 0)
    formulas_->switch_rates(t, gather(q, system_.formula_q(), formula_q_), gather(u, system_.formula_u(), formula_u_),
                            gather(a, system_.formula_u(), formula_a_), first.data(), rate.data(), formula_);
  if (system_.state_switches().size() > 0)
    system_.state_switches().rates(t, q, u, a, state_branches_.data(), first.data() + of_formulas,
                                   rate.data() + of_formulas, state_numbers_.data());
}

}  // namespace tappet
