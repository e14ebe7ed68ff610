// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "system/system.h"

namespace tappet {

// The margin of each collider: the distance that it may move during a step of dt from a state. A blow travels through
// any number of touching bodies within a step, so a body at rest may move as fast as the fastest one.
void reach_of_step(const System& system, std::span<const Placed> colliders, const State& state, double dt,
                   const Execution& execution, std::vector<double>& margins);

}  // namespace tappet
