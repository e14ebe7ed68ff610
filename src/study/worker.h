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

class PreparedModel;
class System;
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

// Carries out single runs of a study. Each thread has its own. The model is read and compiled for the first run.
// Further runs only change its numbers, as long as their parameters change nothing else.
class StudyWorker {
 public:
  // Throws a ModelError if something is measured that the model does not have, with its place in the study.
  explicit StudyWorker(const Study& study);
  ~StudyWorker();

  // The run with these values of the axes.
  StudyOutcome run(const std::vector<double>& values, const std::atomic<bool>* stop = nullptr);
  // The parameters and the settings of that run.
  Overrides overrides(const std::vector<double>& values) const;
  RunOptions options(const std::vector<double>& values, const Model& model) const;

  long readings() const { return readings_; }  // how many times the model was read and compiled

 private:
  PreparedModel& prepared(const std::vector<double>& values);
  void check_measures();
  bool locates_events(const System& system, const RunOptions& options) const;
  RunOptions options(const std::vector<double>& values, double dt, double end) const;
  void measure(const PreparedModel& model, const Summary& summary, StudyOutcome& outcome) const;

  const Study& study_;
  ModelText text_;
  std::vector<char> is_parameter_;                        // by axis: whether it is a parameter, and not dt or end
  std::vector<std::string> varied_;                       // the parameters among the axes
  std::vector<double> parameters_;                        // their values in the present run
  std::vector<std::unique_ptr<PreparedModel>> prepared_;  // the one that was used last comes first
  long readings_ = 0;
};

}  // namespace tappet
