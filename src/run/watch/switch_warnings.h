// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "system/system.h"

namespace tappet {

// Warns if a scheme treats the switches (max, abs, sign, …) in the formulas of a system differently from what one would
// expect.
std::vector<std::string> switch_warnings(const System& system, const std::string& scheme);

}  // namespace tappet
