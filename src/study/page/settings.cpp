// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "study/page/settings.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "formula/parse.h"
#include "record/hdf5/result_file.h"
#include "record/recorder.h"
#include "run/models.h"
#include "study/worker.h"

namespace tappet {

namespace {

using Json = nlohmann::ordered_json;

// The name with which `tappet run` finds the model from any folder: that of an example, or the path of the file.
std::string runnable_name(const Study& study) {
  try {
    if (find_example(study.model).string() == study.model_file) return study.model;
  } catch (const UsageError&) {
  }
  return study.model_file;
}

// The parameters of one run. `dt` and `end` are not parameters of the model but settings of the run.
Overrides parameters(const ResultFile& file, const Json& settings, long run, RunOptions& options) {
  Overrides set;
  for (const auto& [name, value] : settings["set"].items()) set.emplace_back(name, value.get<std::string>());
  for (const Json& name : settings["varied"]) {
    const std::string parameter = name.get<std::string>();
    const double value = file.column("parameters/" + hdf5_name(parameter), 0, run, 1)[0];
    if (parameter == "dt")
      options.dt = value;
    else if (parameter == "end")
      options.end = value;
    else
      set.emplace_back(parameter, fmt::format("{}", value));
  }
  return set;
}

// The value of a formula of the parameters of the model; 0 if it is empty.
double time(const std::string& formula, const Model& model) {
  if (formula.empty()) return 0.0;
  Graph graph;
  Scope scope;
  for (const Parameter& parameter : model.parameters) scope[parameter.name] = graph.constant(parameter.value);
  return graph.evaluate(parse(graph, formula, scope), {});
}

}  // namespace

nlohmann::ordered_json study_settings(const Study& study) {
  Json set = Json::object(), options = Json::array(), varied = Json::array();
  for (const auto& [name, value] : study.set) set[name] = value;
  for (const Option& option : study.options) options.push_back({option.key, option.value});
  for (const StudyAxis& axis : study.plan.axes()) varied.push_back(axis.parameter);
  return {{"model", runnable_name(study)},
          {"model_file", study.model_file},
          {"scheme", study.scheme},
          {"dt", study.dt.text},
          {"end", study.end.text},
          {"record", study.record_every},
          {"set", set},
          {"options", options},
          {"varied", varied}};
}

StoredRun stored_run(const std::filesystem::path& folder, long run) {
  const std::filesystem::path path = folder / "study.h5";
  if (!std::filesystem::exists(path))
    throw UsageError(
        fmt::format("{}: no study.h5 there; expected a folder that `tappet study` wrote", folder.string()));
  const ResultFile file(path, "status");
  if (run < 0 || run >= file.samples())
    throw UsageError(fmt::format("--show {}: expected a run of this study, 0 to {}", run, file.samples() - 1));
  const Json settings = Json::parse(file.text("settings"), nullptr, false);
  if (!settings.is_object())
    throw UsageError(fmt::format("{}: it does not hold the settings of its runs; run the study again", path.string()));
  StoredRun stored;
  stored.options.scheme = settings["scheme"], stored.options.record_every = settings["record"];
  for (const Json& option : settings["options"]) stored.options.options.push_back({option[0], option[1], {}});
  const Overrides set = parameters(file, settings, run, stored.options);
  stored.model = parse_model(file.text("model"), settings["model_file"].get<std::string>(), set);
  if (stored.options.dt == 0) stored.options.dt = time(settings["dt"], stored.model);
  if (stored.options.end == 0) stored.options.end = time(settings["end"], stored.model);
  const auto status = static_cast<OutcomeStatus>(static_cast<int>(file.column("status", 0, run, 1)[0]));
  stored.status = name(status);
  return stored;
}

}  // namespace tappet
