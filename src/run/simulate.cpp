// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/simulate.h"

#include <fmt/format.h>

#include <cmath>

#include "run/run.h"
#include "system/contacts/reduction.h"
#include "system/state_names.h"

namespace tappet {

namespace {

void check_numbers(const char* what, const std::vector<double>& numbers, const std::vector<std::string>& names) {
  if (numbers.size() != names.size())
    throw UsageError(fmt::format("start: {} {}; expected the {} of this model", numbers.size(), what, names.size()));
  for (size_t i = 0; i < numbers.size(); ++i)
    if (!std::isfinite(numbers[i]))
      throw UsageError(fmt::format("start: '{}' is {}; expected a finite number", names[i], numbers[i]));
}

void check_start(const StartState& start, const Model& model) {
  if (!std::isfinite(start.t))
    throw UsageError(fmt::format("start: the time is {}; expected a finite number", start.t));
  check_numbers("positions", start.q, q_names(model));
  check_numbers("velocities", start.u, u_names(model));
}

// The model, changed according to what the caller wants for its start and for recording.
Model prepared(Model model, const RunOptions& asked) {
  if (asked.record_found) {
    if (model.colliders.empty())
      throw UsageError(
          "--record found: the model has no colliders; expected `colliders:`, whose contacts can be recorded");
    model.run.record_found = true;
  }
  for (const Option& option : asked.options)
    if (option.key == reduction_key) model.run.options.push_back(option);
  if (asked.project_start > 0.0) model.run.project_start = asked.project_start;
  if (asked.start) {
    check_start(*asked.start, model);
    model.start = asked.start;
  }
  return model;
}

}  // namespace

Result simulate(const System& system, const RunOptions& options) {
  if (options.start || options.project_start > 0.0 || options.record_found)
    throw UsageError("start, project_start and record_found belong to the model; expected them before it is compiled");
  Settings settings = settings_of(system.model(), options);
  if (settings.reduce_contacts != reduces_contacts(system.model()))
    throw UsageError("reduction belongs to the model; expected it before the model is compiled");
  return Run(system, std::move(settings), options).go();
}

Model prepare(Model model, const RunOptions& options) {
  model = prepared(std::move(model), options);
  grid_of(settings_of(model, options), model);  // refuses wrong times before the model is compiled
  return model;
}

Result simulate(Model model, const RunOptions& options) {
  model = prepare(std::move(model), options);
  Settings settings = settings_of(model, options);
  const System system(std::move(model));
  return Run(system, std::move(settings), options).go();
}

}  // namespace tappet
