// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "files/durable_file.h"
#include "record/recording.h"
#include "record/touching.h"
#include "run/resume/checkpoint.h"
#include "run/settings.h"
#include "run/simulate.h"
#include "run/watch/energy_watch.h"
#include "run/watch/penetration.h"
#include "run/watch/reduction_count.h"
#include "steppers/remarks.h"

namespace tappet {

// One run from the initial state on.
class Run {
 public:
  Run(const System& system, Settings settings, const RunOptions& asked);
  Result go();

 private:
  void open_recorders();
  void foresee() const;
  bool take_step(double dt, StepReport& report);
  bool accept(const StepReport& report);
  bool stays_in_range(const StepReport& report);
  void count(const StepReport& report);
  static constexpr int many_iterations = 1000, most_hopeless_iterations = 100 * many_iterations;
  void give_up(const StepReport& report);
  bool ask_control(double dt);
  void find_contacts(double dt);
  void watch_constraints();
  void list_remarks();
  void warn_of_step(const StepReport& report);
  void record(const StepReport& report);
  const FoundSample& found_contacts();
  void record_events();
  void report_progress();
  void warn_of_duration();
  void advance();
  bool resume();
  bool archive(Archive& a);
  void archive_summary(Archive& a);
  std::string settings_bytes() const;
  void write_checkpoint();
  void fail(const std::string& message);
  void close_recording();
  void finish();
  std::string closed_contacts() const;

  const RunOptions& asked_;
  Settings settings_;
  TimeGrid grid_;
  const System& system_;
  PenetrationWatch penetration_;
  const Execution execution_;
  ContactList contacts_;
  EnergyWatch energy_watch_;
  ReductionCount reduction_;
  std::unique_ptr<Stepper> stepper_;
  const Remarks* scheme_remarks_;  // the scheme, if it has something to say itself; otherwise null
  const Layout layout_;
  Evaluator evaluate_;
  std::vector<std::unique_ptr<Recorder>> own_recorders_;
  std::unique_ptr<Recording> recording_;  // empty if nothing is recorded
  std::shared_ptr<Recorded> recorded_;    // empty if nothing is kept in memory
  std::unique_ptr<FolderLock> lock_;      // of the folder of the results
  Checkpoints checkpoints_;
  State state_, before_;
  Vec forces_;  // of the caller
  ConstraintPositions positions_;
  FoundSample found_;
  std::unique_ptr<TouchingContacts> touching_;  // empty if found contacts are not recorded one by one
  Result result_;
  Summary& summary_ = result_.summary;
  StepReport last_report_;
  bool last_recorded_ = false;
  long hopeless_iterations_ = 0;  // of the last steps, none of which converged, if they took many
  bool on_grid_ = true;           // until a scheme chooses the length of a step itself
  bool may_be_resumed_ = false;   // the run ended before its time, for a reason outside of it
  double seconds_before_ = 0.0;   // of the run before it was resumed
  bool search_failed_ = false;    // the contacts of two colliders could not be computed
  double iterations_ = 0, closed_ = 0, islands_ = 0, asleep_ = 0;  // sums over the steps
  long stride_ = 1, next_look_ = 1;  // steps between two reports of progress; the step of the next report
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now(), last_look_ = begun_;
  bool duration_told_ = false;
};

// The times of a run of the model. Throws UsageError if dt or end are wrong.
TimeGrid grid_of(const Settings& settings, const Model& model);

}  // namespace tappet
