// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/loading.h"

namespace tappet {

// The index of the body that an item names; −1 is the ground.
int body_named(const Loading& loading, const Item& item);

// Reads `bodies: [A, B]`, two different bodies, with their nodes.
std::array<Attachment, 2> read_pair(const Loading& loading, const Item& item);

// Reads `bodies: [A]` or `body: A`.
Attachment read_single(const Loading& loading, const Item& item);

}  // namespace tappet
