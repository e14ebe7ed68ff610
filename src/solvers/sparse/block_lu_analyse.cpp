// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <numeric>

#include "solvers/sparse/block_lu.h"

namespace tappet {

namespace {

using Graph = Eigen::SparseMatrix<double>;

// An edge wherever two nodes share an entry.
Graph graph_of_nodes(std::span<const int> node_start, const SparseColumns& pattern) {
  const int nodes = static_cast<int>(node_start.size()) - 1;
  std::vector<int> node_of(node_start.back());
  for (int k = 0; k < nodes; ++k) std::fill(node_of.begin() + node_start[k], node_of.begin() + node_start[k + 1], k);
  std::vector<Eigen::Triplet<double>> edges;
  for (int k = 0; k < nodes; ++k) {
    const int column = node_start[k];
    int last = -1;
    for (int e = pattern.start[column]; e < pattern.start[column + 1]; ++e)
      if (const int other = node_of[pattern.row[e]]; other != last) edges.emplace_back(last = other, k, 1.0);
  }
  Graph graph(nodes, nodes);
  graph.setFromTriplets(edges.begin(), edges.end());
  return graph;
}

// The parent of every place in the order (Liu), with path compression; −1 for a root.
std::vector<int> elimination_tree(const Graph& graph, const std::vector<int>& order) {
  const int nodes = static_cast<int>(order.size());
  std::vector<int> place(nodes), parent(nodes, -1), ancestor(nodes, -1);
  for (int k = 0; k < nodes; ++k) place[order[k]] = k;
  for (int k = 0; k < nodes; ++k)
    for (Graph::InnerIterator it(graph, order[k]); it; ++it)
      for (int i = place[it.row()]; i != -1 && i < k;) {
        const int next = ancestor[i];
        ancestor[i] = k;
        if (next == -1) parent[i] = k;
        i = next;
      }
  return parent;
}

// Children come right before their parents.
std::vector<int> postorder(const std::vector<int>& parent) {
  const int nodes = static_cast<int>(parent.size());
  std::vector<int> head(nodes, -1), next(nodes, -1), stack, post;
  for (int k = nodes - 1; k >= 0; --k)
    if (parent[k] >= 0) next[k] = head[parent[k]], head[parent[k]] = k;
  for (int root = 0; root < nodes; ++root) {
    if (parent[root] >= 0) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const int k = stack.back();
      if (head[k] >= 0)
        stack.push_back(head[k]), head[k] = next[head[k]];
      else
        post.push_back(k), stack.pop_back();
    }
  }
  return post;
}

}  // namespace

void BlockLU::analyse(std::span<const int> node_start, const SparseColumns& pattern) {
  n_ = node_start.back();
  order_nodes(node_start, pattern);
  symbolic();
  amalgamate();
  layout(pattern);
}

// Approximate minimum degree on the graph of nodes, then a postorder of its elimination tree.
void BlockLU::order_nodes(std::span<const int> node_start, const SparseColumns& pattern) {
  const int nodes = static_cast<int>(node_start.size()) - 1;
  const Graph graph = graph_of_nodes(node_start, pattern);
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  Eigen::AMDOrdering<int>()(graph, permutation);
  const std::vector<int> order(permutation.indices().data(), permutation.indices().data() + nodes);
  const std::vector<int> post = postorder(elimination_tree(graph, order));
  order_.resize(nodes), node_size_.resize(nodes);
  for (int k = 0; k < nodes; ++k) order_[k] = order[post[k]];
  std::vector<int> position(nodes);
  for (int k = 0; k < nodes; ++k)
    position[order_[k]] = k, node_size_[k] = node_start[order_[k] + 1] - node_start[order_[k]];
  structure_.assign(nodes, {});
  for (int k = 0; k < nodes; ++k)
    for (Graph::InnerIterator it(graph, order_[k]); it; ++it)
      if (position[it.row()] > k) structure_[k].push_back(position[it.row()]);
  permuted_.resize(n_);
  for (int k = 0, row = 0; k < nodes; ++k)
    for (int i = node_start[order_[k]]; i < node_start[order_[k] + 1]; ++i) permuted_[i] = row++;
}

// The nodes below the diagonal of each column of L: its own and those of its children.
void BlockLU::symbolic() {
  const int nodes = static_cast<int>(order_.size());
  parent_.assign(nodes, -1);
  std::vector<int> mark(nodes, -1), children_head(nodes, -1), next(nodes, -1), merged;
  for (int k = 0; k < nodes; ++k) {
    merged.clear();
    mark[k] = k;
    const auto take = [&](const std::vector<int>& list) {
      for (int i : list)
        if (mark[i] != k) mark[i] = k, merged.push_back(i);
    };
    take(structure_[k]);
    for (int child = children_head[k]; child >= 0; child = next[child]) take(structure_[child]);
    std::sort(merged.begin(), merged.end());
    structure_[k] = merged;
    if (!merged.empty()) {
      parent_[k] = merged.front();
      next[k] = children_head[parent_[k]], children_head[parent_[k]] = k;
    }
  }
}

// Columns with the same structure form one front. Small fronts are joined with their parents if this wastes little.
void BlockLU::amalgamate() {
  const int nodes = static_cast<int>(order_.size());
  std::vector<int> below(nodes, 0);  // rows below the diagonal block of a node
  for (int k = 0; k < nodes; ++k)
    for (int i : structure_[k]) below[k] += node_size_[i];
  group_.clear();
  std::vector<long long> exact;  // entries without amalgamation
  std::vector<int> pivots;
  for (int k = 0; k < nodes; ++k) {
    group_.push_back(k), pivots.push_back(node_size_[k]);
    exact.push_back(1LL * node_size_[k] * (node_size_[k] + 2 * below[k]));
    // The previous group may end in a child of k. It is joined if this stores only few zeros.
    while (group_.size() > 1 && parent_[group_.back() - 1] == group_.back()) {
      const size_t a = group_.size() - 2, b = a + 1;
      const long long joined = pivots[a] + pivots[b], rest = below[k];
      const long long stored = joined * (joined + 2 * rest);
      const bool worthwhile = stored <= exact[a] + exact[b] + (exact[a] + exact[b]) / 6 || joined + rest <= 24;
      if (!worthwhile) break;
      exact[a] += exact[b], pivots[a] += pivots[b];
      group_.pop_back(), exact.pop_back(), pivots.pop_back();
    }
  }
}

void BlockLU::layout(const SparseColumns& pattern) {
  const int nodes = static_cast<int>(order_.size());
  std::vector<int> first_row(nodes + 1, 0), front_of_row(n_);
  for (int k = 0; k < nodes; ++k) first_row[k + 1] = first_row[k] + node_size_[k];
  list_fronts(first_row, front_of_row);
  std::vector<int> local(n_, -1);
  list_runs(front_of_row, local);
  place_entries(pattern, front_of_row, local);
  make_room();
}

void BlockLU::list_fronts(const std::vector<int>& first_row, std::vector<int>& front_of_row) {
  const int nodes = static_cast<int>(order_.size()), count = static_cast<int>(group_.size());
  fronts_.clear(), rows_.clear();
  size_t storage = 0;
  std::vector<int> below;
  for (int s = 0; s < count; ++s) {
    const int begin = group_[s], end = s + 1 < count ? group_[s + 1] : nodes;
    Front front{first_row[begin], first_row[end] - first_row[begin], static_cast<int>(rows_.size()), 0, -1, 0, 0, 0, 0,
                storage};
    for (int row = first_row[begin]; row < first_row[end]; ++row) rows_.push_back(row), front_of_row[row] = s;
    below.clear();
    for (int k = begin; k < end; ++k)
      for (int i : structure_[k])
        if (i >= end) below.push_back(i);
    std::sort(below.begin(), below.end());
    below.erase(std::unique(below.begin(), below.end()), below.end());
    for (int i : below)
      for (int row = first_row[i]; row < first_row[i + 1]; ++row) rows_.push_back(row);
    front.size = static_cast<int>(rows_.size()) - front.rows;
    front.parent = below.empty() ? -1 : first_row[below.front()];  // one of its rows, until list_runs()
    storage += static_cast<size_t>(front.size) * front.pivots +
               static_cast<size_t>(front.pivots) * (front.size - front.pivots);
    fronts_.push_back(front);
  }
  storage_.resize(storage);
}

// Lists the places of the remaining rows of a front in its parent.
void BlockLU::list_runs(const std::vector<int>& front_of_row, std::vector<int>& local) {
  runs_.clear();
  for (Front& front : fronts_) {
    front.run = static_cast<int>(runs_.size()), front.runs = 0;
    if (front.parent < 0) continue;
    front.parent = front_of_row[front.parent];
    const Front& parent = fronts_[front.parent];
    for (int i = 0; i < parent.size; ++i) local[rows_[parent.rows + i]] = i;
    for (int i = front.pivots; i < front.size; ++i) {
      const int place = local[rows_[front.rows + i]];
      if (front.runs > 0 && runs_.back().to + runs_.back().length == place)
        ++runs_.back().length;
      else
        runs_.push_back({i - front.pivots, place, 1}), ++front.runs;
    }
  }
}

// Every entry goes to the front that eliminates the first of its two rows.
void BlockLU::place_entries(const SparseColumns& pattern, const std::vector<int>& front_of_row,
                            std::vector<int>& local) {
  const int count = static_cast<int>(fronts_.size());
  std::vector<int> total(count + 1, 0), owner(pattern.row.size());
  for (int j = 0; j < n_; ++j)
    for (int e = pattern.start[j]; e < pattern.start[j + 1]; ++e) {
      owner[e] = front_of_row[std::min(permuted_[pattern.row[e]], permuted_[j])];
      ++total[owner[e] + 1];
    }
  for (int s = 0; s < count; ++s) total[s + 1] += total[s];
  source_.resize(pattern.row.size()), target_.resize(pattern.row.size());
  std::vector<int> column_of(pattern.row.size()), fill(total.begin(), total.end() - 1);
  for (int j = 0; j < n_; ++j)
    for (int e = pattern.start[j]; e < pattern.start[j + 1]; ++e) source_[fill[owner[e]]++] = e, column_of[e] = j;
  for (int s = 0; s < count; ++s) {
    Front& front = fronts_[s];
    front.entry = total[s], front.entries = total[s + 1] - total[s];
    for (int i = 0; i < front.size; ++i) local[rows_[front.rows + i]] = i;
    for (int e = front.entry; e < front.entry + front.entries; ++e)
      target_[e] = local[permuted_[column_of[source_[e]]]] * front.size + local[permuted_[pattern.row[source_[e]]]];
  }
}

void BlockLU::make_room() {
  size_t deepest = 0, depth = 0, largest = 0;
  std::vector<size_t> pending(fronts_.size(), 0);  // sizes of the remainders of the children on the stack
  for (size_t s = 0; s < fronts_.size(); ++s) {
    const Front& front = fronts_[s];
    const size_t rest = static_cast<size_t>(front.size - front.pivots);
    depth += rest * rest;
    deepest = std::max(deepest, depth);
    depth -= pending[s];
    if (front.parent >= 0) pending[front.parent] += rest * rest;
    largest = std::max(largest, static_cast<size_t>(front.size));
  }
  stack_.resize(deepest + largest * largest);
  front_.resize(largest * largest);
  rest_.resize(largest);
  pivot_row_.resize(n_);
  x_.resize(n_);
}

}  // namespace tappet
