// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/recorder.h>
#include <tappet/system.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tappet {
namespace api {

struct Progress {
  long step = 0, steps = 0;  // done, and in all
  double t = 0.0;            // reached [s]
};

// What simulate() does beyond what the model says. An empty text, a zero or an empty function leave the model's
// setting.
struct RunOptions {
  std::string scheme = {};
  double dt = 0, end = 0;                 // s
  int record_every = 0;                   // steps; −1: nothing is recorded
  bool record_found = false;              // also the contacts between colliders, one by one
  double project_start = 0;               // move the start onto joints and contacts, each coordinate by at most this
  std::optional<StartState> start = {};   // in place of the model's own start
  std::vector<Option> options = {};       // of the scheme and its contact solver, beyond the model's
  std::filesystem::path out = {};         // folder of result.h5 and summary.json; empty: nothing is written
  std::filesystem::path csv = {};         // a file of comma-separated values; empty: none
  double checkpoint_seconds = 60;         // how often `out` gets a checkpoint, from which the run can be resumed
  bool resume = false;                    // goes on from the checkpoint in `out`, if there is one; same model, options
  bool keep = true;                       // the recorded motion, in Result::t, q, u
  bool keep_all = false;                  // everything that is recorded, in Result::recorded
  std::vector<Recorder*> recorders = {};  // of the program, called on the thread that called simulate()
  Hdf5Options hdf5 = {};
  int threads = 1;       // of this run; the results have the same bits on any number of threads
  bool profile = false;  // where the time goes, in Summary::phases

  // Called about a hundred times per second. If it returns false, the run ends after the present step with the status
  // `interrupted`, and what was computed is kept.
  std::function<bool(const Progress&)> progress = {};
  std::function<void(const std::string&)> warning = {};  // told of each of the first steps that did not converge
  const std::atomic<bool>* stop = nullptr;               // the run ends after the step in which this becomes true

  // Called before each step. It may change `forces`, the generalised forces of the program (ContactList::apply), which
  // hold during the step. They begin with zeros and keep their values from step to step. If it returns false, the run
  // ends before this step with the status `interrupted`.
  std::function<bool(const State& state, double dt, Vec& forces)> control = {};

  // A scheme of the program in place of one of the library; `scheme` is then the name it has in results. It is given
  // the contacts of the run, which outlive it, and the contact solver.
  using MakeStepper = std::function<std::unique_ptr<Stepper>(const ContactList&, std::unique_ptr<ContactSolver>)>;
  MakeStepper stepper = {};
  // A contact solver of the program, for any scheme, in place of the one that the option `solver` names.
  MakeSolver solver = {};
};

// Throws ModelError or UsageError if the model, the scheme or the options are wrong, and std::runtime_error if results
// cannot be written. A computation that fails is a status of the summary; the results up to there are kept.
Result simulate(const Model& model, const RunOptions& options = {});
// The same with a system that is compiled already. Any number of threads may simulate one system at the same time.
// `start`, `project_start` and `record_found` are not possible here.
Result simulate(const System& system, const RunOptions& options = {});

// Writes result.h5 and summary.json of a run that was kept in memory (RunOptions::keep_all). Throws UsageError if it
// was not kept, and std::runtime_error if the files cannot be written.
void save(const Result& result, const std::filesystem::path& folder);

// A study: one model that is run many times with different parameters (docs/studies.md).
struct StudyOptions {
  int threads = 0;  // simultaneous runs; 0: one per core. The results have the same bits on any number of threads
  // Called several times per second, on any thread. If it returns false, the study ends, and what was computed is kept.
  std::function<bool(long done, long all)> progress = {};
  const std::atomic<bool>* stop = nullptr;  // the study ends soon after this becomes true
};

struct StudyResult {
  struct Parameter {
    std::string name;
    std::vector<double> values;  // by run
  };
  struct Measure {
    std::string name;
    std::vector<double> values;               // by run; NaN if there is none. Empty if the measure has many values
    std::vector<std::vector<double>> series;  // by run: the values of a measure with many values. Otherwise empty
  };
  std::vector<Parameter> parameters;
  std::vector<Measure> measures;
  std::vector<std::string> status;    // by run: done, failed, refused; missing if the study was stopped before
  std::vector<std::string> messages;  // by run: why it failed or was refused
  std::vector<long> steps;            // by run
  std::string found;                  // what `threshold:`, `until:` or `fit:` found, as JSON; otherwise empty

  long runs() const { return static_cast<long>(status.size()); }
  const Parameter& parameter(const std::string& name) const;  // throws UsageError if there is none
  const Measure& measure(const std::string& name) const;
};

// Carries out the study that a file describes, or a text as in such a file but without `model:`. Throws ModelError with
// the place in the study or in the model, and UsageError. A run that fails is a status, not an exception.
StudyResult run_study(const std::filesystem::path& file, const StudyOptions& options = {});
StudyResult run_study(const Model& model, const std::string& text, const StudyOptions& options = {});

}  // namespace api
}  // namespace tappet
