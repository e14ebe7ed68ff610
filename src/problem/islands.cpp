// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "problem/islands.h"

#include <algorithm>

namespace tappet {

int Islands::find(const ContactProblem& problem) {
  const Delassus& G = problem.G;
  count_ = 1, largest_ = problem.size();
  if (G.form() == Delassus::Form::dense || problem.laws.size() < 2 || G.size() != problem.size()) return count_;
  if (!(G.has_factors() ? tie_by_factors(problem) : tie_by_columns(problem))) return count_;
  list(problem);
  return count_;
}

// Unites the blocks of M̂ on which a joint or contact acts. Returns false if the factors are not by joints and
// contacts.
bool Islands::tie_by_factors(const ContactProblem& problem) {
  const Delassus& G = problem.G;
  const int laws = static_cast<int>(problem.laws.size()), nothing = G.blocks();
  if (G.Y().blocks() != laws || G.W().blocks() != laws) return false;
  keys_ = nothing + 1;
  tied_.reset(keys_);
  of_law_.resize(laws);
  const bool two = &G.W() != &G.Y();
  for (int k = 0; k < laws; ++k) {
    if (problem.laws[k].row != G.Y().block(k).row) return false;
    int last = nothing;
    const auto tie = [&](std::span<const int> velocities) {
      for (int v : velocities)
        if (const int b = G.block_of(v); b != last) {
          if (last != nothing) tied_.unite(last, b);
          last = b;
        }
    };
    tie(G.Y().columns(k));
    if (two) tie(G.W().columns(k));
    of_law_[k] = last;
  }
  return true;
}

bool Islands::tie_by_columns(const ContactProblem& problem) {
  const SparseColumns& S = problem.G.sparse();
  const int n = problem.size(), laws = static_cast<int>(problem.laws.size());
  if (static_cast<int>(S.start.size()) != n + 1) return false;
  keys_ = laws;
  island_of_.resize(n);  // at first, the law of a row
  of_law_.resize(laws);
  for (int k = 0, row = 0; k < laws; ++k) {
    const Law& law = problem.laws[k];
    if (law.row != row || law.rows < 1 || row + law.rows > n) return false;
    std::fill_n(island_of_.begin() + row, law.rows, k);
    row += law.rows, of_law_[k] = k;
    if (k == laws - 1 && row != n) return false;
  }
  tied_.reset(keys_);
  for (int j = 0; j < n; ++j)
    for (int e = S.start[j]; e < S.start[j + 1]; ++e) {
      if (S.row[e] < 0 || S.row[e] >= n) return false;
      tied_.unite(island_of_[j], island_of_[S.row[e]]);
    }
  return true;
}

// Lists the islands in the order of their first law, each with its laws in order.
void Islands::list(const ContactProblem& problem) {
  const int laws = static_cast<int>(problem.laws.size());
  count_ = 0;
  rows_.clear(), key_.clear();
  island_of_.assign(keys_, -1);
  for (int k = 0; k < laws; ++k) {
    const int key = tied_.lowest(of_law_[k]);
    int& island = island_of_[key];
    if (island < 0) island = count_++, rows_.push_back(0), key_.push_back(key);
    rows_[island] += problem.laws[k].rows;
    of_law_[k] = island;
  }
  largest_ = *std::max_element(rows_.begin(), rows_.end());
  if (count_ == 1) return;
  velocities_.assign(count_, 0);
  if (const Delassus& G = problem.G; G.has_factors())
    for (int v = 0; v < G.velocities(); ++v)
      if (const int island = island_of_[tied_.lowest(G.block_of(v))]; island >= 0) ++velocities_[island];
  first_.assign(count_ + 1, 0), law_.resize(laws);
  for (int k = 0; k < laws; ++k) ++first_[of_law_[k] + 1];
  for (int i = 0; i < count_; ++i) first_[i + 1] += first_[i];
  for (int k = 0; k < laws; ++k) law_[first_[of_law_[k]]++] = k;
  for (int i = count_; i > 0; --i) first_[i] = first_[i - 1];
  first_[0] = 0;
}

}  // namespace tappet
