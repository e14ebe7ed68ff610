// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "system/contacts/reach.h"

#include <algorithm>

namespace tappet {

namespace {
constexpr double rest_share = 1e-6;  // of the size of an outline: the least distance at which contacts are found
}  // namespace

void reach_of_step(const System& system, std::span<const Placed> colliders, const State& state, double dt,
                   const Execution& execution, std::vector<double>& margins) {
  parallel_for(execution, static_cast<int>(colliders.size()), System::bodies_at_a_time, [&](int first, int last) {
    for (int c = first; c < last; ++c) {
      margins[c] = 0.0;
      if (colliders[c].body < 0) continue;
      const Frame& frame = system.frames()[system.bodies()[colliders[c].body].frame];
      Twist<double> twist;
      for (size_t i = 0; i < frame.columns.size(); ++i) twist[frame.component[i]] = state.u[frame.columns[i]];
      margins[c] = norm(twist.v) + norm(twist.w) * system.extent(c);
    }
  });
  const double fastest = margins.empty() ? 0.0 : *std::max_element(margins.begin(), margins.end());
  for (double& margin : margins) margin = dt * (std::max(margin, 0.5 * fastest) + dt * system.largest_gravity());
  // Round-off must not part outlines that rest on each other, even if nothing moves and no force acts at the start.
  for (size_t c = 0; c < margins.size(); ++c)
    if (has_outline(colliders[c].shape)) margins[c] = std::max(margins[c], rest_share * norm(colliders[c].shape.half));
}

}  // namespace tappet
