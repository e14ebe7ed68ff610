// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "system/system.h"

namespace tappet {

// Whether the model has solids whose contacts are reduced to the corners of a common patch.
bool has_reduced_contacts(const System& system);

// A search that finds the full set of contacts of such solids, whatever the model says.
CollisionWorld all_pairs_world(const System& system, const Execution& execution);

}  // namespace tappet
