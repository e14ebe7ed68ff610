// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "steppers/event_driven/event_log.h"
#include "system/evaluator.h"

namespace tappet::events {

// The times at which functions of time of elements switch. The motion is integrated up to each of them and begins anew.
class TimeSwitches {
 public:
  explicit TimeSwitches(Evaluator& evaluate) : system_(evaluate.system()), evaluate_(evaluate) {}

  void begin(double t);
  void look_ahead(double t_end);         // finds the next one up to this time, if it is not known yet
  double next() const { return next_; }  // INFINITY: there is none
  int which() const { return which_; }   // into System::time_switches, the next one or the one that was passed last
  void archive(Archive& a) {
    a(next_, scanned_, last_, which_, noted_, noted_time_);
    if (a.reads()) evaluate_.hold_time_until(last_);
  }
  void pass(State& now, EventLog& log);  // now is on it: from here on functions have their next branch

 private:
  void hold_until(double last);

  const System& system_;
  Evaluator& evaluate_;
  double next_ = INFINITY, scanned_ = 0;
  double last_ = INFINITY;  // functions of time are evaluated up to here
  int which_ = -1;
  int noted_ = -1;  // the last one, which may lie in the previous step
  double noted_time_ = 0;
};

}  // namespace tappet::events
