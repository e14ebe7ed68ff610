// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tappet {

// Sixteen hexadecimal digits that change if the text changes (FNV-1a with 64 bits).
std::string fingerprint(std::string_view text);

}  // namespace tappet
