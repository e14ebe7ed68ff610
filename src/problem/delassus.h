// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/SparseCore>

#include "math/vec.h"
#include "problem/block_rows.h"

namespace tappet {

// What a Delassus operator needs of a mass or iteration matrix: solves, and its blocks.
struct Inertia {
  virtual ~Inertia() = default;
  virtual int size() const = 0;
  virtual void solve(std::span<double> x) const = 0;  // x ← M̂⁻¹ x, allocation-free
};

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
