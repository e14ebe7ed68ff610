// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "study/worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "run/make_stepper.h"
#include "run/settings.h"
#include "run/simulate.h"
#include "study/measuring.h"

namespace tappet {

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

// So many prepared models are kept. A new one is needed if a parameter changes more than numbers, for example if it is
// zero in some runs.
constexpr std::size_t most_prepared = 4;

}  // namespace

std::string_view name(OutcomeStatus status) {
  constexpr std::string_view names[] = {"missing", "done", "failed", "refused", "interrupted"};
  return names[static_cast<int>(status)];
}

StudyWorker::StudyWorker(const Study& study) : study_(study), text_(study.model_text, study.model_file, study.types) {
  for (const auto& axis : study.plan.axes()) {
    const bool of_the_run = axis.parameter == "dt" || axis.parameter == "end";
    if (!of_the_run) varied_.push_back(axis.parameter);
    is_parameter_.push_back(!of_the_run);
  }
  check_measures();
}

StudyWorker::~StudyWorker() = default;

// Makes the scheme of a run, which refuses wrong options, and asks whether it locates events.
bool StudyWorker::locates_events(const System& system, const RunOptions& options) const {
  try {
    const Settings settings = settings_of(system.model(), options);
    require_times(settings, system.model());
    const ContactList contacts(system);
    return make_stepper(settings.scheme, contacts, settings.options)->locates_events();
  } catch (const UsageError& error) {
    throw ModelError(study_.file, study_.scheme_place, "scheme", error.what());
  }
}

// Prepares the first run, which compiles every formula of the measures, and makes its scheme.
void StudyWorker::check_measures() {
  std::vector<double> values;
  study_.plan.values(0, values);
  const PreparedModel& model = prepared(values);
  const bool located =
      locates_events(model.system(), options(values, model.positive_time(study_.dt), model.positive_time(study_.end)));
  for (const StudyMeasure& m : study_.measures)
    if (is_event(m) && !located)
      throw ModelError(
          study_.file, m.place, "measure",
          "the scheme of the study does not locate events; expected one that does, such as event-driven, or "
          "a measure of samples");
}

PreparedModel& StudyWorker::prepared(const std::vector<double>& values) {
  parameters_.clear();
  for (std::size_t i = 0; i < values.size(); ++i)
    if (is_parameter_[i]) parameters_.push_back(values[i]);
  for (auto model = prepared_.begin(); model != prepared_.end(); ++model)
    if ((*model)->set(parameters_)) {
      std::rotate(prepared_.begin(), model, model + 1);
      return *prepared_.front();
    }
  ++readings_;
  auto fresh = std::make_unique<PreparedModel>(study_, text_, varied_, parameters_);
  if (prepared_.size() == most_prepared) prepared_.pop_back();
  prepared_.insert(prepared_.begin(), std::move(fresh));
  return *prepared_.front();
}

Overrides StudyWorker::overrides(const std::vector<double>& values) const {
  Overrides set = study_.set;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (is_parameter_[i]) set.emplace_back(study_.plan.axes()[i].parameter, fmt::format("{}", values[i]));
  return set;
}

RunOptions StudyWorker::options(const std::vector<double>& values, const Model& model) const {
  return options(values, positive_time_of(study_, study_.dt, model), positive_time_of(study_, study_.end, model));
}

RunOptions StudyWorker::options(const std::vector<double>& values, double dt, double end) const {
  RunOptions options{.scheme = study_.scheme};
  options.dt = dt, options.end = end;
  options.record_every = study_.record_every;
  options.options = study_.options;
  options.keep = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (study_.plan.axes()[i].parameter == "dt") options.dt = values[i];
    if (study_.plan.axes()[i].parameter == "end") options.end = values[i];
  }
  return options;
}

StudyOutcome StudyWorker::run(const std::vector<double>& values, const std::atomic<bool>* stop) {
  StudyOutcome outcome;
  outcome.measured.assign(study_.measures.size(), nothing);
  outcome.series.resize(study_.measures.size());
  try {
    PreparedModel& model = prepared(values);
    RunOptions asked = options(values, model.positive_time(study_.dt), model.positive_time(study_.end));
    asked.stop = stop, asked.recorders = {&model.trace()};
    const Result result = simulate(model.system(), asked);
    const Summary& summary = result.summary;
    outcome.steps = summary.steps, outcome.unconverged = summary.unconverged_steps;
    outcome.iterations = std::round(summary.mean_iterations * static_cast<double>(summary.steps));
    outcome.message = summary.message;
    outcome.status = summary.status == RunStatus::done     ? OutcomeStatus::done
                     : summary.status == RunStatus::failed ? OutcomeStatus::failed
                                                           : OutcomeStatus::interrupted;
    measure(model, summary, outcome);
  } catch (const std::exception& error) {
    outcome.status = OutcomeStatus::refused;
    outcome.message = error.what();
  }
  return outcome;
}

void StudyWorker::measure(const PreparedModel& model, const Summary& summary, StudyOutcome& outcome) const {
  for (std::size_t i = 0; i < study_.measures.size(); ++i) {
    const StudyMeasure& m = study_.measures[i];
    if (m.many())
      outcome.series[i] = many_values(m, model);
    else if (outcome.status == OutcomeStatus::done)
      outcome.measured[i] = one_value(m, model, summary);
  }
}

}  // namespace tappet
