// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "math/execution.h"
#include "math/inertia.h"
#include "math/vec.h"
#include "problem/block_rows.h"

namespace tappet {

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
};

}  // namespace tappet
