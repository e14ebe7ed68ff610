// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "steppers/event_driven/balance.h"
#include "steppers/event_driven/event_log.h"
#include "steppers/event_driven/watch.h"

namespace tappet::events {

// The switches of formulas (max, abs, sign, …). Up to the point where its switch function σ is zero, a switch keeps its
// branch (Balance::branches). There it takes the branch to which the motion leads. If both branches lead back, the
// motion stays on the switching point, between them (Filippov 1988).
class Switches {
 public:
  Switches(const System& system, Balance& balance);

  bool empty() const { return switches_.empty(); }
  int size() const { return static_cast<int>(switches_.size()); }

  void begin(const State& now);
  void archive(Archive& a) { a(switches_); }
  void note_scales(const State& now);  // after a step; accelerations are the balance's

  // The functions that tell when a branch ends: which ones there are in this segment, and their values at a state.
  void watch(std::vector<Watched>& watched);
  void evaluate(const State& state);
  double value(const Watched& watched) const;
  void take_fired(const Watched& watched, double t, EventLog& log);  // one of them is zero

  // Branches at a state after velocities or other branches may have jumped. `accelerations`: those that follow from the
  // branches as they are at the call. True: a branch has changed, and gaps may close in other directions.
  using Accelerations = std::function<Vec()>;
  bool update(const State& now, const Accelerations& accelerations);

 private:
  struct Branch {                                          // its b is in the balance
    bool on = false;                                       // whether the switch function stays zero
    bool fired = false;                                    // whether it has just become zero
    bool freed = false;                                    // whether it has just left a stretch of sliding
    double scale = 1e-3, rate_scale = 0, first_scale = 0;  // the largest σ, its deciding rate and dσ/dt so far
    double band() const { return 1e-9 * scale; }           // a smaller σ counts as zero
  };
  struct Rates {
    double first, deciding;
  };

  void begin_branches(const State& now);
  void begin_whole_numbers(const State& now);
  bool slides(int i) const;
  bool update_one(int i, const State& now, const Accelerations& accelerations);
  Rates rates(int i, double b, const State& now, const Accelerations& accelerations);
  bool place_on_switch(int i, const State& now, const Accelerations& accelerations);

  const System& system_;
  Balance& balance_;
  std::vector<Branch> switches_;
  Vec sigma_, sigma_dot_, sigma_rate_;
};

}  // namespace tappet::events
