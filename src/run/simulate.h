// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/model.h"
#include "record/recorder.h"
#include "record/summary.h"
#include "run/make_stepper.h"

namespace tappet {

// Is informed during a run, about a hundred times per second, and whenever a step fails.
struct RunListener {
  virtual ~RunListener() = default;
  virtual void progress(long step, long steps, double t) {}
  virtual void warning(const std::string& message) {}
  virtual bool goes_on() { return true; }  // asked after progress(); false ends the run after the present step
};

// When a run writes a checkpoint, from which it can be resumed: after this many seconds, or after this many steps if
// that is not zero. A scheme can only be written from time to time (Stepper::settle), so it may be a little later.
struct CheckpointRule {
  double seconds = 60.0;
  long steps = 0;
  bool required = false;  // whether it is an error if the run cannot be written
};

struct RunOptions {
  std::string scheme = {};                // empty: that of the model
  double dt = 0, end = 0;                 // s; 0: that of the model
  int record_every = 0;                   // 0: that of the model; −1: record nothing
  bool record_found = false;              // also the contacts between colliders, one by one
  double project_start = 0;               // as RunSettings::project_start; 0: that of the model
  std::optional<StartState> start = {};   // replaces the start of the model; see start_of()
  std::vector<Option> options = {};       // of scheme and solver, in addition to those of the model
  std::filesystem::path out = {};         // folder of result.h5 and summary.json; empty: nothing is written
  std::filesystem::path csv = {};         // empty: no table is written
  CheckpointRule checkpoint = {};         // only if there is a folder `out`
  bool resume = false;                    // goes on from the checkpoint in `out`, if there is one
  std::string description = {};           // kept as run.json in `out` until the run is done, for whoever resumes it
  bool keep = true;                       // whether Result::t, q, u keep the recorded motion
  bool keep_all = false;                  // whether Result::recorded keeps everything that is recorded
  std::vector<Recorder*> recorders = {};  // recorders of the caller, in addition to those for out and csv
  RunListener* listener = nullptr;
  const std::atomic<bool>* stop = nullptr;  // when it becomes true, the run ends after the current step
  Hdf5Options hdf5 = {};
  // for contact search, evaluation and the sweeps of the contact solver; the number does not change the bits
  int threads = 1;
  bool profile = false;  // whether Summary::phases says where the time goes
  // Sets the forces of the caller before each step (ContactList::apply). The run ends if it returns false.
  std::function<bool(const State& state, double dt, Vec& forces)> control = {};
  // A scheme of the caller in place of one of the library; `scheme` is then its name in results.
  MakeStepper stepper = {};
  // A contact solver of the caller in place of one of the library, for any scheme.
  MakeSolver solver = {};
};

// Throws a ModelError or UsageError if the model, the scheme or the options are wrong, and a std::runtime_error if
// results cannot be written. If the computation fails, the status of the summary says so, and the results so far are
// kept.
Result simulate(Model model, const RunOptions& options = {});
// The same with a model that has already been compiled. Any number of runs on different threads may share one system.
Result simulate(const System& system, const RunOptions& options = {});

// Writes result.h5 and summary.json of a run that was kept in memory.
void save(const Result& result, const std::filesystem::path& folder);

// The model with what the options say about its start and about what is recorded. Throws as simulate() does if the
// settings of the run are wrong.
Model prepare(Model model, const RunOptions& options);

// The times of a run from `start` to `end`. If (end − start)/dt is a whole number to 1e-9, it is the number of steps.
// Otherwise there is one more step, which is shortened. Times are multiples of dt, not sums. If the start is a multiple
// of dt (to 1e-9), the times are multiples of dt counted from zero, so a continued run has the same times as an
// uninterrupted one.
class TimeGrid {
 public:
  TimeGrid(double dt, double end, double start = 0.0);  // throws UsageError

  long steps() const { return steps_; }
  double t(long k) const {
    if (k >= steps_) return end_;
    return k == 0 ? start_ : offset_ + static_cast<double>(first_ + k) * dt_;
  }
  double dt(long k) const;  // the length of the step from t(k) to t(k+1)

 private:
  double dt_, end_, start_;
  double offset_ = 0.0;  // t(k) = offset + (first + k) dt
  long first_ = 0;
  long steps_;
  bool clipped_;
};

}  // namespace tappet
