// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "math/execution.h"
#include "math/vec.h"

namespace tappet {

// Wᵀ by rows, with one dense block per joint or contact over the velocities on which it acts. Row r of block k belongs
// to ξ[block.row + r]. Its entries belong to the velocities columns(k)[c].
class BlockRows {
 public:
  struct Block {
    int row, rows;        // rows of this block in ξ
    int column, columns;  // the place of its columns in the column list, and their number
    int value;            // the first of its values, row-major
  };

  // The products below are computed with this execution, which must outlive the rows. Copies keep it.
  void use(const Execution& execution) { execution_ = &execution; }
  const Execution& execution() const { return *execution_; }

  void clear() { blocks_.clear(), columns_used_ = values_used_ = rows_ = 0; }
  void reserve(int blocks, int columns, int values) {
    blocks_.reserve(blocks), columns_.reserve(columns), values_.reserve(values);
  }
  void clear(int blocks, int columns, int values);  // reserves memory for these numbers

  // Appends a block; its values are zero. Returns the values, row-major (rows × columns.size()).
  template <class Columns>
  double* append(int rows, const Columns& columns) {
    double* values = append_unset(rows, columns);
    std::fill_n(values, rows * columns.size(), 0.0);
    return values;
  }
  // The same if the caller sets all values.
  template <class Columns>
  double* append_unset(int rows, const Columns& columns) {
    double* values = append_block(rows, static_cast<int>(columns.size()));
    int* to = columns_.data() + blocks_.back().column;
    if constexpr (requires { columns.copy_to(to); })
      columns.copy_to(to);
    else
      std::copy(columns.begin(), columns.end(), to);
    return values;
  }

  int rows() const { return rows_; }
  int blocks() const { return static_cast<int>(blocks_.size()); }
  const Block& block(int k) const { return blocks_[k]; }
  std::span<const int> columns(int k) const {
    return {columns_.data() + blocks_[k].column, static_cast<size_t>(blocks_[k].columns)};
  }
  double* values(int k) { return values_.data() + blocks_[k].value; }
  const double* values(int k) const { return values_.data() + blocks_[k].value; }
  double squares(int k) const;  // the sum of the squares of its values
  double squares() const;
  std::span<const double> all_values() const { return {values_.data(), static_cast<size_t>(values_used_)}; }

  void multiply(std::span<const double> u, std::span<double> xi) const;            // xi = Wᵀ u
  void multiply_transposed(std::span<const double> P, std::span<double> f) const;  // f += W P

 private:
  double* append_block(int rows, int width);  // its columns and values are still to be filled in

  const Execution* execution_ = &Execution::serial;
  std::vector<Block> blocks_;
  std::vector<int> columns_;  // these two never shrink; the part in use is counted
  std::vector<double> values_;
  int rows_ = 0, columns_used_ = 0, values_used_ = 0;
};

}  // namespace tappet
