// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "model/model.h"
#include "record/recorder.h"
#include "record/summary.h"

namespace tappet {

// Told while a run goes on, every few steps and whenever a step fails.
struct RunListener {
  virtual ~RunListener() = default;
  virtual void progress(long step, long steps, double t) {}
  virtual void warning(const std::string& message) {}
};

struct RunOptions {
  std::string scheme = {};                // empty: the model's
  double dt = 0, end = 0;                 // s; 0: the model's
  int record_every = 0;                   // 0: the model's; −1: record nothing
  std::vector<Option> options = {};       // of scheme and solver, beyond the model's
  std::filesystem::path out = {};         // folder of result.h5 and summary.json; empty: nothing is written
  std::filesystem::path csv = {};         // empty: none
  bool keep = true;                       // the recorded motion, in Result::t, q, u
  std::vector<Recorder*> recorders = {};  // of the caller, beside those of out and csv
  RunListener* listener = nullptr;
  const std::atomic<bool>* stop = nullptr;  // becomes true: the run ends after the present step
  Hdf5Options hdf5 = {};
  int threads = 1;       // of contact search, evaluation and the sweeps of the contact solver; same bits on any number
  bool profile = false;  // where the time goes, in Summary::phases
};

// The recorded motion: row k of q and u belongs to t[k].
struct Result {
  Summary summary;
  State state;  // the last one
  std::vector<double> t;
  std::vector<Vec> q, u;

  bool done() const { return summary.status == RunStatus::done; }
};

// Throws ModelError or UsageError where the model, the scheme or the options are wrong, std::runtime_error where
// results cannot be written. A computation that fails is a status of the summary; results up to there are kept.
Result simulate(Model model, const RunOptions& options = {});
// The same with a model that is compiled already. Any number of runs on different threads may share one system.
Result simulate(const System& system, const RunOptions& options = {});

// The times of a run: end/dt steps where that is a whole number to 1e-9, else one more, clipped. Times are
// multiples of dt, not sums.
class TimeGrid {
 public:
  TimeGrid(double dt, double end);  // throws UsageError

  long steps() const { return steps_; }
  double t(long k) const { return k >= steps_ ? end_ : static_cast<double>(k) * dt_; }
  double dt(long k) const;  // of the step from t(k) to t(k+1)

 private:
  double dt_, end_;
  long steps_;
  bool clipped_;
};

}  // namespace tappet
