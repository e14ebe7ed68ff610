// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "batch/equations/recorded_elimination.h"

#include <limits>
#include <stdexcept>

namespace tappet {

RecordedElimination::RecordedElimination(Graph& graph, Rows rows, const std::vector<int>& group) : graph_(graph) {
  const int n = static_cast<int>(rows.size());
  std::vector<bool> left(n, true);
  for (auto& row : rows) std::erase_if(row, [&](const auto& entry) { return graph.is_zero(entry.second); });
  for (int step = 0; step < n; ++step) {
    std::vector<int> in_column(n, 0);
    for (int i = 0; i < n; ++i)
      for (const auto& [column, entry] : rows[i]) in_column[column] += left[i];
    int best = -1;
    long least = std::numeric_limits<long>::max();
    for (int i = 0; i < n; ++i) {
      if (!left[i]) continue;
      long in_row = 0;
      for (const auto& [column, entry] : rows[i]) in_row += left[column];
      const long fill = (in_row - 1) * (in_column[i] - 1) + (static_cast<long>(group[i]) << 32);
      if (fill < least) least = fill, best = i;
    }
    left[best] = false;
    eliminate(best, rows, left);
  }
}

void RecordedElimination::eliminate(int row, Rows& rows, const std::vector<bool>& left) {
  const auto diagonal = rows[row].find(row);
  if (diagonal == rows[row].end() || graph_.is_zero(diagonal->second))
    throw std::invalid_argument("joints that depend on each other");
  Pivot done{row, graph_.divide(graph_.constant(1.0), diagonal->second), {}, {}};
  for (const auto& [column, entry] : rows[row])
    if (left[column]) done.right.emplace_back(column, entry);
  for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
    const auto below = rows[i].find(row);
    if (!left[i] || below == rows[i].end()) continue;
    const Node factor = graph_.multiply(below->second, done.inverse);
    done.below.emplace_back(i, factor);
    for (const auto& [column, entry] : done.right) {
      const auto [place, is_new] = rows[i].try_emplace(column, graph_.constant(0.0));
      place->second = graph_.subtract(place->second, graph_.multiply(factor, entry));
    }
  }
  pivots_.push_back(std::move(done));
}

std::vector<Node> RecordedElimination::solve(std::vector<Node> b) const {
  for (const Pivot& pivot : pivots_)
    for (const auto& [row, factor] : pivot.below)
      b[row] = graph_.subtract(b[row], graph_.multiply(factor, b[pivot.row]));
  for (auto pivot = pivots_.rbegin(); pivot != pivots_.rend(); ++pivot) {
    for (const auto& [column, entry] : pivot->right)
      b[pivot->row] = graph_.subtract(b[pivot->row], graph_.multiply(entry, b[column]));
    b[pivot->row] = graph_.multiply(b[pivot->row], pivot->inverse);
  }
  return b;
}

}  // namespace tappet
