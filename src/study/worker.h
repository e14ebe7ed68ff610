// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "model/model_text.h"
#include "study/study.h"

namespace tappet {

class System;
class Trace;
struct RunOptions;
struct Summary;

enum class OutcomeStatus : unsigned char {
  missing,      // not run yet
  done,         // it reached its end
  failed,       // the computation failed on the way, and the message says why
  refused,      // the model or the settings are wrong for these parameters, and the message says why
  interrupted,  // it was stopped; such a run does not count as done
};
std::string_view name(OutcomeStatus status);

// What one run of a study gave. It does not depend on the machine, on other runs, or on the number of threads.
struct StudyOutcome {
  OutcomeStatus status = OutcomeStatus::missing;
  std::vector<double> measured;             // one number per measure; NaN for those with many values
  std::vector<std::vector<double>> series;  // the values of each measure with many values
  long steps = 0, unconverged = 0;
  double iterations = 0;  // of the contact solver, all steps together
  std::string message;
};

// Carries out single runs of a study. Each thread has its own.
class StudyWorker {
 public:
  // Throws a ModelError if something is measured that the model does not have, with its place in the study.
  explicit StudyWorker(const Study& study);

  // The run with these values of the axes.
  StudyOutcome run(const std::vector<double>& values, const std::atomic<bool>* stop = nullptr) const;
  // The parameters and the settings of that run.
  Overrides overrides(const std::vector<double>& values) const;
  RunOptions options(const std::vector<double>& values, const Model& model) const;

 private:
  void check_measures() const;
  bool locates_events(const System& system, const RunOptions& options) const;
  void measure(const System& system, const Trace& trace, const Summary& summary, StudyOutcome& outcome) const;
  double time(const StudyFormula& formula, const Model& model, double otherwise) const;
  double positive_time(const StudyFormula& formula, const Model& model) const;  // 0 if it is not given
  double one_value(const StudyMeasure& m, const Model& model, const Trace& trace, const Summary& summary) const;
  std::vector<double> many_values(const StudyMeasure& m, const Model& model, const Trace& trace) const;

  const Study& study_;
  ModelText text_;
  std::vector<std::string> formulas_;  // of all measures
};

}  // namespace tappet
