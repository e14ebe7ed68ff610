// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/reading/item.h"

namespace tappet {

// The names in a formula in the order they stand: letters, digits, _, a dot inside (rod.x), primes at the end (x').
std::vector<std::string> names_in(std::string_view formula);

// Refuses a key that cannot be used as a name in formulas (`what`: "a parameter").
void check_formula_name(const Item& item, const std::string& what);

// Names of bodies, joints, contacts, forces: free text that can name a group of the result file.
void check_free_name(const Item& item, const std::string& what);

}  // namespace tappet
