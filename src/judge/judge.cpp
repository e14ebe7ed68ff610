// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "judge/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tappet {

namespace {

std::string number(double x) { return std::isfinite(x) ? fmt::format("{:.4g}", x) : std::string("none"); }

class Judge {
 public:
  Judge(const Reproduction& reproduction, const FinishedFamilies& families, Reproduced& result)
      : reproduction_(reproduction), families_(families), measured_(reproduction, families), result_(result) {}

  void go() {
    for (const Check& c : reproduction_.checks) check(c);
    for (const Figure& f : reproduction_.figures) result_.figures.push_back(f.over_dt ? over_dt(f) : over_time(f));
    for (const Outcome& outcome : result_.outcomes) result_.verdict = std::max(result_.verdict, outcome.verdict);
  }

 private:
  using Bounds = std::vector<Measured>;  // one, or one for each value
  Bounds bounds(const Check& c, const std::vector<PlacedText>& formulas, size_t count) const {
    Bounds result;
    for (const PlacedText& formula : formulas) result.push_back(measured_.formula(formula));
    if (result.size() > 1 && result.size() != count)
      measured_.refuse(c.place, fmt::format("{} bounds for {} measured numbers", result.size(), count));
    return result;
  }
  static double bound(const Bounds& bounds, size_t k) { return bounds.size() == 1 ? bounds[0][k] : bounds[k][0]; }

  void check(const Check& c) {
    const Measured value = measured_.formula(c.value);
    const size_t count = value.values.size();
    for (const size_t given : {c.published.size(), c.reference.size()})
      if (given > 1 && given != count)
        measured_.refuse(c.place, fmt::format("{} {} numbers for {} measured ones", given,
                                              c.published.empty() ? "reference" : "published", count));
    const Bounds below = bounds(c, c.below, count), above = bounds(c, c.above, count);
    for (size_t k = 0; k < count; ++k) {
      Outcome o{.what = c.what, .measured = number(value[k]), .kind = c.kind(), .note = c.note, .value = value[k]};
      o.verdict = Verdict::passed, o.origin = c.origin, o.quote = c.quote, o.timed = value.timed;
      if (count > 1 && !value.labels[k].empty()) o.what += ", " + value.labels[k];
      bool good = std::isfinite(o.value);
      good = near(c, k, o) && good;
      if (!below.empty()) good = holds("<", bound(below, k), o.value < bound(below, k), o) && good;
      if (!above.empty()) good = holds(">", bound(above, k), o.value > bound(above, k), o) && good;
      if (!good) o.verdict = c.differs.empty() ? Verdict::failed : Verdict::differs;
      if (o.verdict == Verdict::differs) o.note = c.differs;
      if (!std::isfinite(o.value)) o.note = value.trouble.empty() ? "nothing of the kind happened" : value.trouble;
      result_.outcomes.push_back(std::move(o));
    }
  }

  template <class T>
  static const T& entry(const std::vector<T>& list, size_t k) {
    return list[std::min(k, list.size() - 1)];
  }

  // Fills the columns `published` and `reference`, and compares the value with the one that is a number.
  static bool near(const Check& c, size_t k, Outcome& o) {
    if (!c.published_words.empty()) o.published = entry(c.published_words, k);
    if (!c.published.empty()) o.published = fmt::format("{}", entry(c.published, k));
    if (!c.reference_words.empty()) o.reference = entry(c.reference_words, k);
    if (!c.reference.empty()) o.reference = fmt::format("{}", entry(c.reference, k));
    if (c.within.empty()) return true;
    const double expected = entry(c.published.empty() ? c.reference : c.published, k);
    const double within = entry(c.within, k);
    o.bar = c.relative ? fmt::format("± {:g} %", 100 * within) : fmt::format("± {:g}", within);
    return std::abs(o.value - expected) <= within * (c.relative ? std::abs(expected) : 1.0);
  }

  static bool holds(const char* sign, double bound, bool does, Outcome& o) {
    o.bar += fmt::format("{}{} {}", o.bar.empty() ? "" : ", ", sign, number(bound));
    return does;
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
      const Measured& measured = measured_.named(name);
      plot.curves.push_back({label, measured.dt, measured.values, true});
    }
    return plot;
  }

  const Reproduction& reproduction_;
  const FinishedFamilies& families_;
  Measurements measured_;
  Reproduced& result_;
};

}  // namespace

void judge(const Reproduction& reproduction, const FinishedFamilies& families, Reproduced& result) {
  Judge(reproduction, families, result).go();
}

}  // namespace tappet
