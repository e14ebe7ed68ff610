// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "math/lists/disjoint_sets.h"
#include "problem/contact_problem.h"

namespace tappet {

// The islands of a problem: joints and contacts that share a block of M̂ belong together, and those that share one with
// these. No impulse of one island moves another, so each is a problem of its own. Seen from the factors of G, or, where
// it has none, from its columns; a dense G does not say: one island. Cost: linear in what is looked at.
class Islands {
 public:
  int find(const ContactProblem& problem);  // returns how many

  int count() const { return count_; }
  std::span<const int> laws(int island) const {  // ascending
    return {law_.data() + first_[island], static_cast<size_t>(first_[island + 1] - first_[island])};
  }
  int rows(int island) const { return rows_[island]; }
  int velocities(int island) const { return velocities_[island]; }  // of the blocks it moves; 0 without factors
  int largest() const { return largest_; }                          // rows of the largest
  // What an island is known by while it stays as it is: the lowest block of M̂ it moves (without factors: its first
  // law).
  int key(int island) const { return key_[island]; }
  int keys() const { return keys_; }  // all are below

 private:
  bool tie_by_factors(const ContactProblem& problem);
  bool tie_by_columns(const ContactProblem& problem);
  void list(const ContactProblem& problem);

  DisjointSets tied_;
  std::vector<int> of_law_;     // a block of M̂ it moves, then its island
  std::vector<int> island_of_;  // by key
  std::vector<int> law_, first_, rows_, velocities_, key_;
  int count_ = 0, keys_ = 0, largest_ = 0;
};

}  // namespace tappet
