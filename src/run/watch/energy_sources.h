// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "system/system.h"

namespace tappet {

// Whether something other than a contact may give energy to the system, as far as its recorded energy counts: formulas
// of t, drives, motors, forces as formulas. Generalised forces of coordinates that vanish at rest count as dampers.
bool has_energy_sources(const System& system);

}  // namespace tappet
