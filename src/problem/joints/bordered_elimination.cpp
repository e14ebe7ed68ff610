// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "problem/joints/bordered_elimination.h"

#include <algorithm>
#include <bit>

namespace tappet {

namespace {

// The place of a level among those on which a joint is held.
int slot(unsigned held, int level) { return std::popcount(held & ((1u << level) - 1)); }

constexpr double one = 1.0;

}  // namespace

bool BorderedElimination::analyse(const Pattern& pattern) {
  constexpr int most_velocities = 64;  // of a body
  const BlockMatrix& bodies = pattern.bodies;
  suitable_ = waits_ = false;
  levels_ = pattern.levels;
  for (int b = 0; b < bodies.block_count(); ++b)
    if (static_cast<int>(bodies.block(b).size()) > most_velocities) return false;
  coupled_.clear();
  for (const auto& [i, j] : pattern.coupling.pairs())
    if (const int a = bodies.block_of(i), b = bodies.block_of(j); a != b)
      coupled_.emplace_back(std::min(a, b), std::max(a, b));
  std::sort(coupled_.begin(), coupled_.end());
  coupled_.erase(std::unique(coupled_.begin(), coupled_.end()), coupled_.end());
  if (!make_order(pattern, false, early_) || !make_order(pattern, true, late_)) return false;
  x_.resize(early_.matrix.rows() * static_cast<int>(sizeof(Four) / sizeof(double)));
  return suitable_ = true;
}

// Nodes: the bodies, then the joints that have rows.
bool BorderedElimination::make_order(const Pattern& pattern, bool wait, Order& order) {
  const BlockMatrix& bodies = pattern.bodies;
  const BlockRows& W = pattern.joints;
  std::vector<BlockElimination::Node> nodes;
  std::vector<std::pair<int, int>> pairs = coupled_;
  for (int b = 0; b < bodies.block_count(); ++b)
    nodes.push_back({levels_ * static_cast<int>(bodies.block(b).size()), 0});
  node_of_joint_.assign(W.blocks(), -1);
  for (int k = 0; k < W.blocks(); ++k) {
    const int rows = W.block(k).rows * std::popcount(held(pattern, k));
    if (rows == 0) continue;
    node_of_joint_[k] = static_cast<int>(nodes.size());
    std::vector<int> held_bodies;
    for (int column : W.columns(k)) held_bodies.push_back(bodies.block_of(column));
    std::sort(held_bodies.begin(), held_bodies.end());
    held_bodies.erase(std::unique(held_bodies.begin(), held_bodies.end()), held_bodies.end());
    int unknowns = 0;
    for (int b : held_bodies) pairs.emplace_back(b, node_of_joint_[k]), unknowns += nodes[b].size;
    nodes.push_back({rows, wait ? unknowns : rows});
  }
  if (!order.matrix.analyse(nodes, pairs)) return false;
  list_matrices(pattern, order);
  list_joints(pattern, order);
  return true;
}

void BorderedElimination::list_matrices(const Pattern& pattern, Order& order) const {
  const BlockMatrix& bodies = pattern.bodies;
  order.from_matrix.clear();
  for (const BodyTerm& term : pattern.terms) {
    auto& entries = order.from_matrix.emplace_back();
    const auto list = [&](int a, int b) {
      const auto rows = bodies.block(a), columns = bodies.block(b);
      const int height = static_cast<int>(rows.size()), width = static_cast<int>(columns.size());
      const int stride = levels_ * width, place = order.matrix.place(a, b) + term.i * height * stride + term.j * width;
      for (int i = 0; i < height; ++i)
        for (int j = 0; j < width; ++j) {
          const double* from = term.matrix ? term.matrix->find(rows[i], columns[j]) : a == b && i == j ? &one : nullptr;
          if (from) entries.push_back({from, place + i * stride + j});
        }
    };
    for (int b = 0; b < bodies.block_count(); ++b) list(b, b);
    for (const auto& [a, b] : coupled_) list(a, b), list(b, a);
  }
}

void BorderedElimination::list_joints(const Pattern& pattern, Order& order) const {
  const BlockMatrix& bodies = pattern.bodies;
  const BlockRows& W = pattern.joints;
  const int n = bodies.size(), rows = W.rows();
  order.from_joints.clear();
  order.place_y.assign(levels_ * n, 0), order.place_P.assign(levels_ * rows, -1);
  std::vector<int> position(n);  // in its body
  for (int b = 0; b < bodies.block_count(); ++b) {
    const auto velocities = bodies.block(b);
    const int size = static_cast<int>(velocities.size());
    for (int i = 0; i < size; ++i) {
      position[velocities[i]] = i;
      for (int l = 0; l < levels_; ++l) order.place_y[l * n + velocities[i]] = order.matrix.first(b) + l * size + i;
    }
  }
  for (int k = 0; k < W.blocks(); ++k) {
    const auto& block = W.block(k);
    const auto columns = W.columns(k);
    const int node = node_of_joint_[k];
    const unsigned held = this->held(pattern, k);
    if (node < 0) continue;
    for (int l = 0; l < levels_; ++l)
      for (int r = 0; r < block.rows && held >> l & 1; ++r)
        order.place_P[l * rows + block.row + r] = order.matrix.first(node) + slot(held, l) * block.rows + r;
    const int unknowns = block.rows * std::popcount(held);
    std::array<int, most_levels> slots{};
    for (int l = 0; l < most_levels; ++l) slots[l] = held >> l & 1 ? slot(held, l) : -1;
    for (int c = 0; c < block.columns;) {
      const int body = bodies.block_of(columns[c]), first = position[columns[c]];
      int length = 1;
      while (c + length < block.columns && bodies.block_of(columns[c + length]) == body &&
             position[columns[c + length]] == first + length)
        ++length;
      const int size = static_cast<int>(bodies.block(body).size());
      order.from_joints.push_back({block.value + c, block.columns, block.rows, length, slots, size, unknowns,
                                   order.matrix.place(node, body) + first,
                                   order.matrix.place(body, node) + first * unknowns});
      c += length;
    }
  }
}

namespace {

// `to` += factor x. N > 0 is the number of columns if the compiler knows it.
template <int N>
void add_rows(const double* __restrict x, double factor, int rows, int columns, int stride, double* __restrict to,
              int to_stride) {
  const int n = N > 0 ? N : columns;
  for (int r = 0; r < rows; ++r, x += stride, to += to_stride)
    for (int c = 0; c < n; ++c) to[c] += factor * x[c];
}

// `to` −= factor xᵀ
template <int N>
void subtract_transposed(const double* __restrict x, double factor, int rows, int columns, int stride,
                         double* __restrict to, int to_stride) {
  const int n = N > 0 ? N : columns;
  for (int r = 0; r < rows; ++r, x += stride, ++to)
    for (int c = 0; c < n; ++c) to[c * to_stride] -= factor * x[c];
}

}  // namespace

bool BorderedElimination::factor(Order& order, std::span<const double> factors, std::span<const JointTerm> act,
                                 std::span<const JointTerm> judge) const {
  order.matrix.set_zero();
  double* values = order.matrix.values().data();
  for (size_t t = 0; t < order.from_matrix.size(); ++t)
    for (const auto [from, to] : order.from_matrix[t]) values[to] += factors[t] * *from;
  const auto concerns = [](const JointTerm& term, const FromJoint& f, int level) {
    return f.slot[level] >= 0 && (term.lacking < 0 || f.slot[term.lacking] < 0);
  };
  for (const FromJoint& f : order.from_joints) {
    const auto add = f.length == 3 ? add_rows<3> : f.length == 6 ? add_rows<6> : add_rows<0>;
    const auto subtract = f.length == 3   ? subtract_transposed<3>
                          : f.length == 6 ? subtract_transposed<6>
                                          : subtract_transposed<0>;
    const int stride = levels_ * f.size;
    for (const JointTerm& term : judge)
      if (concerns(term, f, term.i))
        add(term.rows->values(0) + f.value, term.factor, f.rows, f.length, f.stride,
            values + f.of_joint + f.slot[term.i] * f.rows * stride + term.j * f.size, stride);
    for (const JointTerm& term : act)
      if (concerns(term, f, term.j))
        subtract(term.rows->values(0) + f.value, term.factor, f.rows, f.length, f.stride,
                 values + f.of_body + term.i * f.size * f.unknowns + f.slot[term.j] * f.rows, f.unknowns);
  }
  return order.matrix.factor();
}

bool BorderedElimination::factor(std::span<const double> factors, std::span<const JointTerm> act,
                                 std::span<const JointTerm> judge) {
  if (factor(waits_ ? late_ : early_, factors, act, judge)) return true;
  if (!factor(waits_ ? early_ : late_, factors, act, judge)) return false;
  waits_ = !waits_;
  return true;
}

template <class X>
void BorderedElimination::solve(const X* f, const X* d, X* y, X* P) {
  const Order& order = waits_ ? late_ : early_;
  X* x = reinterpret_cast<X*>(x_.data());
  const int *place_y = order.place_y.data(), *place_P = order.place_P.data();
  const size_t n = order.place_y.size(), rows = order.place_P.size();
  for (size_t i = 0; i < n; ++i) x[place_y[i]] = f[i];
  for (size_t r = 0; r < rows; ++r)
    if (place_P[r] >= 0) x[place_P[r]] = d[r];
  order.matrix.solve(x);
  for (size_t i = 0; i < n; ++i) y[i] = x[place_y[i]];
  for (size_t r = 0; r < rows; ++r) P[r] = place_P[r] >= 0 ? x[place_P[r]] : X{};
}
template void BorderedElimination::solve(const double*, const double*, double*, double*);
template void BorderedElimination::solve(const Four*, const Four*, Four*, Four*);

}  // namespace tappet
