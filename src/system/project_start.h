// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "system/system.h"

namespace tappet {

// Moves a state onto the constraints of the system. First the positions are moved by Newton steps
//   w = −M⁻¹ W (Wᵀ M⁻¹ W)⁺ g,   q ← q ⊕ w,
// over all joints on position level and the contacts of the file whose gap is negative. The mass-weighted displacement
// is then the smallest possible one (to first order). Then the velocities are changed in one such step over all joints.
// Contacts between colliders are not moved. Returns by how much the state moved, in words; the text is empty if it did
// not. Throws a ModelError at `run.start` if a coordinate would move by more than `limit`, or if the positions do not
// converge.
std::string project_start(const System& system, double limit, State& state);

}  // namespace tappet
