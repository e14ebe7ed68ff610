// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "solvers/path/polish.h"

namespace tappet {

// One step of the flow from flow_r_: next_ solves its proximal problem, or the result is false. `steps` counts those of
// Newton's method.
bool Polish::flow_step(PathState& state, double alpha, int& steps) {
  constexpr int most = 12;          // steps of Newton's method
  constexpr double accuracy = 0.1;  // of a step, in parts of what it has to change
  rho_ = 1.0;
  centre_ = next_ = flow_r_;
  respond(state.problem, centre_, u_);
  const double f = evaluate(state.problem, centre_, u_);
  const double target = std::max(1e-14, accuracy * f * std::min(1.0, alpha));
  const bool solved = newton(state, alpha, target, most, next_, steps);
  respond(state.problem, next_, u_);
  return solved;
}

// Implicit Euler steps of length 1/α: every step is a proximal problem, solved by Newton's method from where the step
// begins. α falls as long as Newton's method is quick and rises when it fails. Points close to a solution are polished:
// the flow leaves solutions that are saddles of it again, but Newton's method ends in them.
void Polish::flow(PathState& state, const Vec& start, int max_factorisations) {
  constexpr int patience = 300;  // factorisations without progress
  constexpr double progress = 0.7, drop = 0.3, separate = 1e4;
  const ScaledProblem& problem = state.problem;
  const int last = state.factorisations + max_factorisations;
  flow_r_ = start;
  respond(problem, flow_r_, u_);
  double alpha = 1e-2, lowest = problem.error(flow_r_, u_), quick_below = 1e-3;
  int since = state.factorisations;
  while (state.factorisations < std::min(last, since + patience) && alpha < 1e4 && !state.late()) {
    int steps = 0;
    const bool solved = flow_step(state, alpha, steps);
    const double e = state.offer(next_, u_);
    if (state.done()) return;
    alpha = std::max(1e-12, alpha * (!solved ? 4.0 : steps <= 3 ? 0.3 : steps <= 8 ? 0.7 : 1.0));
    if (!solved) continue;
    std::swap(flow_r_, next_);
    if (e < progress * lowest) lowest = e, since = state.factorisations;
    if (e >= quick_below) continue;
    quick_below = drop * e;
    quick(state, flow_r_, 15, separate);
    if (state.done()) return;
  }
}

}  // namespace tappet
