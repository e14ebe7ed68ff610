// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/reading/item.h"

namespace tappet {

// The names in a formula, in their order. A name has letters, digits and _, may have dots inside (rod.x) and primes at
// the end (x').
std::vector<std::string> names_in(std::string_view formula);

// Refuses a key that cannot be a name in formulas (`what` is, for example, "a parameter").
void check_formula_name(const Item& item, const std::string& what);

// Names of bodies, joints, contacts and forces are free texts that can be the name of a group in the result file.
void check_free_name(const Item& item, const std::string& what);

}  // namespace tappet
