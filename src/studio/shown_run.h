// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <functional>

#include "record/recorded_run.h"
#include "run/settings.h"
#include "studio/frames.h"
#include "studio/limits.h"

namespace tappet::studio {

using Tell = std::function<void(Frame)>;

// Tells about the progress of a run, {step, steps, t}, and ends a run that takes too long.
class Watch : public RunListener {
 public:
  Watch(const Limits& limits, const Tell& tell) : limits_(limits), tell_(tell) {}
  void progress(long step, long steps, double t) override;
  bool goes_on() override;
  bool exceeded() const { return exceeded_; }
  double seconds() const;  // since the start

 private:
  const Limits& limits_;
  const Tell& tell_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  long done_ = 0;
  bool exceeded_ = false;
};

// A run as the page shows it. Its results stay in memory. If it takes long, the motion so far is told meanwhile, as
// {"run": …} with its arrays.
class ShownRun final : Watch {
 public:
  // Throws ModelError if the run records nothing. The caller keeps system and limits.
  ShownRun(const System& system, const RunOptions& options, const Limits& limits, const std::atomic<bool>& stop,
           const Tell& tell);
  Frame go();  // {"run": …} as in docs/report-format.md, or {"cancelled": true}

 private:
  void progress(long step, long steps, double t) override;
  Frame frame(Json summary) const;
  std::string note() const;  // about steps that are not recorded

  const System& system_;
  RunOptions options_;
  const Limits& limits_;
  const std::atomic<bool>& stop_;
  const Tell& tell_;
  Settings settings_;
  Recorded recorded_;
  RunHeader header_;
  int wanted_every_;
  double next_look_;  // s after the start, when the motion so far is told
};

}  // namespace tappet::studio
