// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "run/settings.h"
#include "study/worker.h"
#include "tangent/gradient/gradient.h"

namespace tappet {

// The exact derivatives of what a study measures, by its parameters (docs/orbits.md). There are some if the scheme is
// event-driven and the measures are values at given times, sums, means or extremes of such values, or times of events.
class MeasureSlopes {
 public:
  // `measures` are indices into Study::measures, `counts` says how many values of each are asked for, and `axes` are
  // the parameters, as indices into the axes of the plan.
  MeasureSlopes(const Study& study, std::vector<int> measures, std::vector<int> counts, std::vector<int> axes);

  const std::string& unavailable() const { return unavailable_; }  // why there are none; empty if there are

  // One row per value and one column per parameter. Throws std::runtime_error, with the reason, if the motion with
  // these parameters has no derivative. `times` is empty at first and remembers when the values are taken: these times
  // must not depend on the parameters.
  Eigen::MatrixXd at(const std::vector<double>& values, std::vector<double>& times);
  int evaluations() const { return evaluations_; }

 private:
  std::string why_not(const Model& model, const RunOptions& options) const;
  std::string why_not(const StudyMeasure& measure) const;
  std::vector<double> times_of(const StudyMeasure& measure, int count, const Model& model,
                               const Settings& settings) const;
  std::vector<QuantityAtTime> quantities_of(const StudyMeasure& measure, int count, const Model& model,
                                            const Settings& settings) const;

  const Study& study_;
  const std::vector<int> measures_, counts_, axes_;
  StudyWorker worker_;
  std::string unavailable_;
  int evaluations_ = 0;
};

}  // namespace tappet
