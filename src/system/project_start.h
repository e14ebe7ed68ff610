// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "system/system.h"

namespace tappet {

// Moves a state onto the constraints of the system. Positions first: Newton steps
//   w = −M⁻¹ W (Wᵀ M⁻¹ W)⁺ g,   q ← q ⊕ w,
// over all joints on position level and the contacts of the file whose gap is negative, so that the mass-weighted
// displacement is the smallest possible (to first order). Then velocities, in one such step over all joints. Contacts
// between colliders are not moved.
// Returns by how much the state moved, in words; empty: it did not. Throws ModelError at `run.start` if a coordinate
// would move by more than `limit`, or if the positions do not converge.
std::string project_start(const System& system, double limit, State& state);

}  // namespace tappet
