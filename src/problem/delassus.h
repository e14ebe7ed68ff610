// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "math/execution.h"
#include "math/inertia.h"
#include "math/vec.h"
#include "problem/block_rows.h"
#include "problem/law.h"

namespace tappet {

// Compressed columns; row indices ascend within a column. Memory only grows.
struct SparseColumns {
  std::vector<int> start;  // size + 1
  std::vector<int> row;
  std::vector<double> value;
};

// G = Wᵀ M̂⁻¹ W, the response of the contacts to their impulses. Not assumed symmetric: M̂ of an implicit scheme
// holds gyroscopic terms, and a half-explicit one judges at the end of the step what acts at its start,
// G = W₁ᵀ M̂⁻¹ W₀.
//
//   dense     small problems, the everyday case
//   sparse    columns; an entry wherever two contacts share a block of M̂
//   factored  very large problems: W and M̂⁻¹W by contacts, G itself is never formed. Where M̂ = L Lᵀ has roots, both
//             are L⁻¹W, kept once, and what W and Y speak of are the velocities Lᵀu
class Delassus {
 public:
  enum class Form { dense, sparse, factored };
  static constexpr int dense_rows = 64;        // assemble(): dense up to here,
  static constexpr int sparse_rows = 100'000;  // sparse up to here

  static Form form_of(int rows) {
    return rows <= dense_rows ? Form::dense : rows <= sparse_rows ? Form::sparse : Form::factored;
  }

  // What assembles and solves works with the execution of the rows W (BlockRows::use). Without them one can be set.
  void use(const Execution& execution) { execution_ = &execution; }
  const Execution& execution() const { return *execution_; }

  int size() const { return size_; }
  Form form() const { return form_; }

  // To be filled by the caller: a dense matrix of unspecified contents, or empty columns.
  Mat& dense(int size) {
    size_ = size, form_ = Form::dense;
    dense_.resize(size, size);
    return dense_;
  }
  SparseColumns& sparse(int size) {
    size_ = size, form_ = Form::sparse, factors_ = false;
    return sparse_;
  }
  const Mat& dense() const { return dense_; }
  const SparseColumns& sparse() const { return sparse_; }
  bool has_factors() const { return form_ != Form::dense && factors_; }
  const BlockRows& W() const { return one_factor_ ? Y_ : W_; }  // Wᵀ by rows, where has_factors()
  const BlockRows& Y() const { return Y_; }  // (M̂⁻¹W)ᵀ by rows, block k over the velocities it moves
  int block_of(int velocity) const { return block_of_[velocity]; }  // of M̂, where has_factors()
  int velocities() const { return velocities_; }
  int blocks() const { return blocks_; }  // of M̂

  // The form by size, or the one asked for.
  void assemble(const Inertia& inertia, const BlockRows& W) { assemble(inertia, W, W); }
  void assemble(const Inertia& inertia, const BlockRows& W_1, const BlockRows& W_0);
  void assemble(const Inertia& inertia, const BlockRows& W, Form form) { assemble(inertia, W, W, form); }
  void assemble(const Inertia& inertia, const BlockRows& W_1, const BlockRows& W_0, Form form);

  // The same where W is not needed afterwards: where one factor is enough it is made in the memory of W, which is
  // empty then. give_back() returns the memory, and G is empty.
  void assemble(const Inertia& inertia, BlockRows&& W, Form form);
  void give_back(BlockRows& W);

  // The rows of some joints and contacts of `whole`, numbered anew in the order of `which`; no other one shares a block
  // of M̂ with them. Velocities are numbered anew too, add_velocity() is not to be called. `places` serves all parts of
  // one operator, also at the same time.
  struct Places {
    void start(const Delassus& whole);
    std::vector<int> row, velocity, block;  // there → here
  };
  void take_part(const Delassus& whole, const Laws& laws, std::span<const int> which, Form form, Places& places);

  // G = W_1ᵀ Y with the response Y of the last assembly.
  void judge(const BlockRows& W_1);
  void form_sparse();                                                           // factored → sparse
  void add_velocity(std::span<const double> P, std::span<double> u) const;      // u += M̂⁻¹ W P, as last assembled
  void keep_factors_only() { form_ = has_factors() ? Form::factored : form_; }  // sparse → factored

  void multiply(std::span<const double> P, std::span<double> xi) const;  // xi = G P
  double trace() const;
  double diagonal(int i) const {
    if (form_ == Form::dense) return dense_(i, i);
    double g;
    diagonal_block(i, 1, &g);
    return g;
  }
  void diagonal_block(int row, int rows, double* block) const;  // column-major, rows × rows

 private:
  void respond(const Inertia& inertia, const BlockRows& W);  // Y
  void respond_by_roots(const Inertia& inertia, const BlockRows& W, BlockRows& Y);
  void start(const Inertia& inertia, int rows, Form form);
  void fill_dense(const BlockRows& W);
  void fill_sparse(const BlockRows& W);
  void move(std::span<const double> P) const;
  void take_factors(const Delassus& whole, std::span<const int> which, Places& places);
  void take_columns(const Delassus& whole, const Laws& laws, std::span<const int> which, const Places& places);

  const Execution* execution_ = &Execution::serial;
  int size_ = 0, velocities_ = 0, blocks_ = 0;
  Form form_ = Form::dense;
  Mat dense_;
  SparseColumns sparse_;
  bool factors_ = false, rooted_ = false, one_factor_ = false, borrowed_ = false;
  const Inertia* inertia_ = nullptr;  // of the last assembly, for add_velocity and judge
  BlockRows W_, Y_;
  double squares_ = 0.0;  // of all numbers of L⁻¹W
  std::vector<double> squares_of_block_;
  std::vector<int> block_of_;
  mutable Vec velocity_, moved_by_;  // factored multiply: one call at a time; what the velocity belongs to, if anything
  Vec gathered_;                     // a row of W over all velocities, zero between uses
  std::vector<int> touched_, columns_;
  std::vector<int> first_of_block_, contact_of_block_, mark_;  // which contacts move which block of M̂
};

}  // namespace tappet
