// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "study/worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "formula/parse.h"
#include "judge/measure.h"
#include "record/trace.h"
#include "run/make_stepper.h"
#include "run/settings.h"
#include "run/simulate.h"

namespace tappet {

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

bool is_event(const StudyMeasure& m) { return m.kind == "event" || m.kind == "events"; }

EventFilter filter_of(const StudyMeasure& m, double from, double to) {
  EventFilter filter{{}, m.contact, from, to};
  for (const StudyFormula& kind : m.of) filter.kinds.push_back(kind.text);
  return filter;
}

// The column of a trace that says whether the condition `when` holds.
std::string condition(const StudyMeasure& m) { return fmt::format("if({}, 1, 0)", m.when.text); }

}  // namespace

std::string_view name(OutcomeStatus status) {
  constexpr std::string_view names[] = {"missing", "done", "failed", "refused", "interrupted"};
  return names[static_cast<int>(status)];
}

StudyWorker::StudyWorker(const Study& study) : study_(study), text_(study.model_text, study.model_file) {
  for (const StudyMeasure& m : study.measures) {
    if (!is_event(m))
      for (const StudyFormula& formula : m.of) formulas_.push_back(formula.text);
    if (m.where.given()) formulas_.push_back(m.where.text);
    if (m.when.given()) formulas_.push_back(condition(m));
  }
  check_measures();
}

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

// Compiles every formula of the measures for the first run, and makes its scheme.
void StudyWorker::check_measures() const {
  std::vector<double> values;
  study_.plan.values(0, values);
  const System system(text_.model(overrides(values)));
  const Model& model = system.model();
  const bool located = locates_events(system, options(values, model));
  const auto check = [&](const StudyFormula& formula, const std::string& text) {
    try {
      Trace(system, {text});
    } catch (const FormulaError& error) {
      throw ModelError(study_.file, formula.place, "measure", error.what());
    }
  };
  for (const StudyMeasure& m : study_.measures) {
    if (is_event(m) && !located)
      throw ModelError(
          study_.file, m.place, "measure",
          "the scheme of the study does not locate events; expected one that does, such as event-driven, or "
          "a measure of samples");
    if (!is_event(m))
      for (const StudyFormula& formula : m.of) check(formula, formula.text);
    if (m.where.given()) check(m.where, m.where.text);
    if (m.when.given()) check(m.when, condition(m));
    for (const StudyFormula* formula : {&m.from, &m.to, &m.period}) time(*formula, model, 0.0);
    if (m.kind == "at") time(m.at, model, 0.0);
  }
}

Overrides StudyWorker::overrides(const std::vector<double>& values) const {
  Overrides set = study_.set;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string& parameter = study_.plan.axes()[i].parameter;
    if (parameter != "dt" && parameter != "end") set.emplace_back(parameter, fmt::format("{}", values[i]));
  }
  return set;
}

RunOptions StudyWorker::options(const std::vector<double>& values, const Model& model) const {
  RunOptions options{.scheme = study_.scheme};
  options.dt = positive_time(study_.dt, model), options.end = positive_time(study_.end, model);
  options.record_every = study_.record_every;
  options.options = study_.options;
  options.keep = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (study_.plan.axes()[i].parameter == "dt") options.dt = values[i];
    if (study_.plan.axes()[i].parameter == "end") options.end = values[i];
  }
  return options;
}

StudyOutcome StudyWorker::run(const std::vector<double>& values, const std::atomic<bool>* stop) const {
  StudyOutcome outcome;
  outcome.measured.assign(study_.measures.size(), nothing);
  outcome.series.resize(study_.measures.size());
  try {
    const System system(text_.model(overrides(values)));
    Trace trace(system, formulas_);
    RunOptions asked = options(values, system.model());
    asked.stop = stop, asked.recorders = {&trace};
    const Result result = simulate(system, asked);
    const Summary& summary = result.summary;
    outcome.steps = summary.steps, outcome.unconverged = summary.unconverged_steps;
    outcome.iterations = std::round(summary.mean_iterations * static_cast<double>(summary.steps));
    outcome.message = summary.message;
    outcome.status = summary.status == RunStatus::done     ? OutcomeStatus::done
                     : summary.status == RunStatus::failed ? OutcomeStatus::failed
                                                           : OutcomeStatus::interrupted;
    measure(system, trace, summary, outcome);
  } catch (const std::exception& error) {
    outcome.status = OutcomeStatus::refused;
    outcome.message = error.what();
  }
  return outcome;
}

void StudyWorker::measure(const System& system, const Trace& trace, const Summary& summary,
                          StudyOutcome& outcome) const {
  for (std::size_t i = 0; i < study_.measures.size(); ++i) {
    const StudyMeasure& m = study_.measures[i];
    if (m.many())
      outcome.series[i] = many_values(m, system.model(), trace);
    else if (outcome.status == OutcomeStatus::done)
      outcome.measured[i] = one_value(m, system.model(), trace, summary);
  }
}

// The value of a formula of the parameters of the model.
double StudyWorker::time(const StudyFormula& formula, const Model& model, double otherwise) const {
  if (!formula.given()) return otherwise;
  Graph graph;
  Scope scope;
  for (const Parameter& parameter : model.parameters) scope[parameter.name] = graph.constant(parameter.value);
  try {
    const double value = graph.evaluate(parse(graph, formula.text, scope), {});
    if (!std::isfinite(value))
      throw ModelError(study_.file, formula.place, "measure", fmt::format("found {}; expected a finite number", value));
    return value;
  } catch (const FormulaError& error) {
    throw ModelError(study_.file, formula.place, "measure",
                     fmt::format("in the formula of parameters: {}", error.what()));
  }
}

double StudyWorker::positive_time(const StudyFormula& formula, const Model& model) const {
  const double value = time(formula, model, 0.0);
  if (formula.given() && !(value > 0))
    throw ModelError(study_.file, formula.place, "time", fmt::format("found {}; expected a positive time", value));
  return value;
}

double StudyWorker::one_value(const StudyMeasure& m, const Model& model, const Trace& trace,
                              const Summary& summary) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double from = time(m.from, model, -infinity), to = time(m.to, model, infinity);
  if (m.kind == "event") return event_time(summary, filter_of(m, from, to), m.number);
  if (m.kind == "events") return count_events(summary, filter_of(m, from, to));
  const auto column = [&](const std::string& formula) { return std::span<const double>(trace.column(formula)); };
  if (m.kind == "at") return sampled(trace.t(), column(m.of[0].text), time(m.at, model, 0.0));
  if (m.kind == "at_first" || m.kind == "at_last") {
    const double when = reduce(m.kind.substr(3), trace.t(), column(condition(m)), Window{from, to, {}});
    return m.of.empty() || std::isnan(when) ? when : sampled(trace.t(), column(m.of[0].text), when);
  }
  Window window{from, to, {}};
  if (m.where.given()) window.where = column(m.where.text);
  return reduce(m.kind, trace.t(), column(m.of[0].text), window);
}

std::vector<double> StudyWorker::many_values(const StudyMeasure& m, const Model& model, const Trace& trace) const {
  const std::span<const double> t = trace.t(), x = trace.column(m.of[0].text);
  std::vector<double> values;
  if (t.empty()) return values;
  const double from = time(m.from, model, t.front()), to = std::min(time(m.to, model, t.back()), t.back());
  const double slack = 1e-12 * std::abs(t.back());
  if (m.period.given()) {
    const double period = positive_time(m.period, model);
    for (long k = 0; from + static_cast<double>(k) * period <= to + slack; ++k)
      values.push_back(interpolated(t, x, from + static_cast<double>(k) * period));
    return values;
  }
  const std::span<const double> holds = trace.column(condition(m));
  for (std::size_t k = 1; k < t.size(); ++k)
    if (holds[k] > 0 && !(holds[k - 1] > 0) && t[k] >= from - slack && t[k] <= to + slack) values.push_back(x[k]);
  return values;
}

}  // namespace tappet
