// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "record/recorder.h"
#include "system/contact_list.h"

namespace tappet {

// Counts how many contacts the full set of convex solids would have, beside those that are kept. That takes longer than
// the search for the contacts that are kept, so it happens at some two hundred steps of a run only.
class ReductionCount {
 public:
  ReductionCount(const System& system, const Execution& execution, bool reduces, long steps)
      : system_(system), execution_(execution), reduces_(reduces), every_(steps / 200 + 1) {}

  // After the search for a step of dt from this state. `step` is the number of steps before it.
  void after_search(const ContactList& contacts, const State& state, double dt, long step);
  void write(Summary& summary) const;

 private:
  long count_all_pairs(const State& state, double dt);

  const System& system_;
  const Execution& execution_;
  const bool reduces_;
  const long every_;
  std::unique_ptr<CollisionWorld> world_;  // which finds the full set; null until it is needed
  std::vector<double> margins_;
  std::vector<TouchPoint> touches_;
  long counted_ = 0, max_pairs_ = 0, max_kept_ = 0;
  double pairs_ = 0.0, kept_ = 0.0;  // sums
};

}  // namespace tappet
