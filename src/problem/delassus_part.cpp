// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "problem/delassus.h"

namespace tappet {

void Delassus::Places::start(const Delassus& whole) {
  row.resize(whole.size());
  velocity.assign(whole.has_factors() ? whole.velocities() : 0, -1);
  block.assign(whole.has_factors() ? whole.blocks() : 0, -1);
}

void Delassus::take_part(const Delassus& whole, const Laws& laws, std::span<const int> which, Form form,
                         Places& places) {
  size_ = 0, form_ = form, inertia_ = nullptr, execution_ = whole.execution_;
  rooted_ = borrowed_ = false;
  for (int k : which)
    for (int i = 0; i < laws[k].rows; ++i) places.row[laws[k].row + i] = size_++;
  factors_ = whole.has_factors() && (form != Form::dense || whole.form_ == Form::factored);
  one_factor_ = factors_ && whole.one_factor_;
  if (factors_) take_factors(whole, which, places);
  if (whole.form_ == Form::sparse && form != Form::factored) return take_columns(whole, laws, which, places);
  if (form == Form::dense) {
    gathered_.assign(velocities_, 0.0);
    fill_dense(W());
    factors_ = false;
  } else if (form == Form::sparse) {
    form_sparse();
  }
}

// Velocities and blocks of M̂ are numbered as the joints and contacts come to them.
void Delassus::take_factors(const Delassus& whole, std::span<const int> which, Places& places) {
  velocities_ = blocks_ = 0;
  block_of_.clear();
  const auto take = [&](const BlockRows& from, BlockRows& to) {
    to.clear();
    to.use(*execution_);
    for (int k : which) {
      columns_.clear();
      for (int v : from.columns(k)) {
        int& place = places.velocity[v];
        if (place < 0) {
          int& block = places.block[whole.block_of_[v]];
          if (block < 0) block = blocks_++;
          place = velocities_++;
          block_of_.push_back(block);
        }
        columns_.push_back(place);
      }
      const auto& block = from.block(k);
      std::copy_n(from.values(k), block.rows * block.columns, to.append(block.rows, columns_));
    }
  };
  take(whole.Y_, Y_);
  if (!one_factor_) take(whole.W_, W_);
  velocity_.resize(velocities_);
  moved_by_.resize(0);
  if (one_factor_) squares_ = Y_.squares();
}

void Delassus::take_columns(const Delassus& whole, const Laws& laws, std::span<const int> which, const Places& places) {
  const SparseColumns& S = whole.sparse_;
  if (form_ == Form::dense)
    dense_.resize(size_, size_), dense_.set_zero();
  else
    sparse_.start.assign(1, 0), sparse_.row.clear(), sparse_.value.clear();
  int column = 0;
  for (int k : which)
    for (int j = laws[k].row; j < laws[k].row + laws[k].rows; ++j, ++column) {
      for (int e = S.start[j]; e < S.start[j + 1]; ++e)
        if (const int i = places.row[S.row[e]]; form_ == Form::dense)
          dense_(i, column) = S.value[e];
        else
          sparse_.row.push_back(i), sparse_.value.push_back(S.value[e]);
      if (form_ == Form::sparse) sparse_.start.push_back(static_cast<int>(sparse_.row.size()));
    }
}

}  // namespace tappet
