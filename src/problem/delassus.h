// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/SparseCore>

#include "math/inertia.h"
#include "math/vec.h"
#include "problem/block_rows.h"

namespace tappet {

// G = Wᵀ M̂⁻¹ W, the response of the contacts to their impulses.
class Delassus {
 public:
  int size() const { return size_; }
  Mat& dense(int size) {
    size_ = size;
    dense_.resize(size, size);
    return dense_;
  }
  const Mat& dense() const { return dense_; }

 private:
  int size_ = 0;
  Mat dense_;
};

}  // namespace tappet
