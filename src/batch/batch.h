// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "batch/machine.h"
#include "formula/program.h"
#include "study/run_study.h"

namespace tappet {

struct BatchOptions {
  std::string on = "cpu";  // or gpu
  int threads = 0;         // on a processor; 0: one per core
  const std::atomic<bool>* stop = nullptr;
  std::function<void(long done, long all, long failed)> progress = {};
};

// What a batch did, for its summary.
struct BatchReport {
  std::string machine;
  int operations = 0;
  double prepare_seconds = 0, run_seconds = 0;
  long steps = 0;        // of all instances together
  long on_the_host = 0;  // instances that were handed over to the engine itself
  double residual = 0;   // the largest of all steps of all others
};

// The runs of a study as a batch: code is generated from its model, and all runs are carried out by it at once.
// Instances for which the code did not find a solution in every step, or whose numbers do not stay finite, and those
// whose start or laws are wrong, are carried out by the engine itself, which says why.
class Batch {
 public:
  explicit Batch(const Study& study);  // throws a ModelError that says what a batch cannot do

  const BatchCode& code() const { return code_; }
  const BatchSettings& settings() const { return settings_; }
  // Carries out the runs that `results` does not have yet.
  BatchReport run(const BatchOptions& options, StudyResults& results) const;

 private:
  void read_settings();
  void check_time(BatchEquations& equations, const StudyFormula& time) const;
  std::vector<long> take(long& next, long most, const StudyResults& results, std::vector<double>& values) const;
  void compile_checks(BatchEquations& equations);
  bool is_sound(const double* values, std::vector<double>& scratch) const;
  StudyOutcome outcome(const double* out, long count, long instance) const;

  const Study& study_;
  StudyWorker worker_;
  BatchSettings settings_{};
  std::string scheme_;
  BatchCode code_;
  Program checks_;                  // of the values of an instance
  std::vector<double> low_, high_;  // between which its outputs must lie
};

}  // namespace tappet
