// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// Forms G from its factors.
#include "problem/contact_factors.h"

namespace tappet {

// G(row of l, row of k) = w_l · Y_k, with Y_k spread over all velocities in gathered_.
void ContactFactors::form(const BlockRows& W, Mat& G) {
  if (kind_ == Kind::passing && has_lists(W) && Y_.layout() == W.layout()) return form_by_list(W, G);
  const int size = W.rows();
  if (gathered_.size() != velocities_) start_forming();
  G.resize(size, size);
  for (int k = 0; k < Y_.blocks(); ++k) {
    const auto columns = Y_.columns(k);
    const auto& block = Y_.block(k);
    const double* y = Y_.values(k);
    for (int r = 0; r < block.rows; ++r, y += columns.size()) {
      for (size_t c = 0; c < columns.size(); ++c) gathered_[columns[c]] = y[c];
      W.multiply(gathered_, {G.column(block.row + r), static_cast<size_t>(size)});
      for (int column : columns) gathered_[column] = 0.0;
    }
  }
}

void ContactFactors::list_contacts_of_velocities(const BlockRows& W, int velocities) {
  first_.assign(velocities + 1, 0);
  for (int l = 0; l < W.blocks(); ++l)
    for (int column : W.columns(l)) ++first_[column + 1];
  for (int v = 0; v < velocities; ++v) first_[v + 1] += first_[v];
  contact_.resize(first_[velocities]);
  mark_.assign(first_.begin(), first_.end());
  for (int l = 0; l < W.blocks(); ++l)
    for (int column : W.columns(l)) contact_[mark_[column]++] = l;
}

// The column of G of the row of Y in gathered_: the rows of the contacts touched_.
void ContactFactors::append_rows(const BlockRows& W, SparseColumns& G) const {
  for (int l : touched_) {
    const auto& other = W.block(l);
    const auto columns = W.columns(l);
    const double* w = W.values(l);
    for (int s = 0; s < other.rows; ++s, w += other.columns) {
      double sum = 0.0;
      for (int c = 0; c < other.columns; ++c) sum += w[c] * gathered_[columns[c]];
      G.row.push_back(other.row + s);
      G.value.push_back(sum);
    }
  }
}

// The velocities of Y_k come in whole blocks of M̂. A contact l interacts with k if one of its columns lies in them.
void ContactFactors::form(const BlockRows& W, const BlockRows& Y, int velocities, SparseColumns& G) {
  list_contacts_of_velocities(W, velocities);
  mark_.assign(W.blocks(), -1);
  G.start.assign(1, 0);
  G.row.clear();
  G.value.clear();
  for (int k = 0; k < Y.blocks(); ++k) {
    const auto columns = Y.columns(k);
    touched_.clear();
    for (int column : columns)
      for (int i = first_[column]; i < first_[column + 1]; ++i)
        if (const int l = contact_[i]; mark_[l] != k) mark_[l] = k, touched_.push_back(l);
    std::sort(touched_.begin(), touched_.end());
    const double* y = Y.values(k);
    for (int r = 0; r < Y.block(k).rows; ++r, y += columns.size()) {
      for (size_t c = 0; c < columns.size(); ++c) gathered_[columns[c]] = y[c];
      append_rows(W, G);
      for (int column : columns) gathered_[column] = 0.0;
      G.start.push_back(static_cast<int>(G.row.size()));
    }
  }
}

void ContactFactors::form(const BlockRows& W, SparseColumns& G) { form(W, Y_, velocities_, G); }

void ContactFactors::form_from(const ContactFactors& other, SparseColumns& G) {
  gathered_.assign(other.velocities_, 0.0);
  form(other.W(), other.Y_, other.velocities_, G);
}

}  // namespace tappet
