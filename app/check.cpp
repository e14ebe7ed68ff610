// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "commands.h"
#include "model_argument.h"
#include "record/sampler.h"
#include "record/stored_energy.h"
#include "run/registry.h"
#include "run/settings.h"

namespace {

constexpr const char* examples = R"(
Examples:
  tappet check my.yaml                 coordinates, joints, contacts and settings, as they were understood, and
                                       the energies at the start by part
  tappet check my.yaml --set mu=0.3
)";

using tappet::System;

void print_state(const System& system) {
  const auto& initial = system.initial();
  fmt::print("coordinates ({}):\n", system.q_size());
  for (int i = 0; i < system.q_size(); ++i) fmt::print("  {:<24} {:g}\n", system.q_names()[i], initial.q[i]);
  fmt::print("velocities ({}):\n", system.u_size());
  for (int i = 0; i < system.u_size(); ++i) fmt::print("  {:<24} {:g}\n", system.u_names()[i], initial.u[i]);
}

void print_constraints(const System& system) {
  fmt::print("joints ({}, {} rows):\n", system.joints().size(), system.joint_rows());
  for (const auto& joint : system.joints())
    fmt::print("  {:<24} {} row{}, {} level\n", joint.name(), joint.rows, joint.rows == 1 ? "" : "s",
               joint.position_level ? "position" : "velocity");
  tappet::Evaluator evaluate(system);
  tappet::Vec gaps;
  evaluate.gaps(system.initial().t, system.initial().q, gaps);
  fmt::print("contacts ({}):\n", system.contacts().size());
  for (size_t k = 0; k < system.contacts().size(); ++k) {
    const auto& contact = system.contacts()[k];
    fmt::print("  {:<24} gap {:g} m at the start, {} friction direction{}\n", contact.name(), gaps[static_cast<int>(k)],
               contact.rows - 1, contact.rows == 2 ? "" : "s");
  }
}

// A part that is zero to rounding tells nothing beyond its name.
void print_energies(const System& system) {
  const auto parts = tappet::energy_parts(system);
  const auto energy = tappet::Evaluator(system).energy(system.initial().t, system.initial().q, system.initial().u);
  fmt::print("energies at the start (kinetic {:.6g} J, potential {:.6g} J):\n", energy.kinetic, energy.potential);
  constexpr size_t most = 60;
  for (size_t i = 0; i < std::min(parts.size(), most); ++i)
    fmt::print("  {:<10} {:<32} {:.6g} J\n",
               parts[i].kind == tappet::EnergyPart::Kind::kinetic ? "kinetic" : "potential", parts[i].name,
               parts[i].value);
  if (parts.size() > most) fmt::print("  and {} more\n", parts.size() - most);
}

std::string seconds_or_missing(double seconds) {
  return seconds > 0 ? fmt::format("{:g} s", seconds) : std::string("missing");
}

void print_settings(const tappet::Settings& settings) {
  fmt::print("run: scheme {}, dt {}, end {}", settings.scheme, seconds_or_missing(settings.dt),
             seconds_or_missing(settings.end));
  for (const auto& option : settings.options) fmt::print(", {} = {}", option.key, option.value);
  fmt::print("\n");
}

int check(const ModelArgument& argument) {
  const tappet::Model model = load_model(argument);
  const System system(model);
  const tappet::Settings settings = settings_of(model, {});
  make_stepper(settings.scheme, system, settings.options);
  fmt::print("{}{}{}\n", model.name, model.title.empty() ? "" : ": ", model.title);
  if (!model.source.empty()) fmt::print("source: {}\n", model.source);
  if (!model.parameters.empty()) fmt::print("parameters ({}):\n", model.parameters.size());
  for (const auto& parameter : model.parameters) fmt::print("  {:<24} {:g}\n", parameter.name, parameter.value);
  print_state(system);
  print_constraints(system);
  print_energies(system);
  print_settings(settings);
  for (const auto& warning : system.warnings()) fmt::print("warning: {}\n", warning);  // those of the model among them
  if (const std::string hint = tappet::stored_energy_hint(system); !hint.empty()) fmt::print("hint: {}\n", hint);
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
