// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "system/system.h"

namespace tappet {

// The place of a coordinate (x) or velocity (x', or its own name) among the 2n numbers (w, v) of a deviation of the
// state; −1 if this is no such name. The positions of a rotation in space are none of them.
int state_index(const System& system, const std::string& name);

}  // namespace tappet
