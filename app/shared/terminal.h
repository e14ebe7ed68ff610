// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "run/simulate.h"

// Shows the progress bar, if standard error is a terminal, and the warnings of a run.
class Terminal final : public tappet::RunListener {
 public:
  explicit Terminal(bool quiet);
  void progress(long step, long steps, double t) override;
  void warning(const std::string& message) override;
  void clear();  // removes the bar

 private:
  using Clock = std::chrono::steady_clock;
  bool bar_;
  bool shown_ = false;
  Clock::time_point start_ = Clock::now(), last_ = start_;
};

// "[#####.....]  50 %  120000 steps/s, 3 s left"
std::string progress_line(double fraction, double steps_per_second, double seconds_left);
