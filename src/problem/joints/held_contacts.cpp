// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "problem/joints/held_contacts.h"

#include <algorithm>
#include <cmath>

namespace tappet {

namespace {

// x ← M̂⁻¹ x if x vanishes outside these columns.
void solve_blocks(const Inertia& inertia, std::span<const int> columns, std::span<double> x, Vec& scratch) {
  for (size_t c = 0; c < columns.size(); ++c) {
    const int b = inertia.block_of(columns[c]);
    const auto seen = [&](int column) { return inertia.block_of(column) == b; };
    if (std::any_of(columns.begin(), columns.begin() + c, seen)) continue;
    const auto velocities = inertia.block(b);
    scratch.resize(static_cast<int>(velocities.size()));
    for (int i = 0; i < scratch.size(); ++i) scratch[i] = x[velocities[i]];
    inertia.solve_rows(b, scratch.data(), 1, 0);
    for (int i = 0; i < scratch.size(); ++i) x[velocities[i]] = scratch[i];
  }
}

}  // namespace

bool HeldContacts::respond(const JointElimination& joints, const Inertia& inertia, const BlockRows& W_1,
                           const BlockRows& W_0, Delassus& G) {
  const int first = joints.joints(), held = joints.rows(), rows = W_1.rows() - held, size = inertia.size();
  moved_.resize(size, rows), resisted_.resize(held, rows), diagonal_.resize(rows);
  moved_.set_zero();
  Mat& dense = G.dense(rows);
  for (int k = first, column = 0; k < W_0.blocks(); ++k) {
    const auto columns = W_0.columns(k);
    const double* w = W_0.values(k);
    for (int r = 0; r < W_0.block(k).rows; ++r, ++column, w += columns.size()) {
      const std::span<double> moved(moved_.column(column), size);
      for (size_t c = 0; c < columns.size(); ++c) moved[columns[c]] += w[c];
      solve_blocks(inertia, columns, moved, scratch_);
      diagonal_[column] = rate(W_1, k, r, moved);
      joints.resist(W_1, moved, {resisted_.column(column), static_cast<size_t>(held)});
      for (int l = first, row = 0; l < W_1.blocks(); ++l)
        for (int s = 0; s < W_1.block(l).rows; ++s) dense(row++, column) = rate(W_1, l, s, moved);
    }
  }
  return are_independent_of_joints(dense, first, inertia, W_1, W_0);
}

// Gaussian elimination. Diagonal entries without joints are the scale of the pivots.
bool HeldContacts::find_dependent(const Mat& G, std::vector<char>& dependent) {
  const int n = G.rows();
  bool any = false;
  pivots_.resize(n, n), dependent.assign(n, 0);
  std::copy_n(G.data(), n * n, pivots_.data());
  for (int k = 0; k < n; ++k) {
    const double pivot = pivots_(k, k);
    dependent[k] = !(std::abs(pivot) > BlockElimination::dependent * diagonal_[k]);
    any = any || dependent[k];
    for (int j = k + 1; j < n && !dependent[k]; ++j) {
      const double factor = pivots_(k, j) / pivot;
      for (int i = k + 1; i < n; ++i) pivots_(i, j) -= pivots_(i, k) * factor;
    }
  }
  return any;
}

void HeldContacts::form_without_joints(int first, const Inertia& inertia, const BlockRows& W_1, const BlockRows& W_0) {
  free_.resize(diagonal_.size(), diagonal_.size());
  response_.resize(inertia.size());
  for (int k = first, column = 0; k < W_0.blocks(); ++k) {
    const auto columns = W_0.columns(k);
    const double* w = W_0.values(k);
    for (int r = 0; r < W_0.block(k).rows; ++r, ++column, w += columns.size()) {
      response_.set_zero();
      for (size_t c = 0; c < columns.size(); ++c) response_[columns[c]] += w[c];
      solve_blocks(inertia, columns, response_, scratch_);
      for (int l = first, row = 0; l < W_1.blocks(); ++l)
        for (int s = 0; s < W_1.block(l).rows; ++s) free_(row++, column) = rate(W_1, l, s, response_);
    }
  }
}

// A row that the joints hold almost completely would be lost in round-off.
bool HeldContacts::are_independent_of_joints(const Mat& G, int first, const Inertia& inertia, const BlockRows& W_1,
                                             const BlockRows& W_0) {
  constexpr double held = 1e-6;
  for (int i = 0; i < G.rows(); ++i)
    if (!(G(i, i) > held * diagonal_[i])) return false;
  if (!find_dependent(G, dependent_)) return true;
  form_without_joints(first, inertia, W_1, W_0);
  find_dependent(free_, dependent_free_);
  for (size_t i = 0; i < dependent_.size(); ++i)
    if (dependent_[i] && !dependent_free_[i]) return false;
  return true;
}

void HeldContacts::apply(const Vec& impulses, Vec& u, Vec& P) const {
  const int held = resisted_.rows();
  for (int j = 0; j < impulses.size(); ++j) {
    const double x = P[held + j] = impulses[j];
    if (x == 0.0) continue;
    for (int i = 0; i < u.size(); ++i) u[i] += moved_(i, j) * x;
    for (int r = 0; r < held; ++r) P[r] -= resisted_(r, j) * x;
  }
}

}  // namespace tappet
