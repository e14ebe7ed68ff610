// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collision/narrow_phase.h"

namespace tappet {

// How deep two shapes, at least one of them a profile, a plate or a wheel, lie in each other [m]; 0 if they do not.
// Contacts are only found up to half the thickness of a part, so this is how parts that overlap further are noticed. It
// looks at many points of both and is meant for the start of a run.
double overlap_of_outlines(const Placed& A, const Placed& B);

}  // namespace tappet
