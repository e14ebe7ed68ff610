// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "system/system.h"

namespace tappet {

// What a scheme makes of the switches (max, abs, sign, …) in the formulas of a system, where that is not what one
// expects of it.
std::vector<std::string> switch_warnings(const System& system, const std::string& scheme);

}  // namespace tappet
