// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "study/run_study.h"

namespace tappet {

// Studies that choose their runs from what they have found so far.

// The value of the sought parameter at which a measure crosses its level, for one combination of the other parameters.
struct FoundThreshold {
  std::vector<double> others;      // as the plan gives them; the sought parameter itself does not count
  double low = 0, high = 0;        // the crossing lies between them
  double at_low = 0, at_high = 0;  // the measure there
  std::string trouble;             // why there is none; empty if there is one
  int slopes = 0;                  // how often an exact derivative was used

  double value() const { return 0.5 * (low + high); }
};
// Shortens the interval until it is as short as the study asks for: by Newton's method where the measure has an exact
// derivative and this leads on, otherwise by halving.
std::vector<FoundThreshold> find_thresholds(const Study& study, const StudyOptions& options, StudyResults& results);

// An estimate of a quantile from random samples. The interval between low and high contains the quantile with the
// confidence of the study, whatever the distribution is: its ends are order statistics.
struct FoundQuantile {
  double value = 0, low = 0, high = 0;
  long samples = 0;
  bool reached = false;  // it is as short as asked for
  double half_width() const { return 0.5 * (high - low); }
};
// The quantile of values in ascending order, interpolated between two of them; NaN if there are none.
double sorted_quantile(const std::vector<double>& values, double quantile);
FoundQuantile quantile_of(std::vector<double> values, double quantile, double confidence);
FoundQuantile sample_until(const Study& study, const StudyOptions& options, StudyResults& results);

// Parameters fitted to measured data by least squares.
struct FoundFit {
  std::vector<double> values;      // of the parameters
  std::vector<double> deviations;  // their standard deviations, from the linearised model
  std::vector<double> half_width;  // of their intervals with a confidence of 95 %
  double chi2 = 0;                 // the sum of the squared residuals, each divided by its standard deviation
  int numbers = 0, runs = 0;       // measured numbers; runs that were made
  std::string trouble;             // why it ended early; empty if it converged
  std::string method;              // gauss-newton, trust-region or nelder-mead
  std::string without_slopes;      // why no exact derivatives were used; empty if they were
  int slopes = 0;                  // runs in which exact derivatives were computed
};
FoundFit fit_parameters(const Study& study, const StudyOptions& options, StudyResults& results);

// Parameters with which a measure is smallest or largest, at least among their neighbours.
struct FoundOptimum {
  std::vector<double> values;  // of the parameters
  double measured = 0;         // the measure there
  int runs = 0;
  std::string trouble;         // why it ended early; empty if it converged
  std::string method;          // slopes, trust-region, nelder-mead, or "slopes, then trust-region"
  std::string without_slopes;  // why not only exact derivatives were used; empty if they were
  int slopes = 0;              // runs in which exact derivatives were computed
};
FoundOptimum find_optimum(const Study& study, const StudyOptions& options, StudyResults& results);

}  // namespace tappet
