// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "math/lists/disjoint_sets.h"
#include "system/system.h"

namespace tappet {

// Decides which bodies sleep because they have come to rest (`run: {sleeping: ..}`), and which wake up. An island is
// what hangs together by found contacts in reach, joints, forces between two bodies and contacts of the file; the
// ground connects nothing. An island falls asleep when each of its bodies has been slower than `speed` for `after`
// seconds: its velocities become zero, no force acts on it, no contact is searched for within it or with the ground,
// and its positions stay to the last bit. It wakes as a whole, before the step, when a contact with a body that is
// awake comes within reach of that step. So no body that moves is ever in reach of one that sleeps, and every blow is
// struck among bodies that are awake. What depends on time (a drive, a force with a formula of t) never sleeps, nor
// does a body without a collider, nor what hangs on them.
class Sleepers {
 public:
  Sleepers(const System& system, const SleepingRule& rule);  // with colliders and without formulas

  int count() const { return count_; }
  const std::vector<char>& flags() const { return asleep_; }  // whether each body sleeps

  // Before each step, in this order (ContactList::find). The touch points are those within reach of the step.
  void watch(const State& state);                                        // since when each body has been slow
  bool wake(std::span<const TouchPoint> touches, double t);              // true: some woke up
  bool put_to_sleep(std::span<const TouchPoint> touches, State& state);  // true: some fell asleep
  // After each step: whatever the scheme did to sleeping bodies (round-off of a joint, say) is undone.
  void settle(State& state) const;

 private:
  void lay_ties();
  double speed_of(int body, const Vec& u) const;  // of its fastest point [m/s]

  const System& system_;
  const double speed_, after_;
  std::vector<std::pair<int, int>> ties_;  // bodies that something other than a found contact connects
  std::vector<double> extent_;             // of a body: how far its colliders reach from its origin [m]
  std::vector<char> restless_;             // never sleeps
  std::vector<char> asleep_;
  std::vector<double> slow_since_;  // [s]; infinite: it is not slow
  std::vector<int> island_;         // of a sleeping body; −1: it is awake
  std::vector<char> stirred_;       // by island
  DisjointSets connected_;
  Vec q_rest_;  // of the sleeping bodies
  int count_ = 0;
};

}  // namespace tappet
