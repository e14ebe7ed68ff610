// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "math/disjoint_sets.h"
#include "system/system.h"

namespace tappet {

// Puts bodies to sleep that have come to rest (`run: {sleeping: ..}`), and wakes them. An island is what hangs together
// by found contacts in reach, joints, forces between two bodies and contacts of the file; the ground connects nothing.
// It falls asleep when each of its bodies has been slower than `speed` for `after` seconds: its velocities become zero,
// no force acts on it, no contact is sought within it or with the ground, and its positions stay to the last bit. It
// wakes as a whole, before the step, when a contact with a body that is awake comes within reach of that step. So no
// body that moves is ever in reach of one that sleeps, and every blow is struck among bodies that are awake. What
// depends on time (a drive, a force with a formula of t) never sleeps, nor does a body without a collider, nor what
// hangs on them.
class Sleepers {
 public:
  Sleepers(System& system, const SleepingRule& rule);  // with colliders and without formulas

  // Finds the contacts of the step, in place of System::find_contacts.
  void before_step(State& state, double dt);
  void after_step(State& state) const;  // whatever the scheme did to sleepers (round-off of a joint, say) is undone
  int asleep() const { return asleep_; }

 private:
  void lay_ties();
  double speed_of(int body, const Vec& u) const;  // of its fastest point [m/s]
  void watch(const State& state);
  bool wake(const State& state);
  bool put_to_sleep(State& state);

  System& system_;
  const double speed_, after_;
  std::vector<std::pair<int, int>> ties_;  // bodies that something other than a found contact connects
  std::vector<double> extent_;             // of a body: how far its colliders reach from its origin [m]
  std::vector<char> restless_;             // never sleeps
  std::vector<double> slow_since_;         // [s]; infinite: it is not slow
  std::vector<int> island_;                // of a sleeper; −1: awake
  std::vector<char> stirred_;              // by island
  DisjointSets connected_;
  Vec q_rest_;  // of the sleepers
  int asleep_ = 0;
};

}  // namespace tappet
