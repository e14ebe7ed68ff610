// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "run/make_stepper.h"
#include "run/options.h"
#include "system/contacts/reduction.h"

namespace tappet {

namespace {

// The options of the model belong to the scheme of the model. If another scheme is chosen, options that it does not
// have are dropped.
std::vector<Option> merged_options(const Model& model, const RunOptions& asked, const std::string& scheme) {
  std::vector<Option> options;
  for (const Option& option : model.run.options)
    if (scheme == model.run.scheme || knows_option(scheme, option.key) || !knows_option(model.run.scheme, option.key))
      options.push_back(option);
  options.insert(options.end(), asked.options.begin(), asked.options.end());
  return options;
}

// Options with an old name get their present name, and a warning says so.
std::vector<std::string> rename_options(const std::string& scheme, std::vector<Option>& options) {
  std::vector<std::string> warnings;
  for (Option& option : options) {
    const std::string now = present_name(scheme, option.key);
    if (now == option.key) continue;
    warnings.push_back(
        fmt::format("option {} of {} is now called {}; the old name still works", option.key, scheme, now));
    option.key = now;
  }
  return warnings;
}

// `--option sleeping=off` and `--option sleeping=SPEED` are not options of a scheme.
SleepingRule sleeping_rule(const Model& model, std::vector<Option>& options) {
  SleepingRule rule = model.run.sleeping;
  const auto last =
      std::stable_partition(options.begin(), options.end(), [](const Option& o) { return o.key != "sleeping"; });
  for (auto option = last; option != options.end(); ++option) {
    const std::string& text = option->value;
    if (text == "off" || text == "false") {
      rule.speed = 0.0;
      continue;
    }
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rule.speed);
    if (error != std::errc() || end != text.data() + text.size() || !(rule.speed >= 0.0) || !std::isfinite(rule.speed))
      throw UsageError(fmt::format("sleeping={}: expected `off` or a speed in m/s", text));
    if (model.colliders.empty() || !model.formulas.coordinates.empty() || !model.formulas.joints.empty() ||
        !model.formulas.contacts.empty())
      throw UsageError("sleeping: expected a model with colliders that only has bodies");
  }
  options.erase(last, options.end());
  return rule;
}

// `--option reduction=off` is no option of a scheme either. It belongs to the model, into which prepare() writes it.
bool take_reduction(const Model& model, const RunOptions& asked, std::vector<Option>& options) {
  bool reduces = reduces_contacts(model);
  for (const Option& option : asked.options) {
    if (option.key != reduction_key) continue;
    reduces = is_reduction_on(option.value);
    if (!reduces && model.colliders.empty())
      throw UsageError(
          "reduction: the model has no colliders; expected `colliders:`, whose contacts are then not reduced");
  }
  std::erase_if(options, [](const Option& option) { return option.key == reduction_key; });
  return reduces;
}

// A scheme of the program may not pass for one of the library.
void check_own_scheme(const std::string& scheme) {
  for (const SchemeInfo& known : schemes())
    if (known.name == scheme)
      throw UsageError(
          fmt::format("scheme {}: the library has a scheme of that name; expected another name for that "
                      "of the program",
                      scheme));
}

}  // namespace

Settings settings_of(const Model& model, const RunOptions& asked) {
  Settings s;
  s.scheme = !asked.scheme.empty() ? asked.scheme : asked.stepper ? "own" : model.run.scheme;
  if (asked.stepper) {
    check_own_scheme(s.scheme);
  } else if (asked.scheme.empty()) {
    check_scheme(s.scheme, model.file, model.run.scheme_place);
  } else {
    check_scheme(s.scheme);
  }
  s.dt = asked.dt != 0 ? asked.dt : model.run.dt;
  s.end = asked.end != 0 ? asked.end : model.run.end;
  s.record_every = asked.record_every == 0 ? model.run.record_every : std::max(asked.record_every, 0);
  s.options = merged_options(model, asked, s.scheme);
  s.warnings = rename_options(s.scheme, s.options);
  s.sleeping = sleeping_rule(model, s.options);
  s.reduce_contacts = take_reduction(model, asked, s.options);
  if (s.sleeping.speed > 0.0 && s.scheme == "event-driven")
    throw UsageError(
        "sleeping: the scheme event-driven moves every body at all times; expected `sleeping: false` "
        "(--option sleeping=off), or another scheme");
  return s;
}

void require_times(const Settings& settings, const Model& model) {
  const Place place = model.run.place.line > 0 ? model.run.place : Place{1, 1};
  if (model.run.place.line == 0 && settings.dt == 0 && settings.end == 0)
    throw ModelError(model.file, place, "run",
                     "missing; expected `run: {scheme: .., dt: .., end: ..}`, or --dt and --end on the command line");
  if (settings.dt == 0)
    throw ModelError(model.file, place, "run.dt", "missing; expected a positive step in seconds here, or --dt");
  if (settings.end == 0)
    throw ModelError(model.file, place, "run.end", "missing; expected a positive end time in seconds here, or --end");
}

std::string to_text(const Settings& settings, const Model& model) {
  using Json = nlohmann::ordered_json;
  Json json = {{"scheme", settings.scheme}, {"dt", settings.dt}, {"end", settings.end}};
  json["record_every"] = settings.record_every;
  if (model.run.record_found) json["record_contacts"] = "found";
  if (model.run.project_start > 0.0) json["project_start"] = model.run.project_start;
  if (model.start) json["start"] = {{"from", model.start->from}, {"t", model.start->t}};
  if (settings.sleeping.speed > 0.0)
    json["sleeping"] = {{"speed", settings.sleeping.speed}, {"after", settings.sleeping.after}};
  if (!settings.reduce_contacts) json["reduction"] = "off";
  // Whoever reads the model again finds the files that it names there.
  if (model.text.find("file:") != std::string::npos)
    json["folder"] = std::filesystem::absolute(model.file).parent_path().string();
  json["options"] = Json::object();
  for (const Option& option : settings.options) json["options"][option.key] = option.value;
  json["parameters"] = Json::object();
  for (const Parameter& parameter : model.parameters) json["parameters"][parameter.name] = parameter.value;
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

RunHeader header_of(const Settings& settings, const Model& model) {
  return {model.name,      model.title, model.source, model.text,
          settings.scheme, settings.dt, settings.end, to_text(settings, model)};
}

}  // namespace tappet
