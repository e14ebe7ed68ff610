// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tappet {

// The candidate a mistyped word most likely meant; empty where none is close.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

// "; did you mean 'mass'?" or nothing.
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

// "mass, inertia, position"; long lists end in "… (40 in all)".
std::string listed(const std::vector<std::string>& words);

}  // namespace tappet
