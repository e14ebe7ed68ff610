// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tappet {

// The candidate that a mistyped word most likely meant; empty if none is close.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

// Returns "; did you mean 'mass'?" or an empty text.
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

// Returns "mass, inertia, position". Long lists end in "… (40 in all)".
std::string listed(const std::vector<std::string>& words);

}  // namespace tappet
