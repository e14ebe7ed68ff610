// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "formula/parse.h"
#include "model/names.h"
#include "model/nearest.h"

namespace tappet {

namespace {

// A measured quantity: one number, or one for each run of a family.
struct Measured {
  std::vector<double> values;
  std::vector<std::string> labels;
  std::vector<double> dt;
  std::string trouble;

  double operator[](size_t k) const { return values.size() == 1 ? values[0] : values[k]; }
};

std::vector<std::span<const double>> columns(const FinishedRun& run, const std::vector<PlacedText>& formulas) {
  std::vector<std::span<const double>> result;
  for (const PlacedText& formula : formulas) result.emplace_back(run.trace->column(formula.text));
  return result;
}

double event_time_or_count(const Measure& m, const Summary& summary) {
  int count = 0;
  for (const RecordedEvent& event : summary.events) {
    const bool right_contact =
        m.contact.empty() || (event.contact >= 0 && summary.contact_names[event.contact] == m.contact);
    const bool right_kind =
        std::any_of(m.of.begin(), m.of.end(), [&](const auto& kind) { return kind.text == event.kind; });
    if (!right_contact || !right_kind || event.t < m.from || event.t > m.to) continue;
    if (++count == m.number && m.kind == "event") return event.t;
  }
  return m.kind == "events" ? count : std::nan("");
}

class Judge {
 public:
  Judge(const Reproduction& reproduction, const FinishedFamilies& families, Reproduced& result)
      : reproduction_(reproduction), families_(families), result_(result) {}

  void go() {
    for (const Measure& m : reproduction_.measures) measured_[m.name] = measure(m);
    for (const Check& c : reproduction_.checks) check(c);
    for (const Figure& f : reproduction_.figures) result_.figures.push_back(f.over_dt ? over_dt(f) : over_time(f));
    for (const Outcome& outcome : result_.outcomes) result_.verdict = std::max(result_.verdict, outcome.verdict);
  }

 private:
  [[noreturn]] void refuse(Place place, const std::string& message) const {
    throw ModelError(reproduction_.file, place, "", message);
  }

  Measured measure(const Measure& m) const {
    if (m.kind == "order") return order(m);
    Measured result;
    const auto& family = families_[m.runs[0]];
    for (size_t k = 0; k < family.size(); ++k) {
      const FinishedRun& run = family[k];
      result.labels.push_back(run.label), result.dt.push_back(run.dt);
      if (!run.trouble.empty()) result.trouble = run.trouble;
      result.values.push_back(run.trouble.empty() ? measure(m, run, k, result.trouble) : std::nan(""));
    }
    return result;
  }

  double measure(const Measure& m, const FinishedRun& run, size_t member, std::string& trouble) const {
    if (m.kind == "cost")
      return m.of[0].text == "step" ? 1e6 * run.seconds / static_cast<double>(run.summary->steps) : run.seconds;
    if (m.kind == "event" || m.kind == "events") return event_time_or_count(m, *run.summary);
    Window window{m.from, m.to, {}};
    if (!m.where.text.empty()) window.where = run.trace->column(m.where.text);
    const auto x = columns(run, m.of);
    if (m.kind == "at") return sampled(run.trace->t(), x[0], m.at);
    if (m.kind != "distance") return reduce(m.kind, run.trace->t(), x[0], window);
    const auto& references = families_[m.runs[1]];
    if (references.size() != 1 && references.size() != families_[m.runs[0]].size())
      refuse(m.place, fmt::format("{} runs against {}; expected one, or as many", families_[m.runs[0]].size(),
                                  references.size()));
    const FinishedRun& reference = references[references.size() == 1 ? 0 : member];
    if (!reference.trouble.empty()) {
      trouble = "the reference: " + reference.trouble;
      return std::nan("");
    }
    return distance(m.norm, run.trace->t(), x, reference.trace->t(), columns(reference, m.of), window);
  }

  Measured order(const Measure& m) const {
    const auto found = measured_.find(m.of.empty() ? "" : m.of[0].text);
    if (found == measured_.end() || found->second.values.size() < 2)
      refuse(m.place, "order: expected the name of a measure above, over several dt");
    const Measured& errors = found->second;
    return {{observed_order(errors.dt, errors.values)}, {""}, {errors.dt.back()}, errors.trouble};
  }

  // A formula of measures, for every run they were taken in.
  Measured formula(const PlacedText& formula) const {
    if (formula.text.starts_with('#')) return measured_.at(formula.text);
    Measured result;
    std::vector<const Measured*> used;
    std::vector<std::string> names;
    for (const auto& [name, m] : measured_) names.push_back(name);
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

  static std::string number(double x) { return std::isfinite(x) ? fmt::format("{:.4g}", x) : std::string("none"); }

  void check(const Check& c) {
    const Measured value = formula(c.value);
    const size_t count = value.values.size();
    if (!c.published.empty() && c.published.size() != count && c.published.size() != 1)
      refuse(c.place, fmt::format("{} published numbers for {} measured ones", c.published.size(), count));
    std::vector<Measured> below, above;
    for (const PlacedText& bound : c.below) below.push_back(formula(bound));
    for (const PlacedText& bound : c.above) above.push_back(formula(bound));
    const auto bound = [&](const std::vector<Measured>& bounds, size_t k) {
      return bounds.size() == 1 ? bounds[0][k] : bounds.at(k)[0];
    };
    for (const auto* bounds : {&below, &above})
      if (bounds->size() > 1 && bounds->size() != count)
        refuse(c.place, fmt::format("{} bounds for {} measured numbers", bounds->size(), count));
    for (size_t k = 0; k < count; ++k) {
      const double x = value[k];
      Outcome o{c.what, "", number(x), "", Verdict::passed, c.note};
      if (!c.published_words.empty()) o.published = c.published_words[std::min(k, c.published_words.size() - 1)];
      if (count > 1 && !value.labels[k].empty()) o.what += ", " + value.labels[k];
      bool good = std::isfinite(x);
      if (!c.published.empty()) {
        const double printed = c.published.size() == 1 ? c.published[0] : c.published[k];
        const double within = c.within.size() == 1 ? c.within[0] : c.within[k];
        o.published = fmt::format("{}", printed);
        o.bar = c.relative ? fmt::format("± {:g} %", 100 * within) : fmt::format("± {:g}", within);
        good = good && std::abs(x - printed) <= within * (c.relative ? std::abs(printed) : 1.0);
      }
      if (!below.empty()) {
        o.bar += fmt::format("{}< {}", o.bar.empty() ? "" : ", ", number(bound(below, k)));
        good = good && x < bound(below, k);
      }
      if (!above.empty()) {
        o.bar += fmt::format("{}> {}", o.bar.empty() ? "" : ", ", number(bound(above, k)));
        good = good && x > bound(above, k);
      }
      if (!good) o.verdict = c.differs.empty() ? Verdict::failed : Verdict::differs;
      if (o.verdict == Verdict::differs) o.note = c.differs;
      if (!std::isfinite(x)) o.note = value.trouble.empty() ? "nothing of the kind happened" : value.trouble;
      result_.outcomes.push_back(std::move(o));
    }
  }

  Plot over_time(const Figure& f) const {
    Plot plot{f.title, {f.x_label, f.log_x}, {f.y_label, f.log_y}, {}};
    for (const int r : f.runs)
      for (const FinishedRun& run : families_[r]) {
        if (!f.members.empty() && std::find(f.members.begin(), f.members.end(), run.label) == f.members.end()) continue;
        for (const auto& [label, formula] : f.y) {
          Curve curve;
          std::vector<std::string> words;
          if (!label.empty()) words.push_back(label);
          if (f.runs.size() > 1 || (label.empty() && run.label.empty())) words.push_back(reproduction_.runs[r].name);
          if (!run.label.empty()) words.push_back(run.label);
          curve.label = fmt::format("{}", fmt::join(words, ", "));
          const auto &t = run.trace->t(), &x = run.trace->column(f.x.text), &y = run.trace->column(formula.text);
          for (size_t k = 0; k < t.size(); ++k)
            if (t[k] >= f.from && t[k] <= f.to) curve.x.push_back(x[k]), curve.y.push_back(y[k]);
          plot.curves.push_back(std::move(curve));
        }
      }
    return plot;
  }

  Plot over_dt(const Figure& f) const {
    Plot plot{f.title, {f.x_label, f.log_x}, {f.y_label, f.log_y}, {}};
    for (const auto& [label, name] : f.y) {
      const auto found = measured_.find(name.text);
      if (found == measured_.end()) refuse(name.place, fmt::format("no measure '{}'", name.text));
      plot.curves.push_back({label, found->second.dt, found->second.values, true});
    }
    return plot;
  }

  const Reproduction& reproduction_;
  const FinishedFamilies& families_;
  Reproduced& result_;
  std::map<std::string, Measured> measured_;
};

}  // namespace

void judge(const Reproduction& reproduction, const FinishedFamilies& families, Reproduced& result) {
  Judge(reproduction, families, result).go();
}

}  // namespace tappet
