// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

#include "batch/body_inputs.h"
#include "batch/equations/equations.h"
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
  double prepare_seconds = 0, compute_seconds = 0;
  double run_seconds = 0;  // with copying
  long steps = 0;          // of all instances together
  long on_the_host = 0;    // instances that were handed over to the engine itself
  double residual = 0;     // the largest of all steps of all others
};

// The runs of a study as a batch: code is generated from its model, and all runs are carried out by it at once.
// Instances for which the code did not find a solution in every step, or whose numbers do not stay finite, and those
// whose start or laws are wrong, are carried out by the engine itself, which says why.
class Batch {
 public:
  explicit Batch(const Study& study);  // throws a ModelError that says what a batch cannot do

  const BatchCode& code() const { return code_; }
  const BatchSettings& settings() const { return settings_; }
  // The inputs of the code for all instances that it can carry out, with the settings. Together with the code this is
  // all that another machine needs (bench/gpu/driver.cu).
  void write_inputs(std::ostream& to) const;
  // Carries out the runs that `results` does not have yet.
  BatchReport run(const BatchOptions& options, StudyResults& results) const;

 private:
  void read_settings();
  double fixed_time(BatchEquations& equations, const StudyFormula& time, double otherwise) const;
  void count_series(BatchEquations& equations);
  BatchEquations equations();
  bool add_inputs(const ModelText& text, long run, std::vector<double>& to) const;
  std::vector<long> take(long& next, long most, const StudyResults& results, int threads,
                         std::vector<double>& values) const;
  void require_round_cone(const BatchEquations& equations) const;
  void compile_checks(BatchEquations& equations);
  bool is_sound(const double* values, std::vector<double>& scratch) const;
  StudyOutcome outcome(const double* out, long count, long instance) const;

  const Study& study_;
  StudyWorker worker_;
  std::unique_ptr<BodyInputs> bodies_;  // if the model consists of bodies
  BatchSettings settings_{};
  std::string scheme_;
  bool round_cone_ = false;  // lcp-euler: directions=0
  BatchCode code_;
  Program checks_;                  // of the values of an instance
  std::vector<double> low_, high_;  // between which its outputs must lie
};

}  // namespace tappet
