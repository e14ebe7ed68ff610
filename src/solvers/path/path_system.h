// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "solvers/path/path_state.h"

namespace tappet {

// (Ĝ + D) x = b with a block of D for every contact, as both kinds of path need it; joints have none.
class PathSystem {
 public:
  std::vector<double> D;        // 16 numbers a law, column-major, columns 4 apart
  std::vector<double> inverse;  // of its blocks, where they are known in closed form; else empty

  void clear(const PathState& state) { D.assign(16 * state.problem.laws.size(), 0.0); }
  void factor(PathState& state);
  void solve(PathState& state, const Vec& b, bool refined, Vec& x);  // refined: against Ĝ + D itself

 private:
  void subtract_product(const ScaledProblem& problem, const Vec& x, Vec& y);

  Vec correction_, product_;
};

}  // namespace tappet
