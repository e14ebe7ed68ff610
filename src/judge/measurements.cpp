// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "judge/measurements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "formula/parse.h"
#include "judge/measure.h"
#include "model/names.h"

namespace tappet {

namespace {

std::vector<std::span<const double>> columns(const FinishedRun& run, const std::vector<PlacedText>& formulas) {
  std::vector<std::span<const double>> result;
  for (const PlacedText& formula : formulas) result.emplace_back(run.trace->column(formula.text));
  return result;
}

EventFilter filter_of(const Measure& m) {
  EventFilter filter{{}, m.contact, m.from, m.to};
  for (const PlacedText& kind : m.of) filter.kinds.push_back(kind.text);
  return filter;
}

}  // namespace

Measurements::Measurements(const Reproduction& reproduction, const FinishedFamilies& families)
    : reproduction_(reproduction), families_(families) {
  for (const Measure& m : reproduction.measures) measured_[m.name] = measure(m);
}

void Measurements::refuse(Place place, const std::string& message) const {
  throw ModelError(reproduction_.file, place, "", message);
}

const Measured& Measurements::named(const PlacedText& name) const {
  const auto found = measured_.find(name.text);
  if (found == measured_.end()) refuse(name.place, fmt::format("no measure '{}' above", name.text));
  return found->second;
}

Measured Measurements::measure(const Measure& m) const {
  if (m.kind == "order") return order(m);
  Measured result;
  result.timed = m.kind == "cost";
  const auto& family = families_[m.runs[0]];
  for (size_t k = 0; k < family.size(); ++k) {
    const FinishedRun& run = family[k];
    result.labels.push_back(run.label), result.dt.push_back(run.dt);
    if (!run.trouble.empty()) result.trouble = run.trouble;
    result.values.push_back(run.trouble.empty() ? measure(m, run, k, result.trouble) : std::nan(""));
  }
  return result;
}

double Measurements::measure(const Measure& m, const FinishedRun& run, size_t member, std::string& trouble) const {
  if (m.kind == "cost")
    return m.of[0].text == "step" ? 1e6 * run.seconds / static_cast<double>(run.summary->steps) : run.seconds;
  if (m.kind == "event") return event_time(*run.summary, filter_of(m), m.number);
  if (m.kind == "events") return count_events(*run.summary, filter_of(m));
  Window window{m.from, m.to, {}};
  if (!m.where.text.empty()) window.where = run.trace->column(m.where.text);
  const auto x = columns(run, m.of);
  if (m.kind == "at") return sampled(run.trace->t(), x[0], m.at);
  if (m.kind != "distance") return reduce(m.kind, run.trace->t(), x[0], window);
  const auto& references = families_[m.runs[1]];
  if (references.size() != 1 && references.size() != families_[m.runs[0]].size())
    refuse(m.place, fmt::format("{} runs are compared with {}; expected one, or the same number",
                                families_[m.runs[0]].size(), references.size()));
  const FinishedRun& reference = references[references.size() == 1 ? 0 : member];
  if (!reference.trouble.empty()) {
    trouble = "the reference: " + reference.trouble;
    return std::nan("");
  }
  return distance(m.norm, run.trace->t(), x, reference.trace->t(), columns(reference, m.of), window);
}

Measured Measurements::order(const Measure& m) const {
  const Measured& errors = named(m.of.at(0));
  if (errors.values.size() < 2) refuse(m.place, "order: expected a measure over several dt");
  return {{observed_order(errors.dt, errors.values)}, {""}, {errors.dt.back()}, errors.trouble, errors.timed};
}

Measured Measurements::formula(const PlacedText& formula) const {
  if (formula.text.starts_with('#')) return measured_.at(formula.text);
  Measured result;
  std::vector<const Measured*> used;
  Graph graph;
  Scope scope;
  size_t count = 1;
  for (const std::string& name : names_in(formula.text)) {
    const auto found = measured_.find(name);
    if (found == measured_.end() || scope.contains(name)) continue;
    const Measured& m = found->second;
    scope[name] = graph.input(static_cast<int>(used.size()));
    used.push_back(&m);
    if (!m.trouble.empty()) result.trouble = m.trouble;
    result.timed = result.timed || m.timed;
    if (m.values.size() > 1 && count > 1 && m.values.size() != count)
      refuse(formula.place, fmt::format("measures of {} and of {} runs in one formula", count, m.values.size()));
    if (m.values.size() >= count) count = m.values.size(), result.labels = m.labels, result.dt = m.dt;
  }
  result.labels.resize(count);
  try {
    const Node node = parse(graph, formula.text, scope);
    for (size_t k = 0; k < count; ++k) {
      std::vector<double> inputs;
      for (const Measured* m : used) inputs.push_back((*m)[k]);
      result.values.push_back(graph.evaluate(node, inputs));
    }
  } catch (const FormulaError& error) {
    refuse(formula.place, fmt::format("in the formula of measures: {}", error.what()));
  }
  return result;
}

}  // namespace tappet
