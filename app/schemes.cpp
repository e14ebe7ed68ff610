// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "commands.h"
#include "run/make_stepper.h"

namespace {

using Json = nlohmann::ordered_json;

void print(const std::vector<tappet::OptionInfo>& options) {
  for (const auto& option : options)
    fmt::print("    {:<20} {:<10} {} ({})\n", option.name, option.value, option.meaning, option.expected);
}

Json to_json(const std::vector<tappet::OptionInfo>& options) {
  Json list = Json::array();
  for (const auto& option : options)
    list.push_back(
        {{"name", option.name}, {"default", option.value}, {"meaning", option.meaning}, {"expected", option.expected}});
  return list;
}

void print_schemes() {
  for (const auto& scheme : tappet::schemes()) {
    fmt::print("{}\n    {}\n    {}; contact law on {} level; order {} between impacts\n", scheme.name, scheme.summary,
               scheme.paper, scheme.level, scheme.order);
    for (const auto& reading : tappet::force_readings())
      if (reading.word == scheme.forces) fmt::print("    contact forces: {}\n", reading.meaning);
    print(scheme.options);
  }
  fmt::print("every scheme\n");
  print(tappet::solver_options());
}

void print_json() {
  Json list = Json::array();
  for (const auto& scheme : tappet::schemes())
    list.push_back({{"name", scheme.name},
                    {"summary", scheme.summary},
                    {"paper", scheme.paper},
                    {"level", scheme.level},
                    {"order", scheme.order},
                    {"contact_forces", scheme.forces},
                    {"options", to_json(scheme.options)}});
  fmt::print("{}\n", Json{{"schemes", list}, {"options", to_json(tappet::solver_options())}}.dump(2));
}

}  // namespace

void tappet::add_schemes(CLI::App& app, int& exit_code) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("schemes", "List the schemes, their papers and options");
  command->add_flag("--json", *json, "Print the list as JSON");
  command->footer("\nExamples:\n  tappet schemes\n  tappet run slider_crank --scheme moreau-jean --option theta=0.5\n");
  command->callback([json] { *json ? print_json() : print_schemes(); });
}
