// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// The lists of JointElimination, made once for the pattern of the joints and of M̂.
#include <algorithm>

#include "problem/joints/joint_elimination_analysis.h"

namespace tappet {

namespace {

// Calls f(first, length) for the runs of consecutive numbers in a list.
template <class F>
void each_run(std::span<const int> list, F&& f) {
  for (size_t i = 0; i < list.size();) {
    size_t end = i + 1;
    while (end < list.size() && list[end] == list[end - 1] + 1) ++end;
    f(static_cast<int>(i), static_cast<int>(end - i));
    i = end;
  }
}

}  // namespace

JointElimination::Analysis::Analysis(JointElimination& to, const Inertia& inertia, const BlockRows& W, int joints)
    : to_(to),
      inertia_(inertia),
      W_(W),
      joints_(joints),
      of_block_(inertia.block_count()),
      column_(inertia.size(), -1) {}

bool JointElimination::Analysis::run() {
  list_responses();
  find_hubs();
  list_runs();
  if (!make_matrix()) return false;
  for (int k = 0; k < joints_; ++k) list_products(k);
  std::stable_sort(to_.products_.begin(), to_.products_.end(),
                   [](const Product& a, const Product& b) { return a.place < b.place; });
  list_hubs();
  return true;
}

// The columns of Y: all velocities of the blocks of M̂ on which a joint acts.
void JointElimination::Analysis::list_responses() {
  int value = 0;
  for (int k = 0; k < joints_; ++k) {
    Joint joint{value, 0, {}, {}};
    for (int column : W_.columns(k)) {
      const int b = inertia_.block_of(column);
      if (std::find(joint.blocks.begin(), joint.blocks.end(), b) != joint.blocks.end()) continue;
      joint.blocks.push_back(b);
      of_block_[b].push_back(k);
      for (int velocity : inertia_.block(b)) joint.columns.push_back(velocity);
    }
    joint.width = static_cast<int>(joint.columns.size());
    int at = value;
    for (int b : joint.blocks) {
      to_.responses_.push_back({b, at, W_.block(k).rows, joint.width});
      at += static_cast<int>(inertia_.block(b).size());
    }
    value += W_.block(k).rows * joint.width;
    to_.same_layout_ = to_.same_layout_ && std::ranges::equal(joint.columns, W_.columns(k));
    list_.push_back(std::move(joint));
  }
  to_.Y_.assign(value, 0.0);
}

// Blocks of M̂ with many rows of joints.
void JointElimination::Analysis::find_hubs() {
  constexpr int many = 24;
  hub_.assign(inertia_.block_count(), -1);
  for (int b = 0; b < inertia_.block_count(); ++b) {
    int rows = 0;
    for (int k : of_block_[b]) rows += W_.block(k).rows;
    if (rows > many && rows > 2 * static_cast<int>(inertia_.block(b).size())) hub_[b] = 0;
  }
}

void JointElimination::Analysis::list_runs() {
  for (int k = 0; k < joints_; ++k) {
    const auto& b = W_.block(k);
    const auto columns = W_.columns(k);
    each_run(columns, [&](int i, int length) {
      to_.w_runs_.push_back({columns[i], length, b.row, b.rows, b.value + i, b.columns});
    });
    const Joint& joint = list_[k];
    each_run(joint.columns, [&](int i, int length) {
      to_.y_runs_.push_back({joint.columns[i], length, b.row, b.rows, joint.value + i, joint.width});
    });
    if (to_.same_layout_) continue;
    for (int c = 0; c < b.columns; ++c) {
      const auto at = std::find(joint.columns.begin(), joint.columns.end(), columns[c]) - joint.columns.begin();
      for (int r = 0; r < b.rows; ++r)
        to_.copies_.push_back({b.value + r * b.columns + c, joint.value + r * joint.width + static_cast<int>(at)});
    }
  }
}

// The nodes are the joints that have rows, and then the hubs.
bool JointElimination::Analysis::make_matrix() {
  std::vector<BlockElimination::Node> nodes;
  std::vector<std::pair<int, int>> pairs;
  for (int k = 0; k < joints_; ++k) {
    int own = 0;  // velocities of blocks that are no hubs
    for (int b : list_[k].blocks) own += hub_[b] < 0 ? static_cast<int>(inertia_.block(b).size()) : 0;
    const int rows = W_.block(k).rows;
    node_.push_back(rows > 0 ? static_cast<int>(nodes.size()) : -1);
    if (rows > 0) nodes.push_back({rows, own > 0 ? 0 : rows});
  }
  for (int b = 0; b < inertia_.block_count(); ++b) {
    const auto& joints = of_block_[b];
    if (hub_[b] < 0) {
      for (size_t i = 0; i < joints.size(); ++i)
        for (size_t j = 0; j < i; ++j)
          if (node_[joints[i]] >= 0 && node_[joints[j]] >= 0) pairs.emplace_back(node_[joints[i]], node_[joints[j]]);
      continue;
    }
    hub_[b] = static_cast<int>(nodes.size());
    nodes.push_back({static_cast<int>(inertia_.block(b).size()), 0});
    for (int k : joints)
      if (node_[k] >= 0) pairs.emplace_back(node_[k], hub_[b]);
  }
  return to_.matrix_.analyse(nodes, pairs);
}

// The blocks (j, k) of S for all joints j that share a block of M̂ with k.
void JointElimination::Analysis::list_products(int k) {
  if (node_[k] < 0) return;
  const Joint& joint = list_[k];
  for (int c = 0; c < joint.width; ++c)
    if (hub_[inertia_.block_of(joint.columns[c])] < 0) column_[joint.columns[c]] = c;
  std::vector<int> near;
  for (int b : joint.blocks)
    if (hub_[b] < 0) near.insert(near.end(), of_block_[b].begin(), of_block_[b].end());
  std::sort(near.begin(), near.end());
  near.erase(std::unique(near.begin(), near.end()), near.end());
  for (int j : near)
    if (node_[j] >= 0) list_products(j, k);
  for (int velocity : joint.columns) column_[velocity] = -1;
}

void JointElimination::Analysis::list_products(int j, int k) {
  const auto& w = W_.block(j);
  const auto columns = W_.columns(j);
  const Joint& joint = list_[k];
  const int place = to_.matrix_.place(node_[j], node_[k]);
  for (int c = 0; c < w.columns;) {
    const int y = column_[columns[c]];
    int length = 1;
    while (y >= 0 && c + length < w.columns && column_[columns[c + length]] == y + length) ++length;
    if (y >= 0)
      to_.products_.push_back(
          {place, length, w.value + c, w.rows, w.columns, joint.value + y, W_.block(k).rows, joint.width});
    c += length;
  }
}

void JointElimination::Analysis::list_hubs() {
  to_.diagonal_.resize(to_.rows_);
  for (int k = 0; k < joints_; ++k) {
    if (node_[k] < 0) continue;
    const auto& b = W_.block(k);
    const int place = to_.matrix_.place(node_[k], node_[k]);
    for (int r = 0; r < b.rows; ++r) to_.diagonal_[b.row + r] = place + r * (b.rows + 1);
    for (int hub : list_[k].blocks)
      if (hub_[hub] >= 0) couple(k, hub);
  }
  for (int b = 0; b < inertia_.block_count(); ++b) {
    const int size = static_cast<int>(inertia_.block(b).size());
    for (int i = 0; hub_[b] >= 0 && i < size; ++i)
      to_.hub_units_.push_back(to_.matrix_.place(hub_[b], hub_[b]) + i * (size + 1));
  }
}

// Rows of the joint: + W₁ v, and rows of the hub: v − Y P = 0.
void JointElimination::Analysis::couple(int k, int hub) {
  const auto& b = W_.block(k);
  const Joint& joint = list_[k];
  const auto velocities = inertia_.block(hub);
  const int size = static_cast<int>(velocities.size());
  const int of_joint = to_.matrix_.place(node_[k], hub_[hub]), of_hub = to_.matrix_.place(hub_[hub], node_[k]);
  for (int i = 0; i < size; ++i) {
    const auto y = std::find(joint.columns.begin(), joint.columns.end(), velocities[i]) - joint.columns.begin();
    for (int r = 0; r < b.rows; ++r) {
      const int from = joint.value + r * joint.width + static_cast<int>(y);
      to_.hub_from_y_.push_back({from, of_hub + i * b.rows + r});
      for (int c = 0; c < b.columns; ++c)
        if (W_.columns(k)[c] == velocities[i]) {
          to_.hub_from_w_.push_back({b.value + r * b.columns + c, of_joint + r * size + i});
          to_.hub_terms_.push_back({b.row + r, b.value + r * b.columns + c, from});
        }
    }
  }
}

}  // namespace tappet
