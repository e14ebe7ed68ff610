// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "math/vec.h"
#include "problem/delassus.h"

namespace tappet {

// The data from which a problem came, in addition to W: M u = M u_free + W P, c = Wᵀ u_free.
struct FreeMotion {
  SparseColumns M;
  Vec u_free;
};

}  // namespace tappet
