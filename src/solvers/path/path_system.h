// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "solvers/path/path_state.h"

namespace tappet {

// Solves (Ĝ + D) x = b with a block of D for every contact, for both kinds of path. Joints have no block.
class PathSystem {
 public:
  std::vector<double> D;        // 16 numbers per law, column-major, columns 4 apart
  std::vector<double> inverse;  // inverses of its blocks if they are known in closed form, otherwise empty

  void clear(const PathState& state) { D.assign(16 * state.problem.laws.size(), 0.0); }
  void factor(PathState& state);
  void solve(PathState& state, const Vec& b, bool refined, Vec& x);  // refined: with respect to Ĝ + D itself

 private:
  void subtract_product(const ScaledProblem& problem, const Vec& x, Vec& y);

  Vec correction_, product_;
};

}  // namespace tappet
