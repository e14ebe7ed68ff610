// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/loading.h"

namespace tappet {

// Index of the body an item names; −1: the ground.
int body_named(const Loading& loading, const Item& item);

// `bodies: [A, B]`, two different ones, with their nodes.
std::array<Attachment, 2> read_pair(const Loading& loading, const Item& item);

// `bodies: [A]`, or `body: A`.
Attachment read_single(const Loading& loading, const Item& item);

}  // namespace tappet
