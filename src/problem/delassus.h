// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "math/execution.h"
#include "math/inertia.h"
#include "math/vec.h"
#include "problem/block_rows.h"
#include "problem/contact_factors.h"
#include "problem/law.h"

namespace tappet {

// G = Wᵀ M̂⁻¹ W, the response of the contacts to their impulses. It is not assumed to be symmetric: M̂ of an implicit
// scheme contains gyroscopic terms, and a half-explicit scheme judges velocities along the directions at the end of the
// step, while impulses act along those at its start, G = W₁ᵀ M̂⁻¹ W₀.
//
//   dense     a matrix, for small problems, which is the usual case
//   sparse    columns; there is an entry wherever two contacts share a block of M̂
//   factored  only the factors (contact_factors.h), for very large problems; G itself is never formed
class Delassus {
 public:
  enum class Form { dense, sparse, factored };
  static constexpr int dense_rows = 64;        // form_of(): dense up to this number of rows,
  static constexpr int sparse_rows = 100'000;  // sparse up to this one

  static Form form_of(int rows) {
    return rows <= dense_rows ? Form::dense : rows <= sparse_rows ? Form::sparse : Form::factored;
  }

  // Assembly and solvers work with the execution of the rows W (BlockRows::use). If there are no such rows, it can be
  // set here.
  void use(const Execution& execution) { execution_ = &execution; }
  const Execution& execution() const { return *execution_; }

  int size() const { return size_; }
  Form form() const { return form_; }

  // To be filled by the caller: a dense matrix with unspecified contents, or empty columns.
  Mat& dense(int size) {
    size_ = size, form_ = Form::dense, has_factors_ = false;
    dense_.resize(size, size);
    return dense_;
  }
  SparseColumns& sparse(int size) {
    size_ = size, form_ = Form::sparse, has_factors_ = false;
    return sparse_;
  }
  const Mat& dense() const { return dense_; }
  const SparseColumns& sparse() const { return sparse_; }

  // The factors, if has_factors(). A dense matrix never has them, and the form `factored` always does.
  bool has_factors() const { return has_factors_; }
  const BlockRows& W() const { return factors_.W(); }
  const BlockRows& Y() const { return factors_.Y(); }
  int block_of(int velocity) const { return factors_.block_of(velocity); }
  int velocities() const { return factors_.velocities(); }
  int blocks() const { return factors_.blocks(); }  // of M̂

  // G = Wᵀ M̂⁻¹ W. The inertia must outlive calls of add_velocity() and judge_along().
  void assemble(const Inertia& inertia, const BlockRows& W, Form form);
  // G = W₁ᵀ M̂⁻¹ W₀: impulses act along W₀, and velocities are judged along W₁.
  void assemble_between(const Inertia& inertia, const BlockRows& W_1, const BlockRows& W_0, Form form);
  // The same G with other directions W₁ and the response of the last assembly.
  void judge_along(const BlockRows& W_1);

  // The rows of some joints and contacts of `whole`, numbered anew in the order of `which`. No other joint or contact
  // shares a block of M̂ with them. Velocities are numbered anew too, so add_velocity() must not be called. `places`
  // can be used for all parts of one operator, also at the same time.
  struct Places {
    void start(const Delassus& whole);
    std::vector<int> row, velocity, block;  // from the number in `whole` to the number here
  };
  void take_part(const Delassus& whole, const Laws& laws, std::span<const int> which, Form form, Places& places);

  void form_sparse_from(const Delassus& factored);  // only the columns of an operator that is given by factors
  void form_sparse();                               // factored → sparse
  void keep_factors_only() { form_ = has_factors() ? Form::factored : form_; }  // sparse → factored

  // u += M̂⁻¹ W P, as last assembled
  void add_velocity(std::span<const double> P, std::span<double> u) const { factors_.add_velocity(P, u, caused_); }
  // xi = G P. It must not be called by two threads at once (CausedVelocity).
  void multiply(std::span<const double> P, std::span<double> xi) const;
  double trace() const;
  double diagonal(int i) const {
    if (form_ == Form::dense) return dense_(i, i);
    double g;
    diagonal_block(i, 1, &g);
    return g;
  }
  void diagonal_block(int row, int rows, double* block) const;  // column-major, rows × rows

 private:
  friend class DelassusInPlace;
  ContactFactors::Kind start(const Inertia& inertia, int rows, Form form);
  void take_columns(const Delassus& whole, const Laws& laws, std::span<const int> which, const Places& places);

  const Execution* execution_ = &Execution::serial;
  int size_ = 0;
  Form form_ = Form::dense;
  Mat dense_;
  SparseColumns sparse_;
  bool has_factors_ = false;
  ContactFactors factors_;
  mutable CausedVelocity caused_;
};

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
