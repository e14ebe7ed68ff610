// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/reading/values.h"

namespace tappet {

// Writes out the repetitions of a file. An entry of a section with the key `for`,
//
//   contacts: {tooth: {for: {i: 0..29}, gap: ..}}
//
// becomes tooth.0 … tooth.29, and formulas in it may use i. If there are several indices, the later ones run faster and
// may use the earlier ones: `for: {i: 0..4, j: 0..i}` gives name.0.0, name.1.0, name.1.1, … An index may also run
// through a list, `i: [1, 4, 9]`. If an entry is not a map, or within a list, `{for: {i: 1..5}, each: value}` stands
// for the values. In names and other texts `link.(i+1)` and `{i+1}` are replaced by their value. The first form also
// works outside a repetition, with parameters. Throws ModelError.
Yaml repeated(const Item& root, const Values& values);

}  // namespace tappet
