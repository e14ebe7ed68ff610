// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "study/search/evaluations.h"
#include "study/search/search.h"

namespace tappet {

namespace {

// One search. All searches advance together, so that their runs can be computed at the same time.
class Bisection {
 public:
  Bisection(const Study& study, int axis, std::vector<double> values)
      : study_(study), axis_(axis), values_(std::move(values)) {
    const StudyAxis& sought = study.plan.axes()[axis];
    found_.low = sought.low, found_.high = sought.high;
    width_ = study.threshold->tolerance * (sought.high - sought.low);
    for (std::size_t i = 0; i < values_.size(); ++i)
      if (static_cast<int>(i) != axis) found_.others.push_back(values_[i]);
  }

  bool ended() const { return !found_.trouble.empty() || (begun_ && found_.high - found_.low <= width_) || !room(); }
  std::vector<double> at(double x) const {
    std::vector<double> values = values_;
    values[axis_] = x;
    return values;
  }
  double middle() const { return found_.value(); }

  void begin(double at_low, double at_high, const std::string& why) {
    begun_ = true;
    found_.at_low = at_low, found_.at_high = at_high;
    if (std::isnan(at_low) || std::isnan(at_high))
      found_.trouble = "no value at an end of the interval" + (why.empty() ? "" : ": " + why);
    else if (above(at_low) == above(at_high))
      found_.trouble = fmt::format("the measure is {} the level at both ends of the interval ({:.6g} and {:.6g})",
                                   above(at_low) ? "above" : "not above", at_low, at_high);
  }
  void halve(double value, const std::string& why) {
    const double x = middle();
    if (std::isnan(value))
      found_.trouble = fmt::format("no value at {:.9g}{}{}", x, why.empty() ? "" : ": ", why);
    else if (above(value) == above(found_.at_low))
      found_.low = x, found_.at_low = value;
    else
      found_.high = x, found_.at_high = value;
  }
  const FoundThreshold& found() const { return found_; }

 private:
  bool above(double value) const { return value > study_.threshold->level; }
  bool room() const { return middle() > found_.low && middle() < found_.high; }

  const Study& study_;
  const int axis_;
  std::vector<double> values_;
  FoundThreshold found_;
  double width_ = 0;
  bool begun_ = false;
};

int sought_axis(const Study& study) {
  int axis = 0;
  while (study.plan.axes()[axis].kind != StudyAxis::Kind::uniform) ++axis;
  return axis;
}

}  // namespace

std::vector<FoundThreshold> find_thresholds(const Study& study, const StudyOptions& options, StudyResults& results) {
  Evaluations runs(study, options, results);
  const int axis = sought_axis(study), measure = study.threshold->measure;
  std::vector<Bisection> searches;
  std::vector<double> values;
  for (long k = 0; k < study.plan.runs(); ++k) study.plan.values(k, values), searches.emplace_back(study, axis, values);
  const auto why = [&](long run) {
    const auto message = results.messages().find(run);
    return message == results.messages().end() ? std::string() : message->second;
  };
  std::vector<std::vector<double>> wanted;
  for (const Bisection& search : searches)
    for (const double end : {study.plan.axes()[axis].low, study.plan.axes()[axis].high})
      wanted.push_back(search.at(end));
  long run = runs.evaluate(wanted);
  for (Bisection& search : searches) {
    search.begin(results.measured(run, measure), results.measured(run + 1, measure), why(run) + why(run + 1));
    run += 2;
  }
  for (;;) {
    wanted.clear();
    for (const Bisection& search : searches)
      if (!search.ended()) wanted.push_back(search.at(search.middle()));
    if (wanted.empty()) break;
    run = runs.evaluate(wanted);
    for (Bisection& search : searches)
      if (!search.ended()) search.halve(results.measured(run, measure), why(run)), ++run;
  }
  std::vector<FoundThreshold> found;
  for (const Bisection& search : searches) found.push_back(search.found());
  return found;
}

}  // namespace tappet
