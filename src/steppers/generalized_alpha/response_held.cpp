// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// The response of bodies that joints hold to the multipliers of contacts.
#include <algorithm>
#include <ranges>

#include "steppers/generalized_alpha/response.h"

namespace tappet::alpha {

namespace {

constexpr int lanes = sizeof(Four) / sizeof(double);

// f += factor W of a row, in one of four vectors side by side
void add_direction(const BlockRows& W, int b, int row, double factor, int lane, Four* f) {
  const auto columns = W.columns(b);
  const double* w = W.values(b) + (row - W.block(b).row) * columns.size();
  for (size_t c = 0; c < columns.size(); ++c) f[columns[c]][lane] += factor * w[c];
}

int block_with(const BlockRows& W, int row) {
  int low = 0, high = W.blocks() - 1;
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    W.block(middle).row <= row ? low = middle : high = middle - 1;
  }
  return low;
}

}  // namespace

bool Response::linearise_held(Balance& at, const Start& start) {
  constexpr double blocked = 1e-6;  // a row of which the joints leave less than this share would be lost in round-off
  if (system_.joint_rows() == 0) return false;
  if (!analysed_) {
    bodies_.analyse(at.M, K_, C_, coupling_.pattern(), coupling_.matrix());
    bodies_.reserve(3 * std::min(contacts_.rows(), reserved_rows) / lanes + 2);
    analysed_ = true;
  }
  if (!bodies_.suitable() || !bodies_.factor(at, start.weight, {gamma_q_, gamma_dot_q_, gamma_dot_u_})) return false;
  for (int b = 0; b < at.W.blocks(); ++b) own_response(at, b), prox_parameters(at, b);
  held_rows_ = system_.joint_rows(), held_positions_ = 0;
  for (int i = 0; i < held_rows_; ++i) held_positions_ += at.position[i] >= 0;
  size_ = at.positions + 2 * at.rows - held_positions_ - 2 * held_rows_;
  H.resize(size_, size_), offset.resize(size_);
  bodies_.resize(size_ / lanes + 2);  // the last one is for renew()
  for (int first = 0; first <= size_; first += lanes) respond_held(at, start, first, first / lanes);
  for (int i = held_rows_; i < at.rows; ++i) {
    const int k = place(at, Lambda(at, i));
    if (!(H(k, k) * r[at.row[i]] > blocked)) return false;
  }
  return true;
}

void Response::respond_held(const Balance& at, const Start& start, int first, int panel) {
  const int count = std::min(lanes, size_ + 1 - first), joints = static_cast<int>(system_.joints().size());
  bodies_.start_panel();
  for (int lane = 0; lane < count; ++lane) set_right_side(at, start, first + lane, lane);
  bodies_.solve(panel);
  if (first + count == size_ + 1) bodies_.keep_residuals(panel, count - 1);
  rows_.numbers.resize(lanes * size_);
  for (int b = joints; b < at.W.blocks(); ++b)
    observe(at, b, bodies_.moved(panel, 0), bodies_.moved(panel, 2), bodies_.moved(panel, 1));
  for (int lane = 0; lane < count; ++lane) {
    double* to = first + lane < size_ ? H.column(first + lane) : offset.data();
    for (int k = 0; k < size_; ++k) to[k] = rows_.data()[k][lane];
  }
}

// The columns are those of the contacts' multipliers, then that of the residuals.
void Response::set_right_side(const Balance& at, const Start& start, int column, int lane) {
  if (column < size_) {
    const int z = all(at, column);
    const int level = z < at.positions ? 2 : z < at.positions + at.rows ? 1 : 0;
    const int i = level == 2 ? at.position_row[z] : z - at.positions - (level == 1 ? 0 : at.rows);
    const int b = block_with(at.W, i);
    add_direction(at.W, b, i, 1.0, lane, bodies_.f(level));
    if (level == 1 && at.position[i] < 0) add_direction(at.W, b, i, start.weight.dt / 2, lane, bodies_.f(2));  // (80)
    return;
  }
  Four *f_a = bodies_.f(0), *f_U = bodies_.f(1), *f_Q = bodies_.f(2);
  for (int i = 0; i < at.u.size(); ++i) f_a[i][lane] = -at.R_a[i], f_U[i][lane] = -at.R_U[i], f_Q[i][lane] = -at.R_Q[i];
  for (int i = 0; i < held_rows_; ++i) {
    bodies_.d(0)[i][lane] = -at.gamma_dot[i], bodies_.d(1)[i][lane] = -at.gamma[i];
    if (at.position[i] >= 0) bodies_.d(2)[i][lane] = -at.g[at.position[i]];
  }
}

void Response::own_response(const Balance& at, int b) {
  const auto columns = at.W.columns(b);
  const int rows = at.W.block(b).rows, width = static_cast<int>(columns.size());
  own_.resize(rows * width);
  std::copy_n(at.W.values(b), rows * width, own_.data());
  for (int c = 0; c < width;) {
    const int body = at.M.block_of(columns[c]);
    const auto velocities = at.M.block(body);
    const int size = static_cast<int>(velocities.size());
    if (c + size <= width && std::ranges::equal(velocities, columns.subspan(c, size))) {
      at.M.solve_rows(body, own_.data() + c, rows, width);
      c += size;
      continue;
    }
    for (int k = 0; k < rows; ++k) {  // the velocities of a body stand in another order, or not all of them
      direction_.set_zero();
      for (int j = 0; j < width; ++j) direction_[columns[j]] += at.W.values(b)[k * width + j];
      at.M.solve(direction_);
      for (int j = 0; j < width; ++j) own_[k * width + j] = direction_[columns[j]];
    }
    return;
  }
}

}  // namespace tappet::alpha
