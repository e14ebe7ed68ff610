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

// The block of M̂ that consists of exactly these columns, one after the other, as those of a single body do; otherwise
// −1.
int whole_block(const Inertia& inertia, std::span<const int> columns) {
  if (columns.empty() || columns.back() - columns.front() + 1 != static_cast<int>(columns.size())) return -1;
  const int b = inertia.block_of(columns[0]);
  return std::ranges::equal(inertia.block(b), columns) ? b : -1;
}

// Rows of w times the numbers of v at `columns`. N > 0 is the number of columns if the compiler knows it.
template <int N>
void multiply_rows(const double* w, int rows, std::span<const int> columns, const double* v, double* xi) {
  const int n = N > 0 ? N : static_cast<int>(columns.size());
  for (int r = 0; r < rows; ++r, w += n) {
    double sum = 0.0;
#pragma GCC unroll 6
    for (int c = 0; c < n; ++c) sum += w[c] * v[columns[c]];
    xi[r] = sum;
  }
}

// The rates of the contacts, that is, of the blocks of W from `first` on.
void contact_rates(const BlockRows& W, int first, const double* v, double* xi) {
  for (int l = first; l < W.blocks(); ++l) {
    const auto columns = W.columns(l);
    const int rows = W.block(l).rows;
    const auto multiply = columns.size() == 3   ? multiply_rows<3>
                          : columns.size() == 6 ? multiply_rows<6>
                                                : multiply_rows<0>;
    multiply(W.values(l), rows, columns, v, xi);
    xi += rows;
  }
}

}  // namespace

// Y of contact k, whose first row is column `first` of moved_.
void HeldContacts::move(const Inertia& inertia, const BlockRows& W_0, int k, int first) {
  const auto columns = W_0.columns(k);
  const int rows = W_0.block(k).rows, size = moved_.rows();
  const double* w = W_0.values(k);
  if (const int b = whole_block(inertia, columns); b >= 0) {
    double* moved = moved_.column(first) + columns[0];
    for (int r = 0; r < rows; ++r)
      for (size_t c = 0; c < columns.size(); ++c) moved[r * size + c] = *w++;
    return inertia.solve_rows(b, moved, rows, size);
  }
  for (int r = 0; r < rows; ++r, w += columns.size()) {
    const std::span<double> moved(moved_.column(first + r), size);
    for (size_t c = 0; c < columns.size(); ++c) moved[columns[c]] += w[c];
    solve_blocks(inertia, columns, moved, scratch_);
  }
}

bool HeldContacts::respond(const JointElimination& joints, const Inertia& inertia, const BlockRows& W_1,
                           const BlockRows& W_0, Delassus& G) {
  const int first = joints.joints(), held = joints.rows(), rows = W_1.rows() - held, size = inertia.size();
  moved_.resize(size, rows), resisted_.resize(held, rows);
  moved_.set_zero();
  Mat& dense = G.dense(rows);
  bool free = true;
  for (int k = first, column = 0; k < W_0.blocks(); ++k) {
    move(inertia, W_0, k, column);
    for (int r = 0; r < W_0.block(k).rows; ++r, ++column) {
      const std::span<double> moved(moved_.column(column), size);
      const double without_joints = rate(W_1, k, r, moved);
      joints.resist(W_1, moved, {resisted_.column(column), static_cast<size_t>(held)});
      contact_rates(W_1, first, moved.data(), dense.column(column));
      free = free && dense(column, column) > blocked * without_joints;
    }
  }
  return free;
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
