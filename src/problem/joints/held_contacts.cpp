// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "problem/joints/held_contacts.h"

#include <algorithm>
#include <cmath>

#include "math/wide/sums.h"
#include "problem/wide_rows.h"

namespace tappet {

namespace {

// The block of M̂ that consists of exactly these columns, one after the other, as those of a single body do; otherwise
// −1.
int whole_block(const Inertia& inertia, std::span<const int> columns) {
  if (columns.empty() || columns.back() - columns.front() + 1 != static_cast<int>(columns.size())) return -1;
  const int b = inertia.block_of(columns[0]);
  return std::ranges::equal(inertia.block(b), columns) ? b : -1;
}

// The block of M̂ to which all these columns belong, or −1.
int common_block(const Inertia& inertia, std::span<const int> columns) {
  if (columns.empty()) return -1;
  const int b = inertia.block_of(columns[0]);
  return std::ranges::all_of(columns, [&](int column) { return inertia.block_of(column) == b; }) ? b : -1;
}

// Whether no column comes twice, as it does if a contact acts on two nodes of the same body.
bool ascend(std::span<const int> columns) {
  for (size_t c = 1; c < columns.size(); ++c)
    if (columns[c] <= columns[c - 1]) return false;
  return true;
}

double dot(const double* w, std::span<const int> columns, const double* v) {
  double sum = 0.0;
  for (size_t c = 0; c < columns.size(); ++c) sum += w[c] * v[columns[c]];
  return sum;
}

}  // namespace

// x ← M̂⁻¹ x if x vanishes outside these columns.
void HeldContacts::solve_blocks(const Inertia& inertia, std::span<const int> columns, std::span<double> x) {
  for (size_t c = 0; c < columns.size(); ++c) {
    const int b = inertia.block_of(columns[c]);
    const auto seen = [&](int column) { return inertia.block_of(column) == b; };
    if (std::any_of(columns.begin(), columns.begin() + c, seen)) continue;
    const auto velocities = inertia.block(b);
    scratch_.resize(static_cast<int>(velocities.size()));
    for (int i = 0; i < scratch_.size(); ++i) scratch_[i] = x[velocities[i]];
    inertia.solve_rows(b, scratch_.data(), 1, 0);
    for (int i = 0; i < scratch_.size(); ++i) x[velocities[i]] = scratch_[i];
  }
}

// Y of contact k, whose first row is vector `first` of moved_. free_response_ gets W₁ᵀ Y of each row with itself.
// `reciprocals` are those of a diagonal M̂, or empty.
void HeldContacts::move(const Inertia& inertia, std::span<const double> reciprocals, const BlockRows& W_1,
                        const BlockRows& W_0, int k, int first) {
  const auto columns = W_0.columns(k);
  const int rows = W_0.block(k).rows, n = static_cast<int>(columns.size());
  const double *w = W_0.values(k), *judged = W_1.values(k);
  if (!reciprocals.empty() && ascend(columns)) {
    for (int r = 0; r < rows; ++r, w += n, judged += n) {
      double *to = number(moved_, first + r), sum = 0.0;
      for (int c = 0; c < n; ++c) {
        const double y = w[c] * reciprocals[columns[c]];
        to[lanes * columns[c]] = y, sum += judged[c] * y;
      }
      free_response_[first + r] = sum;
    }
    return;
  }
  if (const int b = whole_block(inertia, columns); b >= 0) {
    scratch_.resize(rows * n);
    std::copy_n(w, rows * n, scratch_.data());
    inertia.solve_rows(b, scratch_.data(), rows, n);
    for (int r = 0; r < rows; ++r, judged += n) {
      double* to = number(moved_, first + r) + lanes * columns[0];
      const double* from = scratch_.data() + r * n;
      double sum = 0.0;
      for (int c = 0; c < n; ++c) to[lanes * c] = from[c], sum += judged[c] * from[c];
      free_response_[first + r] = sum;
    }
    return;
  }
  if (const int b = common_block(inertia, columns); b >= 0) {
    const auto velocities = inertia.block(b);
    const int m = static_cast<int>(velocities.size());
    scratch_.assign(rows * m, 0.0);
    for (int c = 0; c < n; ++c) {
      const auto at = std::ranges::find(velocities, columns[c]) - velocities.begin();
      for (int r = 0; r < rows; ++r) scratch_[r * m + at] += w[r * n + c];
    }
    inertia.solve_rows(b, scratch_.data(), rows, m);
    for (int r = 0; r < rows; ++r, judged += n) {
      double* to = number(moved_, first + r);
      for (int i = 0; i < m; ++i) to[lanes * velocities[i]] = scratch_[r * m + i];
      double sum = 0.0;
      for (int c = 0; c < n; ++c) sum += judged[c] * to[lanes * columns[c]];
      free_response_[first + r] = sum;
    }
    return;
  }
  for (int r = 0; r < rows; ++r, w += n, judged += n) {
    column_.assign(inertia.size(), 0.0);
    for (int c = 0; c < n; ++c) column_[columns[c]] += w[c];
    solve_blocks(inertia, columns, column_);
    double* to = number(moved_, first + r);
    for (int i = 0; i < column_.size(); ++i) to[lanes * i] = column_[i];
    free_response_[first + r] = dot(judged, columns, column_.data());
  }
}

bool HeldContacts::respond(const JointElimination& joints, const Inertia& inertia, const BlockRows& W_1,
                           const BlockRows& W_0, Delassus& G) {
  const int first = joints.joints(), rows = W_1.rows() - joints.rows(), panels = (rows + lanes - 1) / lanes;
  moved_.resize(lanes * inertia.size(), panels), resisted_.resize(lanes * joints.rows(), panels);
  clear(moved_.rows() * panels, moved_.data());
  rates_.resize(lanes * rows), free_response_.resize(rows);
  for (int k = first, row = 0; k < W_0.blocks(); row += W_0.block(k++).rows)
    move(inertia, joints.reciprocals(), W_1, W_0, k, row);
  Mat& dense = G.dense(rows);
  bool free = true;
  for (int p = 0; p < panels; ++p) {
    Four *moved = panel(moved_, p), *rates = reinterpret_cast<Four*>(rates_.data());
    joints.resist(W_1, moved, panel(resisted_, p));
    multiply(W_1, first, moved, rates);
    for (int column = lanes * p; column < std::min(rows, lanes * (p + 1)); ++column) {
      const double* from = rates_.data() + column % lanes;
      double* to = dense.column(column);
      for (int r = 0; r < rows; ++r) to[r] = from[lanes * r];
      free = free && to[column] > blocked * free_response_[column];
    }
  }
  return free;
}

void HeldContacts::apply(const Vec& impulses, Vec& u, Vec& P) const {
  const int held = resisted_.rows() / lanes, size = u.size(), rows = impulses.size();
  double* __restrict v = u.data();
  double* __restrict joint = P.data();
  for (int p = 0; lanes * p < rows; ++p) {
    Four x{};
    for (int j = lanes * p; j < std::min(rows, lanes * (p + 1)); ++j) joint[held + j] = x[j % lanes] = impulses[j];
    const Four *moved = panel(moved_, p), *resisted = panel(resisted_, p);
    for (int i = 0; i < size; ++i) {
      const Four change = moved[i] * x;
      v[i] = (((v[i] + change[0]) + change[1]) + change[2]) + change[3];
    }
    for (int r = 0; r < held; ++r) {
      const Four change = resisted[r] * x;
      joint[r] = (((joint[r] - change[0]) - change[1]) - change[2]) - change[3];
    }
  }
}

}  // namespace tappet
