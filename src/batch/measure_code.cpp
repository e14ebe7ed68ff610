// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "batch/measure_code.h"

#include <fmt/format.h>

#include <algorithm>

namespace tappet {

namespace {

// The class that computes a measure, by its kind.
const std::map<std::string, std::string>& reductions() {
  static const std::map<std::string, std::string> list{{"final", "Final"}, {"max", "Max"},   {"min", "Min"},
                                                       {"mean", "Mean"},   {"sum", "Sum"},   {"count", "Count"},
                                                       {"first", "First"}, {"last", "Last"}, {"growth", "Growth"}};
  return list;
}

}  // namespace

MeasureCode::MeasureCode(BatchEquations& equations, const Study& study)
    : e_(equations), study_(study), samples_(scope_of_samples()), parameters_(scope_of_parameters()) {
  for (const StudyMeasure& measure : study.measures) add(measure);
}

Scope MeasureCode::scope_of_parameters() const {
  Scope scope;
  for (const auto& [name, node] : e_.parameter_names) scope[name] = node;
  return scope;
}

// The names of record/trace.h, except for those of the step before and of forces that only some schemes have.
Scope MeasureCode::scope_of_samples() {
  Graph& graph = e_.graph;
  Scope scope = scope_of_parameters();
  for (const auto& [name, node] : e_.definitions) scope[name] = node;
  scope["t"] = e_.t;
  int slot = 1 + static_cast<int>(e_.q.size() + e_.u.size() + e_.P.size());
  for (const char* name : {"dt", "residual", "closed", "iterations", "unconverged"}) {
    step_inputs_[slot] = name;
    scope[name] = graph.input(slot++);
  }
  for (size_t i = 0; i < e_.q.size(); ++i) scope[e_.q_names[i]] = e_.q[i];
  for (size_t i = 0; i < e_.u.size(); ++i) scope[e_.u_names[i]] = e_.u[i];
  scope["kinetic"] = e_.kinetic, scope["potential"] = e_.potential;
  scope["energy"] = graph.add(e_.kinetic, e_.potential);
  Node violation = graph.constant(0.0);
  for (size_t k = 0; k < e_.contacts.size(); ++k) {
    const auto& contact = e_.contacts[k];
    const size_t row = k * e_.stride;
    violation = graph.max(violation, graph.negate(contact.gap));
    scope[contact.name + ".gap"] = contact.gap;
    scope[contact.name + ".gap_velocity"] = e_.rates[row];
    scope[contact.name + ".P_N"] = e_.P[row];
    for (int i = 0; i < contact.friction; ++i) {
      const std::string number = i == 0 ? "" : std::to_string(i + 1);
      scope[contact.name + ".slip_velocity" + number] = e_.rates[row + 1 + i];
      scope[contact.name + ".P_F" + number] = e_.P[row + 1 + i];
    }
  }
  scope["violation"] = violation;
  return scope;
}

Node MeasureCode::parsed(const StudyFormula& formula, const std::string& text, const Scope& scope) {
  try {
    return parse(e_.graph, text, scope);
  } catch (const FormulaError& error) {
    throw ModelError(study_.file, formula.place, "measure", fmt::format("in a batch: {}", error.what()));
  }
}

int MeasureCode::quantity(const StudyFormula& formula, const std::string& text) {
  const Node node = parsed(formula, text, samples_);
  const auto known = std::find(quantities_.begin(), quantities_.end(), node);
  if (known != quantities_.end()) return static_cast<int>(known - quantities_.begin());
  quantities_.push_back(node);
  return static_cast<int>(quantities_.size()) - 1;
}

int MeasureCode::time(const StudyFormula& formula) {
  times_.push_back(parsed(formula, formula.text, parameters_));
  return static_cast<int>(times_.size()) - 1;
}

void MeasureCode::add(const StudyMeasure& m) {
  const auto refuse = [&](const std::string& what) {
    throw ModelError(study_.file, m.place, "measure." + m.name, what + "; a batch cannot do that, `tappet study` can");
  };
  if (m.kind == "event" || m.kind == "events") refuse("no scheme of a batch locates events");
  if (m.many() && !m.period.given()) refuse("nobody knows beforehand how many values it has");
  const int i = count_++;
  if (m.many()) return add_strobe(m, i);
  std::string window = "all_true()";
  if (m.from.given()) window += fmt::format(" & (real(time.t) >= p.times[{}] - time.slack)", this->time(m.from));
  if (m.to.given()) window += fmt::format(" & (real(time.t) <= p.times[{}] + time.slack)", this->time(m.to));
  if (m.where.given()) window += fmt::format(" & (x[{}] > 0.0)", quantity(m.where, m.where.text));
  if (m.kind == "final" && window == "all_true()") {  // nothing need be kept during the run
    values_ += fmt::format("    out[{}] = x[{}];\n", i, quantity(m.of[0], m.of[0].text));
    return;
  }
  std::string type, first = "time.t", value;
  if (const auto reduction = reductions().find(m.kind); reduction != reductions().end()) {
    type = reduction->second;
    value = fmt::format("x[{}]", quantity(m.of[0], m.of[0].text));
  } else if (m.kind == "at") {
    type = "At";
    value = fmt::format("x[{}]", quantity(m.of[0], m.of[0].text));
    start_ += fmt::format("    m{}.start(p.times[{}]);\n", i, this->time(m.at));
  } else {
    type = m.kind == "at_first" ? "AtFirst" : "AtLast";
    first = fmt::format("x[{}]", quantity(m.when, fmt::format("if({}, 1, 0)", m.when.text)));
    value = m.of.empty() ? "real(time.t)" : fmt::format("x[{}]", quantity(m.of[0], m.of[0].text));
  }
  members_ += fmt::format("  {}Measure m{};\n", type, i);
  if (m.kind != "at") start_ += fmt::format("    m{}.start();\n", i);
  see_ += fmt::format("    m{}.see({}, {}, {});\n", i, first, value, window);
  values_ += fmt::format("    out[{0}] = m{0}.value();\n", i);
}

void MeasureCode::add_strobe(const StudyMeasure& m, int i) {
  const auto time_or = [&](const StudyFormula& formula, const char* otherwise) {
    return formula.given() ? fmt::format("p.times[{}]", this->time(formula)) : fmt::format("real({})", otherwise);
  };
  if (series_ == 0) members_ += "  Series series;\n", start_ += "    series = given;\n";
  members_ += fmt::format("  StrobeMeasure m{};\n", i);
  start_ += fmt::format("    m{}.start({}, {}, {});\n", i, time_or(m.from, "0.0"), time_or(m.to, "1e300"),
                        time_or(m.period, ""));
  see_ += fmt::format("    m{}.see(time, x[{}], series, {});\n", i, quantity(m.of[0], m.of[0].text), series_);
  values_ += fmt::format("    out[{0}] = m{0}.finish(time, series, {1});\n", i, series_);
  ++series_;
}

std::string MeasureCode::text() const {
  const std::string sample = fmt::format(
      "    Real x[{}];\n"
      "    quantities(p, real(time.t), real(time.dt), q, u, result.P, result.residual, result.closed,\n"
      "               result.iterations, zero_or_one(!result.converged), x);\n",
      std::max<size_t>(1, quantities_.size()));
  return fmt::format(
      "struct Measures {{\n{0}"
      "  TAPPET_MEMBER void start(const Parameters& p, const Series& given) {{\n{1}  }}\n"
      "  TAPPET_MEMBER void see(const Parameters& p, const Time& time, const Real* q, const Real* u,\n"
      "                         const StepResult& result) {{\n{2}{3}  }}\n"
      "  TAPPET_MEMBER void values(const Parameters& p, const Time& time, const Real* q, const Real* u,\n"
      "                            const StepResult& result, Real* out) const {{\n{2}{4}  }}\n}};\n",
      members_, start_, sample, see_, values_);
}

}  // namespace tappet
