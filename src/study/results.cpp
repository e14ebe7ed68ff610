// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "study/results.h"

#include <algorithm>
#include <limits>

namespace tappet {

StudyResults::StudyResults(const Study& study)
    : study_(study), measures_(static_cast<long>(study.measures.size())), series_(study.measures.size()) {
  const long runs = study.chooses_values() ? 0 : study.plan.runs();
  status_.assign(runs, OutcomeStatus::missing);
  measured_.assign(runs * measures_, std::numeric_limits<double>::quiet_NaN());
  steps_.assign(runs, 0), unconverged_.assign(runs, 0), iterations_.assign(runs, 0.0);
  for (long m = 0; m < measures_; ++m)
    if (study.measures[m].many()) series_[m].resize(runs);
}

void StudyResults::set(long run, StudyOutcome&& outcome) {
  if (!finished(run) && outcome.status != OutcomeStatus::interrupted) ++done_;
  status_[run] = outcome.status;
  for (long m = 0; m < measures_; ++m) measured_[run * measures_ + m] = outcome.measured[m];
  for (long m = 0; m < measures_; ++m)
    if (!series_[m].empty()) series_[m][run] = std::move(outcome.series[m]);
  steps_[run] = outcome.steps, unconverged_[run] = outcome.unconverged, iterations_[run] = outcome.iterations;
  if (!outcome.message.empty()) messages_[run] = std::move(outcome.message);
}

long StudyResults::add(const std::vector<double>& values, StudyOutcome&& outcome) {
  const long run = runs();
  chosen_.push_back(values);
  status_.push_back(OutcomeStatus::missing);
  measured_.resize(measured_.size() + measures_);
  steps_.push_back(0), unconverged_.push_back(0), iterations_.push_back(0.0);
  for (long m = 0; m < measures_; ++m)
    if (study_.measures[m].many()) series_[m].emplace_back();
  set(run, std::move(outcome));
  return run;
}

void StudyResults::cut(long runs) {
  status_.resize(runs), measured_.resize(runs * measures_);
  steps_.resize(runs), unconverged_.resize(runs), iterations_.resize(runs);
  for (auto& series : series_)
    if (!series.empty()) series.resize(runs);
  messages_.erase(messages_.lower_bound(runs), messages_.end());
  done_ = 0;
  for (long run = 0; run < runs; ++run) done_ += finished(run);
}

long StudyResults::count(OutcomeStatus status) const { return std::count(status_.begin(), status_.end(), status); }

void StudyResults::values(long run, std::vector<double>& out) const {
  if (chosen_.empty())
    study_.plan.values(run, out);
  else
    out = chosen_[run];
}

std::vector<double> StudyResults::column(int measure) const {
  std::vector<double> values(runs());
  for (long run = 0; run < runs(); ++run) values[run] = measured(run, measure);
  return values;
}

std::vector<double> StudyResults::parameter(int axis) const {
  std::vector<double> all(runs()), one;
  for (long run = 0; run < runs(); ++run) values(run, one), all[run] = one[axis];
  return all;
}

}  // namespace tappet
