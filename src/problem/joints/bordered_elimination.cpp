// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "problem/joints/bordered_elimination.h"

#include <algorithm>

namespace tappet {

bool BorderedElimination::analyse(const BlockMatrix& mass, const BlockMatrix& M_hat, const Coupling& coupling,
                                  const BlockRows& W) {
  constexpr int most_velocities = 64;  // of a body
  suitable_ = false;
  for (int b = 0; b < mass.block_count(); ++b)
    if (static_cast<int>(mass.block(b).size()) > most_velocities) return false;
  coupled_.clear();
  for (const auto& [i, j] : coupling.pairs())
    if (const int a = mass.block_of(i), b = mass.block_of(j); a != b)
      coupled_.emplace_back(std::min(a, b), std::max(a, b));
  std::sort(coupled_.begin(), coupled_.end());
  coupled_.erase(std::unique(coupled_.begin(), coupled_.end()), coupled_.end());
  if (!make_order(mass, M_hat, W, false, early_) || !make_order(mass, M_hat, W, true, late_)) return false;
  return suitable_ = true;
}

// Nodes: the bodies, then the joints that have rows.
bool BorderedElimination::make_order(const BlockMatrix& mass, const BlockMatrix& M_hat, const BlockRows& W, bool wait,
                                     Order& order) {
  std::vector<BlockElimination::Node> nodes;
  std::vector<std::pair<int, int>> pairs = coupled_;
  for (int b = 0; b < mass.block_count(); ++b) nodes.push_back({static_cast<int>(mass.block(b).size()), 0});
  node_of_joint_.assign(W.blocks(), -1);
  for (int k = 0; k < W.blocks(); ++k) {
    const int rows = W.block(k).rows;
    if (rows == 0) continue;
    node_of_joint_[k] = static_cast<int>(nodes.size());
    std::vector<int> bodies;
    for (int column : W.columns(k)) bodies.push_back(mass.block_of(column));
    std::sort(bodies.begin(), bodies.end());
    bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
    int velocities = 0;
    for (int b : bodies) pairs.emplace_back(b, node_of_joint_[k]), velocities += nodes[b].size;
    nodes.push_back({rows, wait ? velocities : rows});
  }
  if (!order.matrix.analyse(nodes, pairs)) return false;
  list_matrix(mass, M_hat, order);
  list_joints(mass, W, order);
  x_.resize(order.matrix.rows());
  return true;
}

void BorderedElimination::list_matrix(const BlockMatrix& mass, const BlockMatrix& M_hat, Order& order) {
  order.from_matrix.clear();
  const auto list = [&](int a, int b) {
    const auto rows = mass.block(a), columns = mass.block(b);
    const int place = order.matrix.place(a, b), width = static_cast<int>(columns.size());
    for (int i = 0; i < static_cast<int>(rows.size()); ++i)
      for (int j = 0; j < width; ++j)
        if (const double* from = M_hat.find(rows[i], columns[j]))
          order.from_matrix.push_back({from, place + i * width + j});
  };
  for (int b = 0; b < mass.block_count(); ++b) list(b, b);
  for (const auto& [a, b] : coupled_) list(a, b), list(b, a);
}

void BorderedElimination::list_joints(const BlockMatrix& mass, const BlockRows& W, Order& order) {
  order.from_joints.clear();
  place_.assign(mass.size(), 0);
  std::vector<int> position(mass.size());  // in its body
  for (int b = 0; b < mass.block_count(); ++b)
    for (int i = 0; i < static_cast<int>(mass.block(b).size()); ++i) {
      position[mass.block(b)[i]] = i;
      place_[mass.block(b)[i]] = order.matrix.first(b) + i;
    }
  for (int k = 0; k < W.blocks(); ++k) {
    const auto& block = W.block(k);
    const auto columns = W.columns(k);
    for (int r = 0; r < block.rows; ++r) place_.push_back(order.matrix.first(node_of_joint_[k]) + r);
    for (int c = 0; c < block.columns && block.rows > 0;) {
      const int body = mass.block_of(columns[c]), first = position[columns[c]];
      int length = 1;
      while (c + length < block.columns && mass.block_of(columns[c + length]) == body &&
             position[columns[c + length]] == first + length)
        ++length;
      const int size = static_cast<int>(mass.block(body).size()), node = node_of_joint_[k];
      order.from_joints.push_back({block.value + c, block.columns, block.rows, length,
                                   order.matrix.place(node, body) + first, size,
                                   order.matrix.place(body, node) + first * block.rows});
      c += length;
    }
  }
}

namespace {

// `to` += u + factor q by rows, and `transposed` −= w by columns. N > 0 is the number of columns if the compiler knows
// it.
template <int N>
void add_joint(const double* __restrict w, const double* __restrict u, const double* __restrict q, double factor,
               int rows, int columns, int stride, double* __restrict to, int to_stride, double* __restrict transposed) {
  const int n = N > 0 ? N : columns;
  for (int r = 0; r < rows; ++r, w += stride, u += stride, q += stride, to += to_stride, ++transposed)
    for (int c = 0; c < n; ++c) to[c] += u[c] + factor * q[c], transposed[c * rows] -= w[c];
}

}  // namespace

bool BorderedElimination::factor(Order& order, const double* w, const double* u, const double* q, double factor) {
  order.matrix.set_zero();
  double* values = order.matrix.values().data();
  for (const auto [from, to] : order.from_matrix) values[to] = *from;
  for (const FromJoint& f : order.from_joints) {
    const auto add = f.length == 3 ? add_joint<3> : f.length == 6 ? add_joint<6> : add_joint<0>;
    add(w + f.value, u + f.value, q + f.value, factor, f.rows, f.length, f.stride, values + f.of_joint, f.joint_stride,
        values + f.of_body);
  }
  return order.matrix.factor();
}

bool BorderedElimination::factor(const BlockRows& W, const BlockRows& L_u, const BlockRows& L_q, double factor) {
  if (W.blocks() == 0) return false;
  const double *w = W.values(0), *u = L_u.values(0), *q = L_q.values(0);
  if (this->factor(waits_ ? late_ : early_, w, u, q, factor)) return true;
  if (!this->factor(waits_ ? early_ : late_, w, u, q, factor)) return false;
  waits_ = !waits_;
  return true;
}

void BorderedElimination::solve(std::span<const double> f, std::span<const double> d, Vec& y, Vec& P) {
  const size_t n = f.size();
  for (size_t i = 0; i < n; ++i) x_[place_[i]] = f[i];
  for (size_t r = 0; r < d.size(); ++r) x_[place_[n + r]] = d[r];
  (waits_ ? late_ : early_).matrix.solve(x_.data());
  for (int i = 0; i < y.size(); ++i) y[i] = x_[place_[i]];
  for (int r = 0; r < P.size(); ++r) P[r] = x_[place_[n + r]];
}

}  // namespace tappet
