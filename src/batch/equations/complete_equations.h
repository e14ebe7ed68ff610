// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "batch/equations/equations.h"
#include "batch/equations/recorded_motion.h"

namespace tappet {

// Solves the equations of motion for what a step needs. `out` already has the graph, the parameters, the names, the
// start, and the names and laws of the contacts.
void complete_equations(RecordedMotion motion, BatchEquations& out);

}  // namespace tappet
