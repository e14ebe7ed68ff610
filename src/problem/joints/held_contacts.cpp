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
  for (int i = 0; i < rows; ++i)
    if (!(dense(i, i) > blocked * diagonal_[i])) return false;
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
