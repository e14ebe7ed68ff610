// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "system/system.h"

namespace tappet {

// Adds the weights of rigid bodies, and what presses pads on.
void add_constant_forces(const System& system, Vec& h);

// Sets h to these forces. `kept` holds them, or is empty.
inline void start_with_constant_forces(const System& system, const Vec& kept, Vec& h) {
  if (kept.size() == system.u_size()) {
    h = kept;
  } else {
    h.assign(system.u_size(), 0.0);
    add_constant_forces(system, h);
  }
}

}  // namespace tappet
