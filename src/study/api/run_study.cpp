// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// Studies in the public interface (tappet/simulate.h).
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "api/inside.h"
#include "model/reading/nearest.h"
#include "study/search/carry_out.h"

namespace tappet::api {

namespace {

template <class Named>
const Named& named(const std::vector<Named>& list, const std::string& name, const char* what) {
  std::vector<std::string> names;
  for (const Named& one : list)
    if (names.push_back(one.name); one.name == name) return one;
  throw UsageError(fmt::format("the study has no {} '{}'{}; expected one of: {}", what, name, suggestion(name, names),
                               listed(names)));
}

StudyResult converted(const StudyResults& results, const FoundBySearch& found) {
  const Study& study = results.study();
  StudyResult result;
  for (int i = 0; i < static_cast<int>(study.plan.axes().size()); ++i)
    result.parameters.push_back({study.plan.axes()[i].parameter, results.parameter(i)});
  for (int m = 0; m < static_cast<int>(study.measures.size()); ++m) {
    StudyResult::Measure measure{study.measures[m].name, {}, {}};
    if (study.measures[m].many())
      for (long run = 0; run < results.runs(); ++run) measure.series.push_back(results.series(run, m));
    else
      measure.values = results.column(m);
    result.measures.push_back(std::move(measure));
  }
  for (long run = 0; run < results.runs(); ++run) {
    result.status.emplace_back(name(results.status(run)));
    result.steps.push_back(results.steps(run));
    const auto message = results.messages().find(run);
    result.messages.push_back(message == results.messages().end() ? "" : message->second);
  }
  if (const nlohmann::ordered_json json = to_json(found); !json.is_null()) result.found = json.dump();
  return result;
}

StudyResult carried_out(const Study& study, const StudyOptions& asked) {
  std::atomic<bool> stop = false;
  tappet::StudyOptions options;
  options.threads = asked.threads, options.stop = asked.stop;
  if (asked.progress) {
    options.stop = &stop;
    options.progress = [&](long done, long all, long) {
      if (!asked.progress(done, all) || (asked.stop && asked.stop->load())) stop = true;
    };
  }
  StudyResults results(study);
  FoundBySearch found;
  try {
    found = carry_out(study, options, results);
  } catch (const StudyStopped&) {
  }
  return converted(results, found);
}

}  // namespace

const StudyResult::Parameter& StudyResult::parameter(const std::string& name) const {
  return named(parameters, name, "parameter");
}
const StudyResult::Measure& StudyResult::measure(const std::string& name) const {
  return named(measures, name, "measure");
}

StudyResult run_study(const std::filesystem::path& file, const StudyOptions& options) {
  return carried_out(load_study(file), options);
}

StudyResult run_study(const Model& model, const std::string& text, const StudyOptions& options) {
  GivenModel given{model.name(), model.file(), model.text(), {}, model.inside().types};
  for (const Setting& parameter : model.inside().parameters) given.set.emplace_back(parameter.name, parameter.value);
  return carried_out(parse_study(text, "study", &given), options);
}

}  // namespace tappet::api
