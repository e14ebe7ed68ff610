// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numeric>
#include <vector>

namespace tappet {

// The numbers 0 … size − 1 in sets that can only be united. A set is identified by its lowest member.
class DisjointSets {
 public:
  void reset(int size) {  // every number is a set by itself
    parent_.resize(size);
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  int lowest(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void unite(int i, int j) {
    i = lowest(i), j = lowest(j);
    if (i < j)
      parent_[j] = i;
    else
      parent_[i] = j;
  }

 private:
  std::vector<int> parent_;
};

}  // namespace tappet
