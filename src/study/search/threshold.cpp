// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <utility>

#include "run/jobs.h"
#include "study/search/evaluations.h"
#include "study/search/measure_slopes.h"
#include "study/search/search.h"

namespace tappet {

namespace {

// The search in one interval, whose ends always lie on different sides of the level. The next point is that of Newton's
// method as long as each point is much nearer to the level than the one before, otherwise the middle of the interval.
// All searches advance together, so that their runs can be computed at the same time.
class IntervalSearch {
 public:
  IntervalSearch(const Study& study, int axis, std::vector<double> values)
      : study_(study), axis_(axis), values_(std::move(values)) {
    const StudyAxis& sought = study.plan.axes()[axis];
    found_.low = sought.low, found_.high = sought.high;
    width_ = study.threshold->tolerance * (sought.high - sought.low);
    next_ = found_.value();
    for (std::size_t i = 0; i < values_.size(); ++i)
      if (static_cast<int>(i) != axis) found_.others.push_back(values_[i]);
  }

  bool ended() const { return !found_.trouble.empty() || (begun_ && found_.high - found_.low <= width_) || !room(); }
  std::vector<double> at(double x) const {
    std::vector<double> values = values_;
    values[axis_] = x;
    return values;
  }
  double next() const { return next_; }

  void begin(double at_low, double at_high, const std::string& why) {
    begun_ = true;
    found_.at_low = at_low, found_.at_high = at_high;
    if (std::isnan(at_low) || std::isnan(at_high))
      found_.trouble = "no value at an end of the interval" + (why.empty() ? "" : ": " + why);
    else if (above(at_low) == above(at_high))
      found_.trouble = fmt::format("the measure is {} the level at both ends of the interval ({:.6g} and {:.6g})",
                                   above(at_low) ? "above" : "not above", at_low, at_high);
  }

  // The measure at the next point.
  void take(double value, const std::string& why) {
    last_ = next_;
    if (std::isnan(value))
      found_.trouble = fmt::format("no value at {:.9g}{}{}", last_, why.empty() ? "" : ": ", why);
    else if (above(value) == above(found_.at_low))
      found_.low = last_, found_.at_low = value;
    else
      found_.high = last_, found_.at_high = value;
    const double before = std::exchange(missing_, study_.threshold->level - value);
    nearer_ = std::abs(missing_) <= 0.5 * std::abs(before);
    next_ = found_.value();
  }

  // Whether Newton's method leads on from the last point.
  bool goes_on() const { return !ended() && nearer_; }
  // The next point lies a little beyond the zero of the tangent, so that the interval shrinks from both sides.
  void follow_tangent(MeasureSlopes& slopes) {
    constexpr double beyond = 0.4;
    try {
      const double step = missing_ / slopes.at(at(last_), times_)(0, 0);
      const double to = last_ + step + std::copysign(beyond * width_, step);
      if (to > found_.low && to < found_.high) next_ = to, ++found_.slopes;
    } catch (const std::runtime_error&) {  // there is no derivative at this point
    }
  }
  const FoundThreshold& found() const { return found_; }

 private:
  bool above(double value) const { return value > study_.threshold->level; }
  bool room() const { return found_.value() > found_.low && found_.value() < found_.high; }

  const Study& study_;
  const int axis_;
  std::vector<double> values_;
  FoundThreshold found_;
  double width_ = 0;
  double next_ = 0, last_ = 0;  // points
  double missing_ = INFINITY;   // from the measure at the last point to the level
  bool begun_ = false;
  bool nearer_ = false;  // the last point was much nearer to the level than the one before
  std::vector<double> times_;
};

int sought_axis(const Study& study) {
  int axis = 0;
  while (study.plan.axes()[axis].kind != StudyAxis::Kind::uniform) ++axis;
  return axis;
}

// The derivatives of the measure, one object per thread.
class Tangents {
 public:
  Tangents(const Study& study, int axis, int threads) {
    if (study.threshold->method == "bisection") return;
    do
      slopes_.push_back(std::make_unique<MeasureSlopes>(study, std::vector<int>{study.threshold->measure},
                                                        std::vector<int>{1}, std::vector<int>{axis}));
    while (slopes_[0]->unavailable().empty() && static_cast<int>(slopes_.size()) < threads);
    if (!slopes_[0]->unavailable().empty()) slopes_.clear();
  }

  void lead(std::vector<IntervalSearch>& searches) {
    std::vector<IntervalSearch*> led;
    for (IntervalSearch& search : searches)
      if (search.goes_on()) led.push_back(&search);
    const int threads = std::min<int>(static_cast<int>(led.size()), static_cast<int>(slopes_.size()));
    if (threads == 0) return;
    std::atomic<std::size_t> next = 0;
    run_jobs(threads, threads, [&](int thread) {
      for (std::size_t k; (k = next++) < led.size();) led[k]->follow_tangent(*slopes_[thread]);
    });
  }

 private:
  std::vector<std::unique_ptr<MeasureSlopes>> slopes_;  // empty: halving is all that can be done
};

}  // namespace

std::vector<FoundThreshold> find_thresholds(const Study& study, const StudyOptions& options, StudyResults& results) {
  Evaluations runs(study, options, results);
  const int axis = sought_axis(study), measure = study.threshold->measure;
  Tangents tangents(study, axis, options.threads > 0 ? options.threads : default_threads());
  std::vector<IntervalSearch> searches;
  std::vector<double> values;
  for (long k = 0; k < study.plan.runs(); ++k) study.plan.values(k, values), searches.emplace_back(study, axis, values);
  const auto why = [&](long run) {
    const auto message = results.messages().find(run);
    return message == results.messages().end() ? std::string() : message->second;
  };
  std::vector<std::vector<double>> wanted;
  for (const IntervalSearch& search : searches)
    for (const double end : {study.plan.axes()[axis].low, study.plan.axes()[axis].high})
      wanted.push_back(search.at(end));
  long run = runs.evaluate(wanted);
  for (IntervalSearch& search : searches) {
    search.begin(results.measured(run, measure), results.measured(run + 1, measure), why(run) + why(run + 1));
    run += 2;
  }
  for (;;) {
    wanted.clear();
    for (const IntervalSearch& search : searches)
      if (!search.ended()) wanted.push_back(search.at(search.next()));
    if (wanted.empty()) break;
    run = runs.evaluate(wanted);
    for (IntervalSearch& search : searches)
      if (!search.ended()) search.take(results.measured(run, measure), why(run)), ++run;
    tangents.lead(searches);
  }
  std::vector<FoundThreshold> found;
  for (const IntervalSearch& search : searches) found.push_back(search.found());
  return found;
}

}  // namespace tappet
