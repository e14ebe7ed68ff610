// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/execution.h>
#include <tappet/vec.h>

#include <memory>
#include <span>
#include <utility>
#include <vector>

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
  // The same for `rows` vectors of block b, which are `stride` numbers apart.
  virtual void solve_rows(int b, double* x, int rows, int stride) const {
    for (int r = 0; r < rows; ++r, x += stride) solve_block(b, {x, block(b).size()});
  }

  // If has_roots(), the factors of M̂ = L Lᵀ are available by blocks: x ← L⁻¹ x for `rows` vectors of block b, which
  // are `stride` numbers apart, and x ← L⁻ᵀ x for all velocities.
  virtual bool has_roots() const { return false; }
  virtual void solve_lower(int /*b*/, double* /*x*/, int /*rows*/, int /*stride*/) const {}
  virtual void solve_upper(std::span<double> /*x*/) const {}

  // A number that only this matrix and its copies have. As long as it is the same, the blocks are the same.
  long structure() const { return structure_; }

 private:
  static long next_structure();
  long structure_ = next_structure();
};

// Records which velocities a matrix couples. Elements add the groups of velocities that they connect.
class Coupling {
 public:
  explicit Coupling(int size) : size_(size) {}
  template <class List>
  void tie(const List& velocities) {  // every pair of them
    for (size_t a = 0; a < velocities.size(); ++a)
      for (size_t b = 0; b < a; ++b) tie(velocities[a], velocities[b]);
  }
  void tie(int i, int j) { pairs_.emplace_back(i, j); }
  int size() const { return size_; }
  const std::vector<std::pair<int, int>>& pairs() const { return pairs_; }

 private:
  int size_;
  std::vector<std::pair<int, int>> pairs_;
};

// A square matrix over the velocities: the mass matrix, or the iteration matrix M + dt θ C + dt² θ² K. Its pattern
// consists of independent diagonal blocks (a body, a group of bodies coupled by springs, a flexible part). A small
// block is dense. A larger one is reordered to a narrow band. If the band is still wide, the block is sparse. So the
// cost is linear in the number of bodies and in the number of elements of a flexible body, and small systems have no
// overhead.
class BlockMatrix final : public Inertia {
 public:
  enum class Kind { symmetric_positive, general };

  BlockMatrix();
  BlockMatrix(const Coupling& coupling, Kind kind, const Execution& execution = Execution::serial);
  BlockMatrix(BlockMatrix&&) noexcept;
  BlockMatrix& operator=(BlockMatrix&&) noexcept;
  ~BlockMatrix() override;

  int size() const override { return static_cast<int>(block_of_.size()); }
  int block_count() const override { return static_cast<int>(blocks_.size()); }
  int block_of(int velocity) const override { return block_of_[velocity]; }
  std::span<const int> block(int b) const override { return indices(blocks_[b]); }
  bool symmetric() const override { return kind_ == Kind::symmetric_positive; }

  void set_zero();
  void assign(const BlockMatrix& other);  // the blocks of `other` must lie within those of this matrix
  void add(int i, int j, double value) { *entry(i, j) += value; }  // (i, j) must be within the pattern
  template <class List>
  void add(const List& rows, const List& columns, const double* values, double factor) {  // row-major
    for (int row : rows)
      for (int column : columns)
        if (const double value = *values++; value != 0.0) add(row, column, factor * value);
  }
  void add(const BlockMatrix& other, double factor);  // the blocks of `other` must lie within those of this matrix
  // Adds the n × n matrix of the velocities first … first + n − 1, column-major with leading dimension `lead`.
  void add_range(int first, int n, const double* values, int lead, double factor);
  double operator()(int i, int j) const;  // zero outside the pattern
  // Where the entry is stored, or null outside the pattern. The place stays the same as long as the matrix exists.
  const double* find(int i, int j) const;
  // All entries, column-major, if the matrix is one dense block over the velocities in their order. Otherwise null.
  double* whole() { return blocks_.size() == 1 && blocks_[0].dense() ? values_.data() : nullptr; }
  void multiply(std::span<const double> x, std::span<double> y) const;  // y = A x
  void multiply_transposed(std::span<const double> x, std::span<double> y) const;

  // Factorises the present entries, which are kept. Returns false if a block is singular (or not positive definite
  // although it must be). A block with the same numbers as the previous one, as for equal bodies, shares its factor.
  bool factor();
  void forget_entries();  // keeps only the factors, for a matrix of which only solve() is still needed
  void solve(std::span<double> x) const override;
  void solve_block(int b, std::span<double> x) const override;
  void solve_rows(int b, double* x, int rows, int stride) const override;
  bool has_roots() const override { return has_roots_; }
  void solve_lower(int b, double* x, int rows, int stride) const override;
  void solve_upper(std::span<double> x) const override;

 private:
  struct Sparse;
  struct Block {
    int first = 0, size = 0;       // in indices_ and pivots_, which map the position in the block to the velocity
    int band = -1;                 // half bandwidth; −1 if dense
    int sparse = -1;               // index in sparse_, if the band would be too wide
    bool in_order = false;         // whether the indices are consecutive
    bool diagonal = false;         // whether the present factors are diagonal, as for a ball or a cube
    size_t value = 0, factor = 0;  // the first of its numbers

    bool dense() const { return band < 0; }
  };

  std::span<const int> indices(const Block& block) const {
    return {indices_.data() + block.first, static_cast<size_t>(block.size)};
  }
  void narrow(const Coupling& coupling);
  size_t entries(const Block& block) const;  // the number of its entries in values_
  double* entry(int i, int j) {
    const Block& block = blocks_[block_of_[i]];
    if (block.dense())
      return values_.data() + block.value + static_cast<size_t>(position_[j]) * block.size + position_[i];
    return entry(block, position_[i], position_[j]);
  }
  double* entry(const Block& block, int i, int j);
  bool in_band(const Block& block, int i, int j) const;
  bool factor(Block& block);
  bool same_as(const Block& block, const Block& before) const;
  void solve(const Block& block, double* x) const;

  const Execution* execution_ = &Execution::serial;
  Kind kind_ = Kind::symmetric_positive;
  bool has_roots_ = false;  // whether it is symmetric and all blocks are dense
  std::vector<Block> blocks_;
  std::vector<int> block_of_, position_;
  std::vector<int> indices_, pivots_;
  std::vector<double> values_, factors_;
  std::vector<std::unique_ptr<Sparse>> sparse_;
};

}  // namespace tappet
