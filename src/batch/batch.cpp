// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "batch/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "formula/parse.h"
#include "model/model_text.h"
#include "run/jobs.h"
#include "run/settings.h"

namespace tappet {

namespace {

using Clock = std::chrono::steady_clock;
constexpr double infinity = std::numeric_limits<double>::infinity();

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::vector<std::string> names_of(const Plan& plan) {
  std::vector<std::string> names;
  for (const StudyAxis& axis : plan.axes()) names.push_back(axis.parameter);
  return names;
}

}  // namespace

Batch::Batch(const Study& study) : study_(study), worker_(study) {
  if (study.threshold || study.fit)
    throw ModelError(study.file, study.scheme_place, "study",
                     "`threshold:` and `fit:` choose each run from those before; a batch needs all values beforehand");
  for (const StudyAxis& axis : study.plan.axes())
    if (axis.parameter == "dt" || axis.parameter == "end")
      throw ModelError(study.file, axis.place, "vary." + axis.parameter,
                       "all instances of a batch have the same times; expected a parameter of the model");
  std::vector<double> values;
  study.plan.values(0, values);
  const ModelText text(study.model_text, study.model_file);
  const std::string& model_file = study.model_file;
  KeptParameters kept{names_of(study.plan)};
  Model model = text.model(worker_.overrides(values), kept);
  BatchEquations equations = batch_equations(std::move(model), kept);
  read_settings();
  for (const StudyFormula* time : {&study.dt, &study.end}) check_time(equations, *time);
  if (equations.joint_rows > 0 && !scheme_.starts_with("moreau"))
    throw ModelError(model_file, {}, "joints",
                     fmt::format("{} has no code for joints; expected moreau-midpoint or moreau-explicit", scheme_));
  compile_checks(equations);
  try {
    code_ = batch_code(equations, study, scheme_);
  } catch (const std::invalid_argument& error) {
    throw ModelError(model_file, {}, "model",
                     fmt::format("{}; a batch cannot do that, `tappet study` can", error.what()));
  }
}

void Batch::check_time(BatchEquations& equations, const StudyFormula& time) const {
  if (!time.given()) return;
  Scope scope;
  for (const auto& [name, node] : equations.parameter_names) scope[name] = node;
  if (!equations.graph.is_constant(parse(equations.graph, time.text, scope)))
    throw ModelError(
        study_.file, time.place, "time",
        fmt::format("'{}' depends on a parameter that varies; all instances of a batch have the same times",
                    time.text));
}

// The settings of the first run.
void Batch::read_settings() {
  std::vector<double> values;
  study_.plan.values(0, values);
  const ModelText text(study_.model_text, study_.model_file);
  const Model model = text.model(worker_.overrides(values));
  const Settings settings = settings_of(model, worker_.options(values, model));
  require_times(settings, model);
  scheme_ = settings.scheme;
  if (std::find(batch_schemes().begin(), batch_schemes().end(), scheme_) == batch_schemes().end())
    throw ModelError(study_.file, study_.scheme_place, "scheme",
                     fmt::format("{} has no code for batches; expected one of: {}. `tappet study` has all schemes",
                                 scheme_, fmt::join(batch_schemes(), ", ")));
  if (model.run.project_start > 0.0)
    throw ModelError(model.file, model.run.start_place, "run.start",
                     "a batch does not move the start onto joints and contacts; expected a start that fulfils them");
  settings_.tolerance = SolverOptions{}.tolerance;
  const auto of_study = [&](const Option& option) {
    return std::any_of(study_.options.begin(), study_.options.end(),
                       [&](const Option& own) { return own.key == option.key; });
  };
  for (const Option& option : settings.options) {
    if (option.key == "tolerance")
      settings_.tolerance = std::stod(option.value);
    else if (!(option.key == "impact" && option.value == "newton") &&
             !(option.key == "impulsive" && option.value == "everywhere") &&
             !(option.key == "projection" && option.value == "velocity") &&
             !(option.key == "solver" && option.value == "auto"))
      throw ModelError(of_study(option) ? study_.file : model.file, option.place, option.key,
                       fmt::format("a batch does not have the option {}={}", option.key, option.value));
  }
  const TimeGrid grid(settings.dt, settings.end);
  settings_.dt = settings.dt, settings_.end = settings.end, settings_.steps = grid.steps();
  settings_.last_dt = grid.dt(grid.steps() - 1);
  settings_.record_every = std::max(1, settings.record_every);
}

// What the engine would refuse: laws out of their range, and a start that violates joints or contacts.
void Batch::compile_checks(BatchEquations& e) {
  std::vector<Node> outputs;
  const auto between = [&](Node node, double low, double high) {
    outputs.push_back(node), low_.push_back(low), high_.push_back(high);
  };
  Graph& graph = e.graph;
  std::vector<std::pair<Node, Node>> start{{e.t, graph.constant(0.0)}};
  for (size_t i = 0; i < e.q.size(); ++i) start.emplace_back(e.q[i], e.q_start[i]);
  for (size_t i = 0; i < e.u.size(); ++i) start.emplace_back(e.u[i], e.u_start[i]);
  for (const auto& contact : e.contacts) {
    between(contact.e_N, 0.0, 1.0), between(contact.e_F, 0.0, 1.0), between(contact.mu, 0.0, infinity);
    between(graph.substitute(contact.gap, start), -1e-9, infinity);
  }
  for (const auto* nodes : {&e.q_start, &e.u_start})
    for (Node node : *nodes) between(node, -infinity, infinity);
  between(graph.substitute(graph.add(e.kinetic, e.potential), start), -infinity, infinity);
  for (Node node : e.accelerations) between(graph.substitute(node, start), -infinity, infinity);
  for (Node node : e.joint_values) between(graph.substitute(node, start), -1e-9, 1e-9);
  std::vector<std::pair<Node, Node>> slots;
  for (size_t i = 0; i < e.parameters.size(); ++i)
    slots.emplace_back(e.parameters[i], graph.input(static_cast<int>(i)));
  for (Node& node : outputs) node = graph.substitute(node, slots);
  checks_ = Program(graph, outputs, static_cast<int>(e.parameters.size()));
}

bool Batch::is_sound(const double* values, std::vector<double>& scratch) const {
  const size_t outputs = low_.size();
  scratch.resize(outputs + checks_.register_count());
  checks_.run(values, scratch.data(), scratch.data() + outputs);
  for (size_t i = 0; i < outputs; ++i)
    if (!(scratch[i] >= low_[i] && scratch[i] <= high_[i] && std::isfinite(scratch[i]))) return false;
  return true;
}

StudyOutcome Batch::outcome(const double* out, long count, long instance) const {
  const auto number = [&](int i) { return out[i * count + instance]; };
  StudyOutcome outcome;
  outcome.status = OutcomeStatus::done;
  outcome.steps = settings_.steps;
  outcome.unconverged = std::lround(number(batch_unconverged));
  outcome.iterations = number(batch_iterations);
  for (size_t m = 0; m < study_.measures.size(); ++m)
    outcome.measured.push_back(number(batch_numbers + static_cast<int>(m)));
  outcome.series.resize(study_.measures.size());
  return outcome;
}

// The runs from `next` on that are missing and sound, as many as the machine takes at a time.
std::vector<long> Batch::take(long& next, long most, const StudyResults& results, std::vector<double>& values) const {
  std::vector<long> runs;
  std::vector<double> one, scratch, by_run;
  for (; next < results.runs() && static_cast<long>(runs.size()) < most; ++next) {
    if (results.finished(next)) continue;
    study_.plan.values(next, one);
    if (!is_sound(one.data(), scratch)) continue;
    runs.push_back(next);
    by_run.insert(by_run.end(), one.begin(), one.end());
  }
  const size_t axes = study_.plan.axes().size();
  values.resize(by_run.size());
  for (size_t i = 0; i < runs.size(); ++i)
    for (size_t a = 0; a < axes; ++a) values[a * runs.size() + i] = by_run[i * axes + a];
  return runs;
}

BatchReport Batch::run(const BatchOptions& options, StudyResults& results) const {
  const auto stopped = [&] { return options.stop && options.stop->load(std::memory_order_relaxed); };
  const auto began = Clock::now();
  const std::unique_ptr<BatchMachine> machine =
      options.on == "gpu" ? graphics_processor(code_) : processor(code_, options.threads);
  BatchReport report{.machine = machine->name(), .operations = code_.operations};
  report.prepare_seconds = seconds_since(began);
  std::vector<double> values, out;
  for (long next = 0; next < results.runs() && !stopped();) {
    const std::vector<long> runs = take(next, machine->instances_at_a_time(), results, values);
    const long count = static_cast<long>(runs.size());
    out.resize(code_.outputs * count);
    const auto start = Clock::now();
    if (count > 0) machine->run(settings_, values.data(), out.data(), count, options.stop);
    report.run_seconds += seconds_since(start);
    if (stopped()) break;
    for (long i = 0; i < count; ++i) {
      if (out[batch_finite * count + i] != 1.0 || out[batch_unconverged * count + i] != 0.0) continue;
      report.residual = std::max(report.residual, out[batch_residual * count + i]);
      report.steps += settings_.steps;
      results.set(runs[i], outcome(out.data(), count, i));
    }
    if (options.progress) options.progress(results.done(), results.runs(), 0);
  }
  report.on_the_host = results.runs() - results.done();
  if (report.on_the_host > 0 && !stopped())
    run_study(study_, {.threads = options.threads, .stop = options.stop, .progress = options.progress}, results);
  return report;
}

}  // namespace tappet
