// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tappet {

// The text as one word of a shell command. It is quoted if it has other than plain characters.
std::string shell_word(const std::string& text);

}  // namespace tappet
