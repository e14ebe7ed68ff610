// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "math/lists/disjoint_sets.h"
#include "problem/contact_problem.h"

namespace tappet {

// The islands of a problem. Joints and contacts that share a block of M̂ belong to the same island, and so do those
// that share one with these. No impulse of one island moves another, so each is a separate problem. Islands are found
// from the factors of G or, if it has none, from its columns. A dense G counts as one island. The cost is linear in the
// data that are read.
class Islands {
 public:
  int find(const ContactProblem& problem);  // returns the number of islands

  int count() const { return count_; }
  std::span<const int> laws(int island) const {  // ascending
    return {law_.data() + first_[island], static_cast<size_t>(first_[island + 1] - first_[island])};
  }
  int rows(int island) const { return rows_[island]; }
  int velocities(int island) const { return velocities_[island]; }  // of the blocks on which it acts; 0 without factors
  int largest() const { return largest_; }                          // the number of rows of the largest island
  // A number that identifies an island as long as it does not change: the lowest block of M̂ on which it acts or,
  // without factors, its first law.
  int key(int island) const { return key_[island]; }
  int keys() const { return keys_; }  // all keys are below this number

 private:
  bool tie_by_factors(const ContactProblem& problem);
  bool tie_by_columns(const ContactProblem& problem);
  void list(const ContactProblem& problem);

  DisjointSets tied_;
  std::vector<int> of_law_;     // a block of M̂ on which it acts; later its island
  std::vector<int> island_of_;  // by key
  std::vector<int> law_, first_, rows_, velocities_, key_;
  int count_ = 0, keys_ = 0, largest_ = 0;
};

}  // namespace tappet
