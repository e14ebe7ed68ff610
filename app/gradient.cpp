// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "tangent/gradient/gradient.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "commands.h"
#include "run/settings.h"
#include "shared/model_argument.h"

namespace {

constexpr const char* examples = R"(
Examples:
  tappet gradient slider_crank --of "theta1 at 0.05" --wrt mu,e_N,c
  tappet gradient first_model --of "y at 1" --of "energy at 1" --wrt y,e_N     y: its value at the start
  tappet gradient first_model --of "t at impact floor 2" --of "y' before impact" --wrt y,g
  tappet gradient woodpecker --of "phi_S' at 0.1" --wrt mu --json

The derivatives are exact: they pass through impacts, through the beginning and end of contact, and through stick and
slip. Where a motion has no derivative (two impacts at once, a contact that only just touches) the answer says when,
which contact, and why. docs/orbits.md explains it.
)";

struct Arguments {
  ModelArgument model;
  std::vector<std::string> of, wrt, options;
  std::string scheme;
  bool json = false;
};

std::string said(const tappet::Closeness::Found& found, const std::string& unit) {
  if (!std::isfinite(found.value)) return "none";
  const std::string where = found.contact.empty() ? "" : ", contact " + found.contact;
  return fmt::format("{:.4g} {} at t = {:.9g} s{}", found.value, unit, found.t, where);
}

// Why there is no derivative, and those for an increase and a decrease where they exist.
void print_trouble(const tappet::Gradient::Row& row, size_t d, const std::string& name) {
  fmt::print("  d/d {}  no derivative: {}\n", name, row.trouble[d]);
  const auto side = [&](const char* word, const tappet::Gradient::OneSided& one) {
    if (!one.exists()) return;
    const std::string value = one.value == row.value ? "" : fmt::format(", where the quantity is {:.15g}", one.value);
    fmt::print("      {:<{}}  {}: {:.15g}{}\n", "", name.size(), word, one.slope, value);
  };
  side("for an increase", row.increase[d]);
  side("for a decrease", row.decrease[d]);
}

void print_answer(const tappet::Gradient& answer) {
  size_t width = 12;
  for (const std::string& name : answer.wrt) width = std::max(width, name.size());
  for (const tappet::Gradient::Row& row : answer.rows) {
    fmt::print("{} = {:.15g}\n", row.of.text, row.value);
    for (size_t d = 0; d < answer.wrt.size(); ++d)
      if (row.trouble[d].empty())
        fmt::print("  d/d {:<{}}  {:.15g}\n", answer.wrt[d], width, row.slopes[d]);
      else
        print_trouble(row, d, fmt::format("{:<{}}", answer.wrt[d], width));
  }
  fmt::print("events: {}; smallest spacing: {}\n", answer.closeness.events,
             said(answer.closeness.smallest_spacing, "s"));
  fmt::print("slowest impact: {}; nearest miss: {}\n", said(answer.closeness.slowest_impact, "m/s"),
             said(answer.closeness.nearest_miss, "m"));
  fmt::print("rank of the derivative of the last state: {} of {} directions\n", answer.rank, answer.wrt.size());
}

nlohmann::ordered_json to_json(const tappet::Gradient& answer) {
  nlohmann::ordered_json all;
  for (const tappet::Gradient::Row& row : answer.rows) {
    nlohmann::ordered_json slopes, trouble, increase, decrease;
    for (size_t d = 0; d < answer.wrt.size(); ++d)
      if (row.trouble[d].empty())
        slopes[answer.wrt[d]] = row.slopes[d];
      else {
        const auto side = [&](const tappet::Gradient::OneSided& one, nlohmann::ordered_json& list) {
          if (one.exists()) list[answer.wrt[d]] = {{"value", one.value}, {"d", one.slope}};
        };
        trouble[answer.wrt[d]] = row.trouble[d];
        side(row.increase[d], increase), side(row.decrease[d], decrease);
      }
    all["quantities"].push_back({{"of", row.of.text},
                                 {"value", row.value},
                                 {"d", slopes},
                                 {"no_derivative", trouble},
                                 {"for_an_increase", increase},
                                 {"for_a_decrease", decrease}});
  }
  const auto found = [](const tappet::Closeness::Found& one) -> nlohmann::ordered_json {
    if (!std::isfinite(one.value)) return nullptr;
    return {{"value", one.value}, {"t", one.t}, {"contact", one.contact}};
  };
  all["slowest_impact"] = found(answer.closeness.slowest_impact);
  all["nearest_miss"] = found(answer.closeness.nearest_miss);
  all["smallest_spacing"] = found(answer.closeness.smallest_spacing);
  all["rank"] = answer.rank;
  for (const tappet::NamedInstant& instant : answer.sequence) all["events"].push_back({instant.t, instant.what});
  return all;
}

int run(const Arguments& arguments) {
  const tappet::Model model = load_model(arguments.model);
  tappet::GradientQuestion question;
  for (const auto& [key, value] : key_values("--option", arguments.options))
    question.options.push_back({key, value, {}});
  tappet::RunOptions asked;
  asked.scheme = arguments.scheme.empty() ? "event-driven" : arguments.scheme;
  asked.options = question.options;
  const tappet::Settings settings = settings_of(model, asked);
  question.options = settings.options;
  question.wrt = arguments.wrt;
  for (const std::string& text : arguments.of) question.of.push_back(tappet::parse_quantity(text, settings.end));
  if (settings.scheme != "event-driven")
    throw tappet::UsageError(fmt::format(
        "scheme {} does not locate impacts, so the derivatives of its motions are wrong; expected event-driven",
        settings.scheme));
  const auto source = tappet::ModelSource::of(model, key_values("--set", arguments.model.set));
  const tappet::Gradient answer = gradient(source, question);
  if (arguments.json)
    fmt::print("{}\n", to_json(answer).dump(2));
  else
    print_answer(answer);
  bool some = false;
  for (const tappet::Gradient::Row& row : answer.rows)
    for (const std::string& trouble : row.trouble) some |= !trouble.empty();
  return some ? exit_failed : exit_done;
}

}  // namespace

void tappet::add_gradient(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("gradient", "Derivatives of a motion with respect to parameters and starts");
  add_model_argument(*command, arguments->model);
  command
      ->add_option("--of", arguments->of,
                   "What is differentiated, \"FORMULA at TIME\" or \"FORMULA before EVENT\"; repeatable")
      ->type_name("\"FORMULA at TIME\"")
      ->required()
      ->expected(1)
      ->take_all();
  command
      ->add_option(
          "--wrt", arguments->wrt,
          "Parameters, coordinates (their start), velocities (x', their start) and numbers of entries (floor.e_N), "
          "separated by commas")
      ->type_name("NAME,…")
      ->required()
      ->delimiter(',');
  command->add_option("--scheme", arguments->scheme, "Only event-driven locates impacts, and it is the default");
  command->add_option("--option", arguments->options, "Option of event-driven, KEY=VALUE; repeatable")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all();
  command->add_flag("--json", arguments->json, "Print the answer as JSON");
  command->footer(examples);
  command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}
