// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include "solvers/path/exact_path.h"

namespace tappet::test {

// The smallest error along a path itself, without any polish. `follow(state, judge)` follows the path.
template <class Follow>
double end_of_path(const ContactProblem& problem, Follow&& follow) {
  PathState state;
  state.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  EXPECT_TRUE(state.prepare(problem));
  state.best = 1e300;
  struct : ExactPath::Judge {
    PathState* state;
    Vec u;
    bool done(const Vec& r) override {
      state->problem.multiply(r, u);
      for (int i = 0; i < u.size(); ++i) u[i] += state->problem.q[i];
      state->offer(r, u);
      return false;
    }
  } judge;
  judge.state = &state;
  follow(state, judge);
  return state.best;
}

}  // namespace tappet::test
