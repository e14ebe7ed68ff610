// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "system/system.h"

namespace tappet {

// Calls f(one, other, law) for each pair of entries of `colliders:` that may touch, with the law of their contacts. So
// a scheme can refuse a law that it does not have before the first contact is found.
template <class F>
void each_found_law(const System& system, const F& f) {
  const std::vector<ColliderEntry>& entries = system.model().colliders;
  int first_A = 0;
  for (size_t a = 0; a < entries.size(); ++a) {
    int first_B = first_A;
    for (size_t b = a; b < entries.size(); ++b) {
      const bool fixed = entries[a].first_body < 0 && entries[b].first_body < 0;
      const bool one_body = a == b && entries[a].bodies == 1;
      if (!fixed && !one_body) f(entries[a], entries[b], system.law_between(first_A, first_B));
      first_B += static_cast<int>(entries[b].bodies * entries[b].shapes.size());
    }
    first_A += static_cast<int>(entries[a].bodies * entries[a].shapes.size());
  }
}

}  // namespace tappet
