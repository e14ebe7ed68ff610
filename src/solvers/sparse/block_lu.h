// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "problem/delassus.h"

namespace tappet {

// Sparse LU of a nonsymmetric matrix with a symmetric pattern of blocks (the nodes are joints and contacts),
// multifrontal. The order of elimination and all index lists are found once (analyse). After that factor() and solve()
// only compute. Rows are exchanged within a front. A pivot that vanishes there is replaced by a tiny one and counted.
// So a singular matrix can be factorised too, and the rest is left to iterative refinement. The memory only grows.
class BlockLU {
 public:
  // Node k has the rows node_start[k] … node_start[k + 1] − 1. The pattern must consist of whole blocks and be
  // symmetric.
  void analyse(std::span<const int> node_start, const SparseColumns& pattern);
  void factor(std::span<const double> values);  // in the order of pattern.value
  void solve(std::span<double> x) const;        // x ← A⁻¹ x
  int determinant_sign() const { return sign_; }
  int perturbed() const { return perturbed_; }
  long long entries() const { return static_cast<long long>(storage_.size()); }
  double operations() const;  // the number of multiplications of a factorisation

 private:
  struct Front {
    int first, pivots;   // permuted rows first … first + pivots − 1 are eliminated here
    int rows, size;      // the start in rows_ of all its rows (pivots first), and their number
    int parent;          // −1 for a root
    int run, runs;       // in runs_: the places of its remaining rows in the parent
    int entry, entries;  // its entries in source_ / target_
    size_t value;        // start in storage_: size × pivots of L and U11, then pivots × (size − pivots) of U12
  };

  void order_nodes(std::span<const int> node_start, const SparseColumns& pattern);
  void symbolic();
  void amalgamate();
  void layout(const SparseColumns& pattern);
  void list_fronts(const std::vector<int>& first_row, std::vector<int>& front_of_row);
  void list_runs(const std::vector<int>& front_of_row, std::vector<int>& local);
  void place_entries(const SparseColumns& pattern, const std::vector<int>& front_of_row, std::vector<int>& local);
  void make_room();
  size_t add_children(int front, size_t top);
  void store(const Front& front, double* remainder);
  void eliminate(const Front& front);
  void eliminate_panel(const Front& front, int begin, int end);
  void exchange_pivot(const Front& front, int k);
  void update_right(int size, int begin, int end);
  void solve_forward(double* y) const;
  void solve_backward(double* y) const;

  int n_ = 0, sign_ = 1, perturbed_ = 0;
  std::vector<Front> fronts_;
  struct Run {  // consecutive in the child's remainder and in its parent
    int from, to, length;
  };
  std::vector<int> rows_, source_, target_;
  std::vector<Run> runs_;
  std::vector<int> permuted_;  // from a row to its place in the order of elimination
  std::vector<double> storage_, stack_, front_;
  std::vector<int> waiting_;    // fronts whose remainders are on the stack
  std::vector<int> pivot_row_;  // exchanges, by permuted row
  mutable std::vector<double> x_, rest_;

  // Only for the analysis, by nodes in the order of elimination.
  std::vector<int> order_, node_size_;
  std::vector<std::vector<int>> structure_;  // nodes below the diagonal
  std::vector<int> parent_, group_;          // group_: first nodes of the fronts
};

}  // namespace tappet
