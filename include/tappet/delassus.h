// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/execution.h>
#include <tappet/matrix.h>
#include <tappet/vec.h>

#include <algorithm>
#include <span>
#include <vector>

namespace tappet {

// The set-valued law of one group of rows, −ξ ∈ N_C(P):
//   bilateral  C = ℝⁿ            the rows of a joint: ξ = 0
//   contact    C = {(P_N, P_F): P_N ≥ 0, ‖P_F‖ ≤ μ P_N} in Coulomb's sense: 0 ≤ ξ_N ⊥ P_N ≥ 0 and
//              −ξ_F ∈ N_{‖·‖ ≤ μ P_N}(P_F). Rows in the order N, F1, F2, …; rows = 1 is frictionless,
//              2 planar, 3 spatial, 4 with drilling friction (Coulomb–Contensou).
// Anisotropic friction is expressed by scaled rows, so every friction set here is a disc.
struct Law {
  enum class Kind { bilateral, contact };
  Kind kind = Kind::contact;
  int row = 0;      // first row
  int rows = 1;     // the number of rows
  double mu = 0.0;  // if it is 0 and rows > 1, then P_F = 0

  // Says which bodies of a contact with three rows are balls, in the order of their velocities in W. A ball is a rigid
  // body with six velocities and equal moments of inertia that is touched along a normal through its centre of mass,
  // with rows n, s and n × s. This is set by code that knows the bodies. A solver may treat contacts between balls
  // faster, but need not. Without it they are contacts like all others.
  struct Balls {
    bool first = false, second = false;
    friend bool operator==(const Balls&, const Balls&) = default;
  };
  Balls balls{};

  int friction_rows() const { return kind == Kind::contact ? rows - 1 : 0; }
  friend bool operator==(const Law&, const Law&) = default;
};

using Laws = std::vector<Law>;

// x ← its projection on the cone {x_N ≥ 0, ‖x_F‖ ≤ μ x_N}; x has 1 to 4 rows.
void project_cone(int rows, double mu, double* x);

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

  void clear() { blocks_.clear(), columns_used_ = values_used_ = rows_ = 0, layout_ = 0; }
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

  void assign(const BlockRows& other) {  // if both have the same layout, only the values are copied
    if (layout_ == 0 || layout_ != other.layout_) return void(*this = other);
    std::copy_n(other.values_.data(), values_used_, values_.data());
  }

  // Whoever fills the rows may number their layout, that is, their blocks and columns. Rows with the same number, other
  // than 0, then have the same layout, so that lists made for one serve the others. Copies keep the number, and it is 0
  // after clear() and append().
  void number_layout(long number) { layout_ = number; }
  long layout() const { return layout_; }

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
  long layout_ = 0;
};

// Compressed columns with ascending row indices. The memory only grows.
struct SparseColumns {
  std::vector<int> start;  // size + 1
  std::vector<int> row;
  std::vector<double> value;
};

// The velocities Y P that the impulses P cause, together with that P. A solver that has computed the error of its
// impulses applies the same impulses next. The second request is then answered after a comparison of the impulses. An
// object belongs to one operator and may be used by one thread at a time.
class CausedVelocity {
 public:
  void resize(int velocities) { velocity_.resize(velocities), forget(); }
  void forget() { caused_by_.resize(0); }
  Vec& of(std::span<const double> P, int rows, const BlockRows& Y) {
    if (!caused_by_.empty() && std::equal(caused_by_.begin(), caused_by_.end(), P.begin(), P.begin() + rows))
      return velocity_;
    velocity_.set_zero();
    Y.multiply_transposed(P, velocity_);
    caused_by_.resize(rows);
    std::copy(P.begin(), P.begin() + rows, caused_by_.begin());
    return velocity_;
  }

 private:
  Vec velocity_, caused_by_;
};

// The two factors of G = Wᵀ Y, both by rows with one block for each joint or contact. W holds the directions along
// which the velocities are judged. Y is the response to the directions W₀ along which impulses act. Usually W₀ = W.
//
//   passing   Y = M̂⁻¹ W₀, kept only until a dense G has been formed from it; W is not kept
//   response  Y = M̂⁻¹ W₀
//   roots     Y = L⁻¹ W₀ and L⁻¹ W with M̂ = L Lᵀ. The velocities of both are then Lᵀu. If W₀ = W, the two factors are
//             the same.
class ContactFactors {
 public:
  enum class Kind { passing, response, roots };

  // The execution and the inertia must outlive these factors.
  void start(const Execution& execution, const Inertia& inertia, Kind kind);
  void respond(const BlockRows& W_0);        // Y
  bool respond_in_place(BlockRows& W);       // Y = L⁻¹ W in the memory of W, if W consists of whole blocks of M̂
  void give_memory_back(BlockRows& W);       // after respond_in_place
  void judge_as_they_act() { one_ = true; }  // W = W₀, for `roots`
  void judge_along(const BlockRows& W);
  bool keeps() const { return kind_ != Kind::passing; }

  const BlockRows& W() const { return one_ ? Y_ : W_; }
  const BlockRows& Y() const { return Y_; }
  bool one() const { return one_; }  // whether W and Y are the same
  int block_of(int velocity) const { return block_of_[velocity]; }
  int velocities() const { return velocities_; }
  int blocks() const { return blocks_; }  // of M̂

  void form(const BlockRows& W, Mat& G);            // G = Wᵀ Y
  void form(const BlockRows& W, SparseColumns& G);  // with an entry wherever two contacts share a block of M̂
  void form_from(const ContactFactors& other, SparseColumns& G);  // G of other factors
  void start_forming() { gathered_.assign(velocities_, 0.0); }
  void return_scratch() { gathered_ = Vec(); }

  void multiply(std::span<const double> P, std::span<double> xi, CausedVelocity& cache) const;  // xi = Wᵀ Y P
  // u += M̂⁻¹ W₀ P
  void add_velocity(std::span<const double> P, std::span<double> u, CausedVelocity& cache) const;
  double squares() const { return squares_; }  // the trace of G if one()
  void diagonal_block(int row, int rows, double* block) const;

  // The factors of some joints and contacts of `whole`. Velocities and blocks of M̂ are numbered in the order in which
  // they appear. `velocity` and `block` map an old number to the new one, or to −1 if there is none yet.
  void take(const ContactFactors& whole, std::span<const int> which, std::vector<int>& velocity,
            std::vector<int>& block);

 private:
  // Lists for the assembly of a dense G, which are made once for each layout of W.
  struct Part {              // of the columns of one joint or contact: one block of M̂
    int value, rows, width;  // its first number, the rows, and the distance of rows
    int block;               // of M̂
  };
  struct Product {  // of the rows of two joints or contacts, over consecutive columns that both have
    int w_row, w_rows, w_value, w_width;
    int y_row, y_rows, y_value, y_width;
    int columns;
  };
  bool list_products(const BlockRows& W);  // returns false if there are no such lists
  void list_products_of(const BlockRows& W, int l, int k);
  bool has_lists(const BlockRows& W) const {
    return can_list_ && W.layout() == listed_layout_ && inertia_ && inertia_->structure() == listed_structure_;
  }
  void respond_by_list(const BlockRows& W);
  void form_by_list(const BlockRows& W, Mat& G) const;
  void respond_by_blocks(const BlockRows& W);
  void respond_by_roots(const BlockRows& W, BlockRows& Y);
  // sets touched_ to blocks of M̂ and columns_ to all their velocities
  void touch_blocks(std::span<const int> columns);
  void spread_by_roots(const BlockRows& W, int k, BlockRows& Y);
  void list_contacts_of_velocities(const BlockRows& W, int velocities);
  void form(const BlockRows& W, const BlockRows& Y, int velocities, SparseColumns& G);
  void append_rows(const BlockRows& W, SparseColumns& G) const;
  int block_with(int row) const;

  const Inertia* inertia_ = nullptr;
  Kind kind_ = Kind::passing;
  bool one_ = false;
  BlockRows W_, Y_;
  int velocities_ = 0, blocks_ = 0;
  std::vector<int> block_of_;
  double squares_ = 0.0;  // of all numbers of L⁻¹W
  std::vector<double> squares_of_block_;
  Vec gathered_;  // a row over all velocities, zero between uses
  std::vector<int> touched_, columns_;
  std::vector<int> first_, contact_, mark_;  // the contacts that act on each velocity
  std::vector<Part> parts_;
  std::vector<Product> products_;
  long listed_layout_ = 0, listed_structure_ = 0;  // of W and M̂ for which the two lists were made
  bool can_list_ = false;
};

// G = Wᵀ M̂⁻¹ W, the response of the contacts to their impulses. It is not assumed to be symmetric: M̂ of an implicit
// scheme contains gyroscopic terms, and a half-explicit scheme judges velocities along the directions at the end of the
// step, while impulses act along those at its start, G = W₁ᵀ M̂⁻¹ W₀.
//
//   dense     a matrix, for small problems, which is the usual case
//   sparse    columns; there is an entry wherever two contacts share a block of M̂
//   factored  only the factors, for very large problems; G itself is never formed
//
// A scheme calls assemble() and later add_velocity(). A solver reads dense() or sparse(), or calls multiply() and
// diagonal_block(), which work for every form.
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

}  // namespace tappet
