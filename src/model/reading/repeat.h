// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/reading/values.h"

namespace tappet {

// Writes out what a file repeats. An entry of a section with the key `for`,
//
//   contacts: {tooth: {for: {i: 0..29}, gap: ..}}
//
// becomes tooth.0 … tooth.29; formulas in it know i. With several indices the later ones run faster and may use the
// earlier ones: `for: {i: 0..4, j: 0..i}` gives name.0.0, name.1.0, name.1.1, … An index also runs through a list,
// `i: [1, 4, 9]`. Where an entry is no map of its own, or within a list, `{for: {i: 1..5}, each: value}` stands for the
// values. In names and other texts `link.(i+1)` and `{i+1}` are replaced by their value; the first also outside of a
// repetition, with parameters.
// Throws ModelError.
Yaml repeated(const Item& root, const Values& values);

}  // namespace tappet
