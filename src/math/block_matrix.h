// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "math/execution.h"
#include "math/inertia.h"
#include "math/vec.h"

namespace tappet {

// Which velocities a matrix couples. Elements add the groups of velocities they tie together.
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

// A square matrix over the velocities: mass, or iteration matrix M + dt θ C + dt² θ² K. Its pattern falls into
// independent diagonal blocks (a body, a spring-coupled group, a flexible part). A block is dense while small;
// a larger one is reordered to a narrow band; where the band stays wide, sparse. So cost is linear in bodies
// and in the elements of a flexible one, and three coordinates cost what three coordinates should.
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
  void assign(const BlockMatrix& other);                           // other's blocks within this one's
  void add(int i, int j, double value) { *entry(i, j) += value; }  // (i, j) must be within the pattern
  template <class List>
  void add(const List& rows, const List& columns, const double* values, double factor) {  // row-major
    for (int row : rows)
      for (int column : columns)
        if (const double value = *values++; value != 0.0) add(row, column, factor * value);
  }
  void add(const BlockMatrix& other, double factor);  // other's blocks within this one's
  // The n × n matrix of the velocities first … first + n − 1, column-major with leading dimension `lead`.
  void add_range(int first, int n, const double* values, int lead, double factor);
  double operator()(int i, int j) const;  // zero outside the pattern
  // All entries, column-major, where the matrix is one dense block over the velocities in their order; null elsewhere.
  double* whole() { return blocks_.size() == 1 && blocks_[0].dense() ? values_.data() : nullptr; }
  void multiply(std::span<const double> x, std::span<double> y) const;  // y = A x
  void multiply_transposed(std::span<const double> x, std::span<double> y) const;

  // Factors the present entries, which stay. False: a block is singular (or not positive where it must be).
  // Blocks of the same numbers as the one before them, as of equal bodies, share its factor.
  bool factor();
  void forget_entries();  // the factors stay: for a matrix that is done with but for solve()
  void solve(std::span<double> x) const override;
  void solve_block(int b, std::span<double> x) const override;
  bool has_roots() const override { return has_roots_; }
  void solve_lower(int b, double* x, int rows, int stride) const override;
  void solve_upper(std::span<double> x) const override;

 private:
  struct Sparse;
  struct Block {
    int first = 0, size = 0;       // in indices_ and pivots_; position in the block → velocity
    int band = -1;                 // half bandwidth; −1: dense
    int sparse = -1;               // in sparse_, where the band would be too wide
    bool in_order = false;         // the indices are consecutive
    bool diagonal = false;         // so are the present factors: a ball, a cube
    size_t value = 0, factor = 0;  // where its numbers start

    bool dense() const { return band < 0; }
  };

  std::span<const int> indices(const Block& block) const {
    return {indices_.data() + block.first, static_cast<size_t>(block.size)};
  }
  void narrow(const Coupling& coupling);
  size_t entries(const Block& block) const;  // how many in values_
  double* entry(int i, int j);
  double* entry(const Block& block, int i, int j);
  bool in_band(const Block& block, int i, int j) const;
  bool factor(Block& block);
  bool same_as(const Block& block, const Block& before) const;
  void solve(const Block& block, double* x) const;

  const Execution* execution_ = &Execution::serial;
  Kind kind_ = Kind::symmetric_positive;
  bool has_roots_ = false;  // symmetric, all blocks dense
  std::vector<Block> blocks_;
  std::vector<int> block_of_, position_;
  std::vector<int> indices_, pivots_;
  std::vector<double> values_, factors_;
  std::vector<std::unique_ptr<Sparse>> sparse_;
};

}  // namespace tappet
