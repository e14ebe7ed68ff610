// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "batch/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <ostream>

#include "formula/parse.h"
#include "model/model_text.h"
#include "run/jobs.h"
#include "run/settings.h"

namespace tappet {

namespace {

using Clock = std::chrono::steady_clock;
constexpr long most_numbers = 1L << 27;  // that come back at a time, of all instances together: 1 GiB
constexpr double infinity = std::numeric_limits<double>::infinity();

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// The options of schemes that the generated code has: their defaults, and a round friction cone in lcp-euler.
bool has_code_for(const std::string& scheme, const Option& option) {
  static const std::vector<std::array<std::string, 3>> list{{"", "solver", "auto"},
                                                            {"moreau-", "impact", "newton"},
                                                            {"half-explicit-velocity", "impact", "newton"},
                                                            {"explicit-velocity", "impact", "newton"},
                                                            {"half-explicit-velocity", "impulsive", "everywhere"},
                                                            {"explicit-velocity", "projection", "velocity"},
                                                            {"moreau-jean", "theta", "0.5"},
                                                            {"moreau-jean", "forecast", "explicit"},
                                                            {"moreau-jean", "gamma", "0"},
                                                            {"moreau-jean", "directions", "implicit"},
                                                            {"moreau-jean", "joint_forces", "theta"},
                                                            {"moreau-jean", "form", "printed"},
                                                            {"lcp-euler", "forces", "implicit"},
                                                            {"lcp-euler", "impact", "poisson"},
                                                            {"lcp-euler", "force_jacobian", "auto"},
                                                            {"lcp-euler", "stabilisation", "0"},
                                                            {"lcp-euler", "linearisations", "1"},
                                                            {"lcp-euler", "directions", "0"},
                                                            {"ggl-unified", "contact_level", "ggl"},
                                                            {"ggl-unified", "joint_level", "ggl"},
                                                            {"ggl-unified", "predictor", "free"},
                                                            {"ggl-unified", "gaps", "exact"},
                                                            {"ggl-unified", "newton", "complementarity"}};
  return std::any_of(list.begin(), list.end(), [&](const auto& entry) {
    return scheme.starts_with(entry[0]) && option.key == entry[1] && option.value == entry[2];
  });
}

std::vector<std::string> names_of(const Plan& plan) {
  std::vector<std::string> names;
  for (const StudyAxis& axis : plan.axes()) names.push_back(axis.parameter);
  return names;
}

}  // namespace

Batch::Batch(const Study& study) : study_(study), worker_(study) {
  if (study.until || study.chooses_values())
    throw ModelError(
        study.file, study.scheme_place, "study",
        "`threshold:`, `until:`, `fit:`, `minimise:` and `maximise:` choose each run from those before; a batch "
        "needs all values beforehand");
  for (const StudyAxis& axis : study.plan.axes())
    if (axis.parameter == "dt" || axis.parameter == "end")
      throw ModelError(study.file, axis.place, "vary." + axis.parameter,
                       "all instances of a batch have the same times; expected a parameter of the model");
  const std::string& model_file = study.model_file;
  BatchEquations equations = this->equations();
  read_settings();
  for (const StudyFormula* time : {&study.dt, &study.end}) fixed_time(equations, *time, 0.0);
  count_series(equations);
  require_round_cone(equations);
  compile_checks(equations);
  try {
    code_ = batch_code(equations, study, scheme_);
  } catch (const std::invalid_argument& error) {
    throw ModelError(model_file, {}, "model",
                     fmt::format("{}; a batch cannot do that, `tappet study` can", error.what()));
  }
}

// In space lcp-euler replaces the friction cone by a polygon, for which the contact solver of the code does not work.
void Batch::require_round_cone(const BatchEquations& equations) const {
  if (scheme_ != "lcp-euler" || equations.stride < 3 || round_cone_) return;
  const auto contact =
      std::find_if(equations.contacts.begin(), equations.contacts.end(), [](const auto& c) { return c.friction > 1; });
  throw ModelError(study_.model_file, contact->place, "contacts." + contact->name,
                   "lcp-euler has a polygon instead of a friction cone in space, and a batch has no code for it; "
                   "expected the option directions=0, the round cone");
}

BatchEquations Batch::equations() {
  std::vector<double> values;
  study_.plan.values(0, values);
  const ModelText text(study_.model_text, study_.model_file);
  const Model model = text.model(worker_.overrides(values));
  if (!model.colliders.empty())
    refuse(model, model.colliders[0].place, "colliders." + model.colliders[0].name,
           "its contacts are found during the run, so that their number changes");
  if (model.bodies.empty()) {
    KeptParameters kept{names_of(study_.plan)};
    return batch_equations(text.model(worker_.overrides(values), kept), kept);
  }
  bodies_ = std::make_unique<BodyInputs>(study_, worker_);
  return batch_equations(bodies_->system(), bodies_->times(), bodies_->numbers(), bodies_->varies());
}

// The value of a time that is the same for all instances; `otherwise` if it is not given.
double Batch::fixed_time(BatchEquations& equations, const StudyFormula& time, double otherwise) const {
  if (!time.given()) return otherwise;
  Scope scope;
  for (const auto& [name, node] : equations.parameter_names) scope[name] = node;
  const Node node = parse(equations.graph, time.text, scope);
  if (!equations.graph.is_constant(node))
    throw ModelError(
        study_.file, time.place, "time",
        fmt::format("'{}' depends on a parameter that varies; all instances of a batch have the same times",
                    time.text));
  return equations.graph.value(node);
}

void Batch::count_series(BatchEquations& equations) {
  for (const StudyMeasure& m : study_.measures) {
    if (!m.period.given()) continue;
    const double from = fixed_time(equations, m.from, 0.0), period = fixed_time(equations, m.period, 0.0);
    const double to = std::min(fixed_time(equations, m.to, settings_.end), settings_.end);
    if (!(period > 0))
      throw ModelError(study_.file, m.period.place, "time", fmt::format("found {}; expected a positive time", period));
    const double values = std::max(0.0, (to - from) / period) + 2;  // no fewer than those that rounding may add
    if (values > 1e6)
      throw ModelError(study_.file, m.place, "measure." + m.name,
                       fmt::format("it has {:.3g} values; expected at most a million for each instance", values));
    settings_.series = std::max(settings_.series, static_cast<long long>(values));
  }
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
    round_cone_ = round_cone_ || (option.key == "directions" && option.value == "0");
    if (option.key == "tolerance")
      settings_.tolerance = std::stod(option.value);
    else if (!has_code_for(scheme_, option))
      throw ModelError(of_study(option) ? study_.file : model.file, option.place, option.key,
                       fmt::format("a batch does not have the option {}={}", option.key, option.value));
  }
  const TimeGrid grid(settings.dt, settings.end);
  settings_.dt = settings.dt, settings_.end = settings.end, settings_.steps = static_cast<double>(grid.steps());
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
    between(contact.e_N, 0.0, 1.0), between(contact.e_F, 0.0, scheme_ == "lcp-euler" ? 0.0 : 1.0),
        between(contact.mu, 0.0, infinity);
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
  const auto number = [&](long i) { return out[i * count + instance]; };
  StudyOutcome outcome;
  outcome.status = OutcomeStatus::done;
  outcome.steps = std::lround(settings_.steps);
  outcome.unconverged = std::lround(number(batch_unconverged));
  outcome.iterations = number(batch_iterations);
  outcome.series.resize(study_.measures.size());
  long next = code_.outputs;  // the numbers of the next measure with many values
  for (size_t m = 0; m < study_.measures.size(); ++m) {
    const double value = number(batch_numbers + static_cast<long>(m));
    const bool many = study_.measures[m].many();
    outcome.measured.push_back(many ? std::numeric_limits<double>::quiet_NaN() : value);
    if (!many) continue;
    for (long k = 0; k < std::lround(value); ++k) outcome.series[m].push_back(number(next + k));
    next += static_cast<long>(settings_.series);
  }
  return outcome;
}

// Appends the inputs of an instance. Returns false if the engine must carry it out.
bool Batch::add_inputs(const ModelText& text, long run, std::vector<double>& to) const {
  std::vector<double> values, scratch;
  study_.plan.values(run, values);
  const size_t first = to.size();
  if (bodies_) {
    if (!bodies_->add(text, values, to)) return false;
  } else {
    to.insert(to.end(), values.begin(), values.end());
  }
  if (is_sound(to.data() + first, scratch)) return true;
  to.resize(first);
  return false;
}

// The runs from `next` on that are missing and sound, as many as the machine takes at a time.
std::vector<long> Batch::take(long& next, long most, const StudyResults& results, int threads,
                              std::vector<double>& values) const {
  std::vector<long> missing;
  for (; next < results.runs() && static_cast<long>(missing.size()) < most; ++next)
    if (!results.finished(next)) missing.push_back(next);
  struct Part {
    std::vector<long> runs;
    std::vector<double> inputs;
  };
  constexpr long part_size = 4096;
  std::vector<Part> parts((missing.size() + part_size - 1) / part_size);
  run_jobs(static_cast<int>(parts.size()), threads > 0 ? threads : default_threads(), [&](int i) {
    const ModelText text(study_.model_text, study_.model_file);
    for (size_t k = i * part_size; k < std::min<size_t>(missing.size(), (i + 1) * part_size); ++k)
      if (add_inputs(text, missing[k], parts[i].inputs)) parts[i].runs.push_back(missing[k]);
  });
  std::vector<long> runs;
  for (const Part& part : parts) runs.insert(runs.end(), part.runs.begin(), part.runs.end());
  const size_t inputs = code_.inputs;
  values.resize(inputs * runs.size());
  size_t first = 0;
  for (const Part& part : parts) {
    for (size_t i = 0; i < part.runs.size(); ++i)
      for (size_t a = 0; a < inputs; ++a) values[a * runs.size() + first + i] = part.inputs[i * inputs + a];
    first += part.runs.size();
  }
  return runs;
}

void Batch::write_inputs(std::ostream& to) const {
  std::vector<double> values;
  long next = 0;
  const StudyResults none(study_);
  const std::vector<long> runs = take(next, none.runs(), none, 0, values);
  to << fmt::format("{} {} {} {:.17g} {:.17g} {:.17g} {:.17g} {} {} {}\n", code_.inputs, runs.size(),
                    numbers_of(code_, settings_), settings_.dt, settings_.last_dt, settings_.end, settings_.tolerance,
                    settings_.steps, settings_.record_every, settings_.series);
  to.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(double)));
}

BatchReport Batch::run(const BatchOptions& options, StudyResults& results) const {
  const auto stopped = [&] { return options.stop && options.stop->load(std::memory_order_relaxed); };
  const auto began = Clock::now();
  const std::unique_ptr<BatchMachine> machine =
      options.on == "gpu" ? graphics_processor(code_) : processor(code_, options.threads);
  BatchReport report;
  report.operations = code_.operations;
  report.prepare_seconds = seconds_since(began);
  std::vector<double> values, out;
  const long numbers = numbers_of(code_, settings_);
  const long at_a_time = std::clamp<long>(most_numbers / numbers, 1, machine->instances_at_a_time(settings_));
  for (long next = 0; next < results.runs() && !stopped();) {
    const std::vector<long> runs = take(next, at_a_time, results, options.threads, values);
    const long count = static_cast<long>(runs.size());
    out.assign(numbers * count, std::numeric_limits<double>::quiet_NaN());  // not computed, if the run is stopped
    const auto start = Clock::now();
    if (count > 0) report.compute_seconds += machine->run(settings_, values.data(), out.data(), count, options.stop);
    report.run_seconds += seconds_since(start);
    for (long i = 0; i < count; ++i) {
      if (out[batch_finite * count + i] != 1.0 || out[batch_unconverged * count + i] != 0.0) continue;
      report.residual = std::max(report.residual, out[batch_residual * count + i]);
      report.steps += std::lround(settings_.steps);
      results.set(runs[i], outcome(out.data(), count, i));
    }
    if (options.progress) options.progress(results.done(), results.runs(), 0);
  }
  report.machine = machine->name();
  report.on_the_host = results.runs() - results.done();
  if (report.on_the_host > 0 && !stopped())
    run_study(study_, {.threads = options.threads, .stop = options.stop, .progress = options.progress}, results);
  return report;
}

}  // namespace tappet
