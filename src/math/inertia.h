// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace tappet {

// What a Delassus operator needs from a factorised mass or iteration matrix M̂. The matrix consists of independent
// diagonal blocks, so a right-hand side that is zero on a block stays zero there.
struct Inertia {
  virtual ~Inertia() = default;
  virtual int size() const = 0;
  virtual void solve(std::span<double> x) const = 0;  // x ← M̂⁻¹ x
  virtual int block_count() const = 0;
  virtual int block_of(int velocity) const = 0;
  virtual std::span<const int> block(int b) const = 0;             // the velocities of the block
  virtual void solve_block(int b, std::span<double> x) const = 0;  // x in the order of block(b)
  virtual bool symmetric() const = 0;

  // If has_roots(), the factors of M̂ = L Lᵀ are available by blocks: x ← L⁻¹ x for `rows` vectors of block b, which
  // are `stride` numbers apart, and x ← L⁻ᵀ x for all velocities.
  virtual bool has_roots() const { return false; }
  virtual void solve_lower(int b, double* x, int rows, int stride) const {}
  virtual void solve_upper(std::span<double> x) const {}
};

}  // namespace tappet
