// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "study/search/measure_slopes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "run/simulate.h"
#include "study/prepared_model.h"

namespace tappet {

namespace {

ModelSource source_of(const Study& study, const Overrides& set) { return {study.model_text, study.model_file, set}; }

// Whether a measure makes one value of those at all recorded times.
bool reduces(const StudyMeasure& measure) {
  const std::string& kind = measure.kind;
  return kind == "max" || kind == "min" || kind == "mean" || kind == "sum";
}

// The derivative of such a measure, from the quantity at the recorded times. It is that of the largest value.
Gradient::Row reduced(const std::string& kind, std::span<const Gradient::Row> rows) {
  if (kind == "max" || kind == "min")
    return *std::max_element(rows.begin(), rows.end(), [&](const Gradient::Row& a, const Gradient::Row& b) {
      return kind == "max" ? a.value < b.value : a.value > b.value;
    });
  Gradient::Row sum = rows[0];
  for (const Gradient::Row& row : rows.subspan(1))
    for (std::size_t d = 0; d < sum.slopes.size(); ++d) {
      sum.slopes[d] += row.slopes[d];
      if (sum.trouble[d].empty()) sum.trouble[d] = row.trouble[d];
    }
  if (kind == "mean")
    for (double& slope : sum.slopes) slope /= static_cast<double>(rows.size());
  return sum;
}

}  // namespace

MeasureSlopes::MeasureSlopes(const Study& study, std::vector<int> measures, std::vector<int> counts,
                             std::vector<int> axes)
    : study_(study),
      measures_(std::move(measures)),
      counts_(std::move(counts)),
      axes_(std::move(axes)),
      worker_(study) {
  std::vector<double> values;
  study.plan.values(0, values);
  try {
    const Model model = source_of(study, worker_.overrides(values)).read();
    unavailable_ = why_not(model, worker_.options(values, model));
  } catch (const std::runtime_error& error) {
    unavailable_ = error.what();
  }
}

std::string MeasureSlopes::why_not(const Model& model, const RunOptions& options) const {
  const ElementTypes& types = study_.types;
  if (!types.contacts().empty() || !types.joints().empty() || !types.forces().empty())
    return "the program adds types of elements";
  for (const int a : axes_)
    if (const std::string& parameter = study_.plan.axes()[a].parameter; parameter == "dt" || parameter == "end")
      return fmt::format("{} is no parameter", parameter);
  for (const int m : measures_)
    if (const std::string reason = why_not(study_.measures[m]); !reason.empty()) return reason;
  const Settings settings = settings_of(model, options);
  require_times(settings, model);
  for (std::size_t i = 0; i < measures_.size(); ++i)
    quantities_of(study_.measures[measures_[i]], counts_[i], model, settings);
  require_derivatives(System(model), settings.scheme, settings.options);
  return {};
}

std::string MeasureSlopes::why_not(const StudyMeasure& measure) const {
  const bool event = measure.kind == "event" && measure.of.size() == 1 && !measure.from.given();
  const bool timed = measure.kind == "at" || measure.kind == "final" || (measure.many() && measure.period.given());
  const bool whole = !measure.where.given() && (measure.many() || !(measure.from.given() || measure.to.given()));
  if ((timed || event || reduces(measure)) && whole) return {};
  return fmt::format("'{}' is no value at a given time, and no time of an event", measure.name);
}

// When the values of a measure are taken. A run is recorded at some times only. A measure between them is interpolated,
// and has other derivatives than the motion.
std::vector<double> MeasureSlopes::times_of(const StudyMeasure& measure, int count, const Model& model,
                                            const Settings& settings) const {
  constexpr double same = 1e-9, most_samples = 20'000;
  if (measure.kind == "event") return {};
  if (measure.kind == "final") return {settings.end};
  const auto number = [&](const StudyFormula& formula) { return positive_time_of(study_, formula, model); };
  std::vector<double> list;
  if (measure.kind == "at") list = {number(measure.at)};
  if (measure.many())
    for (int k = 0; k < count; ++k) list.push_back(number(measure.from) + k * number(measure.period));
  const double sample = settings.dt * settings.record_every;
  if (reduces(measure)) {
    const double samples = std::floor(settings.end / sample * (1 + same));
    if (samples > most_samples)
      throw std::runtime_error(
          fmt::format("'{}' has {:g} recorded times; expected at most {:g}", measure.name, samples, most_samples));
    for (double k = 0; k <= samples; ++k) list.push_back(k * sample);
    if (settings.end > list.back() * (1 + same)) list.push_back(settings.end);
    return list;
  }
  for (const double t : list)
    if (std::abs(t / sample - std::round(t / sample)) > same * std::max(1.0, t / sample) ||
        t > settings.end * (1 + same))
      throw std::runtime_error(fmt::format("the times of '{}' are not those at which a run is recorded", measure.name));
  return list;
}

std::vector<QuantityAtTime> MeasureSlopes::quantities_of(const StudyMeasure& measure, int count, const Model& model,
                                                         const Settings& settings) const {
  if (measure.kind == "event") {
    const std::string event = fmt::format("{} {} {}", measure.of[0].text, measure.contact, measure.number);
    return {parse_quantity("t at " + event, settings.end)};
  }
  std::vector<QuantityAtTime> list;
  for (const double t : times_of(measure, count, model, settings))
    list.push_back({measure.of[0].text, t, measure.name});
  return list;
}

Eigen::MatrixXd MeasureSlopes::at(const std::vector<double>& values, std::vector<double>& times) {
  ++evaluations_;
  const ModelSource source = source_of(study_, worker_.overrides(values));
  const Model model = source.read();
  const Settings settings = settings_of(model, worker_.options(values, model));
  GradientQuestion question;
  question.options = settings.options;
  for (const int a : axes_) question.wrt.push_back(study_.plan.axes()[a].parameter);
  std::vector<std::size_t> ends;
  std::vector<double> now;
  for (std::size_t i = 0; i < measures_.size(); ++i) {
    for (QuantityAtTime& one : quantities_of(study_.measures[measures_[i]], counts_[i], model, settings)) {
      if (!one.event) now.push_back(one.t);
      question.of.push_back(std::move(one));
    }
    ends.push_back(question.of.size());
  }
  if (times.empty()) times = now;
  if (now != times) throw std::runtime_error("the times of the measures depend on the parameters");
  const Gradient found = gradient(source, question);
  std::vector<Gradient::Row> rows;
  for (std::size_t i = 0; i < measures_.size(); ++i) {
    const std::size_t first = i == 0 ? 0 : ends[i - 1];
    const std::span<const Gradient::Row> own(found.rows.data() + first, ends[i] - first);
    const StudyMeasure& measure = study_.measures[measures_[i]];
    if (reduces(measure))
      rows.push_back(reduced(measure.kind, own));
    else
      rows.insert(rows.end(), own.begin(), own.end());
  }
  Eigen::MatrixXd slopes(static_cast<int>(rows.size()), static_cast<int>(question.wrt.size()));
  for (int i = 0; i < slopes.rows(); ++i) {
    for (const std::string& trouble : rows[i].trouble)
      if (!trouble.empty()) throw std::runtime_error(trouble);
    slopes.row(i) = Eigen::Map<const Eigen::RowVectorXd>(rows[i].slopes.data(), slopes.cols());
  }
  return slopes;
}

}  // namespace tappet
