// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "run/run.h"

namespace tappet {

namespace {

void archive_worst(Archive& a, Worst& worst) { a(worst.max, worst.name, worst.time); }

}  // namespace

// What makes it another run: the program, the model, its settings and its start.
std::string Run::settings_bytes() const {
  const State& start = system_.initial();
  std::string text = fmt::format("tappet {}\n{}\n{}\n{:a}", version, system_.model().text,
                                 to_text(settings_, system_.model()), start.t);
  for (const Vec* numbers : {&start.q, &start.u})
    for (const double x : *numbers) fmt::format_to(std::back_inserter(text), " {:a}", x);
  return text;
}

void Run::archive_summary(Archive& a) {
  Summary& s = summary_;
  a(s.steps, s.impulsive_steps, s.unconverged_steps, s.rejected_steps, s.max_iterations, s.max_islands, s.max_residual);
  a(s.event_count, s.max_found, s.max_closed, s.asleep, s.max_asleep);
  a(iterations_, closed_, islands_, asleep_);
  archive_events(a, s.events);
  archive_worst(a, s.violation);
  archive_worst(a, s.joint_violation);
}

// Everything that the rest of the run depends on. Returns false if a part of the run cannot be archived.
bool Run::archive(Archive& a) {
  a.mark(settings_bytes());
  double seconds = seconds_before_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
  a(seconds, state_.t, state_.q, state_.u, forces_, on_grid_);
  a(last_report_, last_recorded_, hopeless_iterations_);
  if (a.reads()) seconds_before_ = seconds;
  archive_summary(a);
  a(penetration_, energy_watch_, contacts_);
  a.mark("stepper");
  if (!stepper_->archive(a)) return false;
  a.mark("results");
  if (asked_.keep) a(result_.t, result_.q, result_.u);
  return !recording_ || recording_->archive(a);
}

void Run::write_checkpoint() {
  const InPhase phase(execution_, Phase::record);
  Archive a;
  if (archive(a)) return checkpoints_.write(summary_.steps, a.bytes());
  checkpoints_.give_up();
  if (asked_.checkpoint.required)
    throw UsageError(
        "checkpoint: this run has a scheme or a recorder of the program that cannot be archived; expected "
        "Stepper::history and Recorder::archive");
}

// Goes on from the checkpoint. Returns false if there is none.
bool Run::resume() {
  const std::optional<std::string> bytes = checkpoints_.read();
  if (!bytes) return false;
  Archive a = Archive::reading(*bytes);
  if (!archive(a) || !a.is_at_end())
    throw UsageError("the checkpoint is not complete; expected one that a run of this model wrote");
  return true;
}

}  // namespace tappet
