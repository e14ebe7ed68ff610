// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "study/search/measure_slopes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "run/simulate.h"
#include "study/prepared_model.h"

namespace tappet {

namespace {

ModelSource source_of(const Study& study, const Overrides& set) { return {study.model_text, study.model_file, set}; }

}  // namespace

MeasureSlopes::MeasureSlopes(const Study& study, std::vector<int> measures, std::vector<int> counts)
    : study_(study), measures_(std::move(measures)), counts_(std::move(counts)), worker_(study) {
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
  for (const StudyAxis& axis : study_.plan.axes())
    if (axis.parameter == "dt" || axis.parameter == "end") return fmt::format("{} is no parameter", axis.parameter);
  for (const int m : measures_) {
    const StudyMeasure& measure = study_.measures[m];
    const bool timed = measure.kind == "at" || measure.kind == "final" || (measure.many() && measure.period.given());
    const bool whole = !measure.where.given() && (measure.kind != "final" || !measure.to.given());
    if (!timed || !whole) return fmt::format("'{}' is no value at a given time", measure.name);
  }
  const Settings settings = settings_of(model, options);
  require_times(settings, model);
  for (std::size_t i = 0; i < measures_.size(); ++i)
    times_of(study_.measures[measures_[i]], counts_[i], model, settings);
  require_derivatives(System(model), settings.scheme, settings.options);
  return {};
}

// When the values of a measure are taken. A run is recorded at some times only. A measure between them is interpolated,
// and has other derivatives than the motion.
std::vector<double> MeasureSlopes::times_of(const StudyMeasure& measure, int count, const Model& model,
                                            const Settings& settings) const {
  constexpr double same = 1e-9;
  if (measure.kind == "final") return {settings.end};
  const auto number = [&](const StudyFormula& formula) { return positive_time_of(study_, formula, model); };
  std::vector<double> list;
  if (measure.kind == "at")
    list = {number(measure.at)};
  else
    for (int k = 0; k < count; ++k) list.push_back(number(measure.from) + k * number(measure.period));
  const double sample = settings.dt * settings.record_every;
  for (const double t : list)
    if (std::abs(t / sample - std::round(t / sample)) > same * std::max(1.0, t / sample) ||
        t > settings.end * (1 + same))
      throw std::runtime_error(fmt::format("the times of '{}' are not those at which a run is recorded", measure.name));
  return list;
}

Eigen::MatrixXd MeasureSlopes::at(const std::vector<double>& values) {
  ++evaluations_;
  const ModelSource source = source_of(study_, worker_.overrides(values));
  const Model model = source.read();
  const Settings settings = settings_of(model, worker_.options(values, model));
  GradientQuestion question;
  question.options = settings.options;
  for (const StudyAxis& axis : study_.plan.axes()) question.wrt.push_back(axis.parameter);
  std::vector<double> times;
  for (std::size_t i = 0; i < measures_.size(); ++i)
    for (const double t : times_of(study_.measures[measures_[i]], counts_[i], model, settings)) {
      question.of.push_back({study_.measures[measures_[i]].of[0].text, t, study_.measures[measures_[i]].name});
      times.push_back(t);
    }
  if (times_.empty()) times_ = times;
  if (times != times_) throw std::runtime_error("the times of the measures depend on the parameters");
  const Gradient found = gradient(source, question);
  for (const Gradient::Row& row : found.rows)
    for (const std::string& trouble : row.trouble)
      if (!trouble.empty()) throw std::runtime_error(trouble);
  Eigen::MatrixXd slopes(static_cast<int>(found.rows.size()), static_cast<int>(question.wrt.size()));
  for (int i = 0; i < slopes.rows(); ++i)
    slopes.row(i) = Eigen::Map<const Eigen::RowVectorXd>(found.rows[i].slopes.data(), slopes.cols());
  return slopes;
}

}  // namespace tappet
