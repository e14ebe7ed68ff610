// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/archive.h>

#include <cmath>

#include "system/system.h"

namespace tappet {

// The state that a scheme left at the end of its last step. If the next step starts there, what the scheme remembers of
// the last one holds; at any other state it starts anew.
class LeftState {
 public:
  explicit LeftState(const System& system) : left_(system.initial()) {}

  void leave(const State& state) { left_ = state, known_ = true; }
  void forget() { known_ = false; }
  void archive(Archive& a) { a(left_.t, left_.q, left_.u, known_); }

  // Times may be rounded to a grid: they may differ by `slack`.
  bool is(const State& state, double slack) const { return has_positions_of(state, slack) && state.u == left_.u; }
  bool has_positions_of(const State& state, double slack) const {
    return known_ && std::abs(state.t - left_.t) <= slack && state.q == left_.q;
  }

 private:
  State left_;
  bool known_ = false;
};

}  // namespace tappet
