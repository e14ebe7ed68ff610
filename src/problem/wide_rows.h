// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/delassus.h>

#include "math/wide/wide.h"

namespace tappet {

// ξ = Wᵀ v of the blocks of W from `first` on, for four vectors v side by side. Each has the bits of
// BlockRows::multiply.
void multiply(const BlockRows& W, int first, const Four* v, Four* xi);

}  // namespace tappet
