// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// The order of elimination and the lists that factor() and solve() follow.
#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

#include "math/elimination/block_elimination.h"

namespace tappet {

namespace {

using Neighbours = std::vector<std::vector<int>>;  // sorted

Neighbours neighbours_of(int nodes, std::span<const std::pair<int, int>> pairs) {
  Neighbours near(nodes);
  for (const auto& [i, j] : pairs)
    if (i != j) near[i].push_back(j), near[j].push_back(i);
  for (auto& list : near) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return near;
}

// Nodes that may be eliminated next, the one with the fewest neighbouring unknowns first.
class Candidates {
 public:
  Candidates(std::span<const BlockElimination::Node> nodes, const Neighbours& near) : nodes_(nodes), near_(near) {
    key_.resize(nodes.size());
    eliminated_.assign(nodes.size(), 0);
    for (int k = 0; k < static_cast<int>(nodes.size()); ++k) insert(k);
  }
  int take() {
    const int node = std::get<2>(*queue_.begin());
    queue_.erase(queue_.begin());
    return node;
  }
  void change(int node, int newly_eliminated) {
    queue_.erase(key_[node]);
    eliminated_[node] += newly_eliminated;
    insert(node);
  }

 private:
  using Key = std::tuple<bool, int, int>;  // whether it must wait, its degree, itself
  void insert(int node) {
    int degree = 0;
    for (int k : near_[node]) degree += nodes_[k].size;
    key_[node] = {eliminated_[node] < nodes_[node].needs, degree, node};
    queue_.insert(key_[node]);
  }

  std::span<const BlockElimination::Node> nodes_;
  const Neighbours& near_;
  std::vector<Key> key_;
  std::vector<int> eliminated_;  // unknowns of its neighbours
  std::set<Key> queue_;
};

}  // namespace

// `later_` of a pivot are its neighbours at that time. They become neighbours of each other.
bool BlockElimination::choose_order(std::span<const Node> nodes, std::span<const std::pair<int, int>> pairs) {
  constexpr size_t most_updates = 4'000'000;
  const int count = static_cast<int>(nodes.size());
  Neighbours near = neighbours_of(count, pairs);
  const Neighbours original = near;
  Candidates candidates(nodes, near);
  order_.clear(), later_.clear(), position_.assign(count, -1);
  size_t updates = 0;
  std::vector<int> merged;
  while (static_cast<int>(order_.size()) < count) {
    const int pivot = candidates.take();
    position_[pivot] = static_cast<int>(order_.size());
    order_.push_back(pivot);
    later_.push_back(near[pivot]);
    const auto& around = later_.back();
    updates += around.size() * around.size();
    if (updates > most_updates) return false;
    for (int k : around) {
      merged.clear();
      std::set_union(near[k].begin(), near[k].end(), around.begin(), around.end(), std::back_inserter(merged));
      std::erase_if(merged, [&](int node) { return node == pivot || node == k; });
      near[k] = merged;
    }
    for (int k : around)
      candidates.change(k, std::binary_search(original[k].begin(), original[k].end(), pivot) ? nodes[pivot].size : 0);
  }
  for (auto& list : later_)
    std::sort(list.begin(), list.end(), [&](int a, int b) { return position_[a] < position_[b]; });
  return true;
}

// The block of two nodes belongs to the one that is eliminated first.
int BlockElimination::place(int i, int j) const {
  const Pivot& pivot = pivots_[std::min(position_[i], position_[j])];
  if (i == j) return pivot.diagonal;
  const int other = position_[i] > position_[j] ? i : j;
  const auto first = sides_.begin() + pivot.side;
  const auto side = std::lower_bound(first, first + pivot.sides, position_[other],
                                     [&](const Side& s, int position) { return position_[s.node] < position; });
  return other == i ? side->left : side->right;
}

void BlockElimination::lay_out(std::span<const Node> nodes) {
  pivots_.clear(), sides_.clear(), targets_.clear();
  int value = 0;
  for (size_t p = 0; p < order_.size(); ++p) {
    const int node = order_[p], size = nodes[node].size;
    int uniform = later_[p].empty() ? 0 : nodes[later_[p][0]].size;
    for (int k : later_[p])
      if (nodes[k].size != uniform) uniform = 0;
    pivots_.push_back(
        {first_[node], size, value, uniform, static_cast<int>(sides_.size()), static_cast<int>(later_[p].size()), 0});
    value += size * size;
    for (int k : later_[p]) {
      const int block = size * nodes[k].size;
      sides_.push_back({k, first_[k], nodes[k].size, value, value + block});
      value += 2 * block;
    }
  }
  for (size_t p = 0; p < order_.size(); ++p) {
    pivots_[p].target = static_cast<int>(targets_.size());
    for (int k : later_[p])
      for (int l : later_[p]) targets_.push_back(place(k, l));
  }
  values_.assign(value, 0.0);
}

bool BlockElimination::analyse(std::span<const Node> nodes, std::span<const std::pair<int, int>> pairs) {
  rows_ = 0;
  first_.clear();
  for (const Node& node : nodes) first_.push_back(rows_), rows_ += node.size;
  if (!choose_order(nodes, pairs)) return false;
  lay_out(nodes);
  group_pivots();
  scale_.assign(rows_, 0.0);
  int largest = 0;
  for (const Node& node : nodes) largest = std::max(largest, node.size);
  scratch_.resize(largest * (sizeof(Four) / sizeof(double)));
  later_.clear(), later_.shrink_to_fit();
  return true;
}

}  // namespace tappet
