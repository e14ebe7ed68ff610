// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/loading.h"

namespace tappet {

// If the model has profiles, its other colliders are flat as well: boxes become rectangles, and capsules become discs
// or slots. Refuses colliders for which this makes no sense. `items` are the entries of the colliders.
void flatten_shapes(Model& model, const std::vector<Item>& items);

// Refuses pairs of colliders that could meet but for which there is no contact.
void check_pairs(const Model& model, const std::vector<Item>& items);

}  // namespace tappet
