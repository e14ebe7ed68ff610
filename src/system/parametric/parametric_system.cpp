// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "system/parametric/parametric_system.h"

#include <fmt/format.h>

namespace tappet {

namespace {

Overrides with_values(Overrides set, const std::vector<std::string>& names, const std::vector<double>& values) {
  for (std::size_t i = 0; i < names.size(); ++i) set.emplace_back(names[i], fmt::format("{}", values[i]));
  return set;
}

}  // namespace

ParametricSystem::ParametricSystem(const ModelText& text, const Overrides& fixed,
                                   const std::vector<std::string>& varied, const std::vector<double>& values)
    : uses_(varied, values) {
  Model model = text.model(with_values(fixed, varied, values), &uses_);
  if (model.bodies.empty())
    stage_ = uses_.stage();
  else
    model.formulas.graph.record_into(nullptr);
  system_.emplace(std::move(model));
}

void ParametricSystem::end_recording() {
  if (!stage_) return;
  Graph& graph = system_->model_.formulas.graph;
  constants_ = graph.staged_constants();
  graph.record_into(nullptr);
  stage_->end_recording();
}

bool ParametricSystem::set(std::span<const double> values) try {
  if (!stage_ || !stage_->evaluate(values)) return false;
  System& system = *system_;
  if (!uses_.set(system.model_)) return false;
  system.model_.formulas.graph.set_constants(constants_, *stage_);
  if (system.formulas_) system.formulas_->set_constants(constants_, *stage_);
  if (system.held_formulas_) system.held_formulas_->set_constants(constants_, *stage_);
  system.initial_.t = 0.0;
  for (std::size_t i = 0; i < system.model_.formulas.coordinates.size(); ++i) {
    const Coordinate& coordinate = system.model_.formulas.coordinates[i];
    system.initial_.q[static_cast<int>(i)] = coordinate.position;
    system.initial_.u[static_cast<int>(i)] = coordinate.velocity;
  }
  system.start();
  return true;
} catch (const std::exception&) {  // a fresh reading refuses the values with the same message
  return false;
}

}  // namespace tappet
