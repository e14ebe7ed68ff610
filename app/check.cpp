// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "commands.h"
#include "model_argument.h"
#include "record/sampler.h"
#include "run/registry.h"
#include "run/settings.h"
#include "run/switch_warnings.h"

namespace {

constexpr const char* examples = R"(
Examples:
  tappet check my.yaml                 coordinates, joints, contacts and settings, as they were understood
  tappet check my.yaml --set mu=0.3
)";

using tappet::System;

void print_values(const char* what, const std::vector<std::string>& names, const tappet::Vec& values) {
  fmt::print("{} ({}):\n", what, names.size());
  for (size_t i = 0; i < names.size(); ++i) fmt::print("  {:<24} {:g}\n", names[i], values[static_cast<int>(i)]);
}

void print_state(const System& system) {
  print_values("coordinates", system.q_names(), system.initial().q);
  print_values("velocities", system.u_names(), system.initial().u);
}

void print_constraints(const System& system) {
  fmt::print("joints ({}, {} rows):\n", system.joints().size(), system.joint_rows());
  for (const auto& joint : system.joints())
    fmt::print("  {:<24} {} row{}, {} level\n", joint.name(), joint.rows, joint.rows == 1 ? "" : "s",
               joint.position_level ? "position" : "velocity");
  const tappet::ContactList contacts(system);
  tappet::Evaluator evaluate(contacts);
  tappet::Vec gaps;
  evaluate.gaps(system.initial().t, system.initial().q, gaps);
  fmt::print("contacts ({}):\n", system.named_contacts().size());
  for (size_t k = 0; k < system.named_contacts().size(); ++k) {
    const auto& contact = system.named_contacts()[k];
    fmt::print("  {:<24} gap {:g} m at the start, {} friction direction{}\n", contact.name(), gaps[static_cast<int>(k)],
               contact.rows - 1, contact.rows == 2 ? "" : "s");
  }
}

// Where formulas change their branch.
void print_switches(const System& system) {
  const size_t count = system.switches().size() + system.time_switches().size();
  if (count == 0) return;
  fmt::print("switches of formulas ({}):\n", count);
  for (const auto& place : system.switches()) fmt::print("  {}\n", place.name);
  for (const auto& time : system.time_switches()) fmt::print("  {} (in time)\n", time.name);
}

void print_settings(const tappet::Settings& settings) {
  fmt::print("run: scheme {}, dt {:g} s, end {:g} s", settings.scheme, settings.dt, settings.end);
  for (const auto& option : settings.options) fmt::print(", {} = {}", option.key, option.value);
  fmt::print("\n");
}

int check(const ModelArgument& argument) {
  const tappet::Model model = load_model(argument);
  const System system(model);
  const tappet::Settings settings = settings_of(model, {});
  const tappet::ContactList contacts(system);
  make_stepper(settings.scheme, contacts, settings.options);
  fmt::print("{}{}{}\n", model.name, model.title.empty() ? "" : ": ", model.title);
  if (!model.source.empty()) fmt::print("source: {}\n", model.source);
  if (!model.parameters.empty()) fmt::print("parameters ({}):\n", model.parameters.size());
  for (const auto& parameter : model.parameters) fmt::print("  {:<24} {:g}\n", parameter.name, parameter.value);
  print_state(system);
  print_constraints(system);
  print_switches(system);
  print_settings(settings);
  for (const auto* warnings : {&model.warnings, &system.warnings()})
    for (const auto& warning : *warnings) fmt::print("warning: {}\n", warning);
  for (const auto& warning : tappet::switch_warnings(system, settings.scheme)) fmt::print("warning: {}\n", warning);
  return exit_done;
}

}  // namespace

void tappet::add_check(CLI::App& app, int& exit_code) {
  auto argument = std::make_shared<ModelArgument>();
  CLI::App* command = app.add_subcommand("check", "Read a model and say what was understood");
  add_model_argument(*command, *argument);
  command->footer(examples);
  command->callback([argument, &exit_code] { exit_code = check(*argument); });
}
