// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/delassus.h>

#include "math/vec.h"

namespace tappet {

// G of directions W that are not needed while G is in use. If one factor is enough, it is computed in the memory of W,
// and W is empty meanwhile. At the end of the scope the memory returns to W, which remains empty, and G is emptied.
class DelassusInPlace {
 public:
  DelassusInPlace(Delassus& G, const Inertia& inertia, BlockRows& W, Delassus::Form form);
  ~DelassusInPlace();
  DelassusInPlace(const DelassusInPlace&) = delete;
  DelassusInPlace& operator=(const DelassusInPlace&) = delete;

 private:
  Delassus& G_;
  BlockRows& W_;
  bool in_place_ = false;
};

}  // namespace tappet
