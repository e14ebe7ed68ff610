// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/archive.h>

#include <span>
#include <vector>

#include "math/lists/disjoint_sets.h"
#include "system/system.h"

namespace tappet {

// Decides which bodies sleep because they have come to rest (`run: {sleeping: ..}`), and which wake up. An island is a
// group of bodies that are connected by found contacts in reach, joints, forces between two bodies, and contacts of the
// file. The ground does not connect bodies. An island falls asleep when each of its bodies has been slower than `speed`
// for `after` seconds. Its velocities become zero, no force acts on it, no contact is searched for within it or with
// the ground, and its positions do not change in any bit. It wakes as a whole, before the step, when a contact with an
// awake body comes within reach of that step. So no moving body is ever in reach of a sleeping one, and every impact
// happens between awake bodies. A body never sleeps if it depends on time (a drive, a force with a formula of t) or has
// no collider. Bodies connected with such a body do not sleep either.
class Sleepers {
 public:
  Sleepers(const System& system, const SleepingRule& rule);  // needs a model with colliders and without formulas

  void archive(Archive& a) { a(asleep_, slow_since_, island_, q_rest_, count_); }

  int count() const { return count_; }
  const std::vector<char>& flags() const { return asleep_; }  // whether each body sleeps

  // These are called before each step, in this order (ContactList::find). The touch points are those within reach of
  // the step.
  void watch(const State& state);                                        // updates since when each body has been slow
  bool wake(std::span<const TouchPoint> touches, double t);              // returns true if some woke up
  bool put_to_sleep(std::span<const TouchPoint> touches, State& state);  // returns true if some fell asleep
  // Called after each step. It undoes everything that the scheme did to sleeping bodies, such as round-off of a joint.
  void settle(State& state) const;

 private:
  void lay_ties();
  double speed_of(int body, const Vec& u) const;  // of its fastest point [m/s]

  const System& system_;
  const double speed_, after_;
  std::vector<std::pair<int, int>> ties_;  // bodies that are connected by something other than a found contact
  std::vector<double> extent_;             // by body: how far its colliders reach from its origin [m]
  std::vector<char> restless_;             // whether a body never sleeps
  std::vector<char> asleep_;
  std::vector<double> slow_since_;  // [s]; infinite if it is not slow
  std::vector<int> island_;         // of a sleeping body; −1 if it is awake
  std::vector<char> stirred_;       // whether an island wakes, by island
  DisjointSets connected_;
  Vec q_rest_;  // of the sleeping bodies
  int count_ = 0;
};

}  // namespace tappet
