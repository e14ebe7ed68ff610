// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/sparse/block_lu.h"

#include <algorithm>
#include <cmath>

#include "solvers/dense/dense_kernels.h"

namespace tappet {

namespace {

constexpr int panel = deepest;

}  // namespace

// Processes fronts in postorder. The remainders of the children of a front are on top of the stack.
void BlockLU::factor(std::span<const double> values) {
  sign_ = 1, perturbed_ = 0;
  size_t top = 0;
  waiting_.clear();
  for (int s = 0; s < static_cast<int>(fronts_.size()); ++s) {
    const Front& front = fronts_[s];
    double* F = front_.data();
    std::fill(F, F + static_cast<size_t>(front.size) * front.size, 0.0);
    for (int e = front.entry; e < front.entry + front.entries; ++e) F[target_[e]] += values[source_[e]];
    top = add_children(s, top);
    eliminate(front);
    store(front, stack_.data() + top);
    const int rest = front.size - front.pivots;
    if (rest > 0) top += static_cast<size_t>(rest) * rest, waiting_.push_back(s);
  }
}

// Takes the remainders of the children from the stack. Returns its new top.
size_t BlockLU::add_children(int s, size_t top) {
  const int size = fronts_[s].size;
  double* F = front_.data();
  while (!waiting_.empty() && fronts_[waiting_.back()].parent == s) {
    const Front& child = fronts_[waiting_.back()];
    const int m = child.size - child.pivots;
    top -= static_cast<size_t>(m) * m;
    const double* update = stack_.data() + top;
    const std::span<const Run> runs(runs_.data() + child.run, static_cast<size_t>(child.runs));
    for (const Run& columns : runs)
      for (int j = 0; j < columns.length; ++j, update += m) {
        double* column = F + static_cast<size_t>(columns.to + j) * size;
        for (const Run& run : runs)
          for (int i = 0; i < run.length; ++i) column[run.to + i] += update[run.from + i];
      }
    waiting_.pop_back();
  }
  return top;
}

// Stores L and U of an eliminated front, and what remains for its parent.
void BlockLU::store(const Front& front, double* remainder) {
  const int size = front.size, rest = size - front.pivots;
  const double* F = front_.data();
  double* L = storage_.data() + front.value;
  std::copy(F, F + static_cast<size_t>(size) * front.pivots, L);
  double* U = L + static_cast<size_t>(size) * front.pivots;
  for (int j = 0; j < rest; ++j) {
    const double* column = F + static_cast<size_t>(front.pivots + j) * size;
    U = std::copy(column, column + front.pivots, U);
    remainder = std::copy(column + front.pivots, column + size, remainder);
  }
}

// Eliminates in panels of columns. Rows are exchanged only among the pivots of the front.
void BlockLU::eliminate(const Front& front) {
  for (int begin = 0; begin < front.pivots; begin += panel) {
    const int end = std::min(begin + panel, front.pivots);
    eliminate_panel(front, begin, end);
    if (end < front.size) update_right(front.size, begin, end);
  }
}

void BlockLU::eliminate_panel(const Front& front, int begin, int end) {
  const int size = front.size;
  double* F = front_.data();
  for (int k = begin; k < end; ++k) {
    exchange_pivot(front, k);
    double* column = F + static_cast<size_t>(k) * size;
    if (column[k] < 0.0) sign_ = -sign_;
    const double inverse = 1.0 / column[k];
    for (int i = k + 1; i < size; ++i) column[i] *= inverse;
    for (int j = k + 1; j < end; ++j) {
      double* target = F + static_cast<size_t>(j) * size;
      if (target[k] != 0.0) subtract_multiple(size - k - 1, target[k], column + k + 1, target + k + 1);
    }
  }
}

// Brings a pivot that is not zero to the diagonal of column k.
void BlockLU::exchange_pivot(const Front& front, int k) {
  const int size = front.size;
  double *F = front_.data(), *column = F + static_cast<size_t>(k) * size;
  const double largest = largest_of(size - k, column + k);
  int best = k;
  for (int i = k + 1; i < front.pivots; ++i)
    if (std::abs(column[i]) > std::abs(column[best])) best = i;
  // The diagonal is kept unless another row is clearly better. This saves exchanges and keeps the bits the same more
  // often.
  if (std::abs(column[k]) >= 0.1 * std::abs(column[best])) best = k;
  pivot_row_[front.first + k] = best;
  if (best != k) {
    for (int j = 0; j < size; ++j)
      std::swap(F[static_cast<size_t>(j) * size + k], F[static_cast<size_t>(j) * size + best]);
    sign_ = -sign_;
  }
  if (std::abs(column[k]) <= 1e-15 * largest || column[k] == 0.0) {
    const double tiny = largest > 0.0 ? 1e-13 * largest : 1.0;
    column[k] = column[k] < 0.0 ? -tiny : tiny;
    ++perturbed_;
  }
}

// U = L11⁻¹ F12 of a panel, then F22 −= L21 U.
void BlockLU::update_right(int size, int begin, int end) {
  double* F = front_.data();
  const int width = end - begin, right = size - end;
  solve_lower(width, right, F + static_cast<size_t>(begin) * size + begin, F + static_cast<size_t>(end) * size + begin,
              size);
  subtract_product(right, right, width, F + static_cast<size_t>(begin) * size + end,
                   F + static_cast<size_t>(end) * size + begin, F + static_cast<size_t>(end) * size + end, size);
}

double BlockLU::operations() const {
  double sum = 0.0;
  for (const Front& front : fronts_) {
    const double p = front.pivots, rest = front.size - front.pivots;
    sum += p * p * p / 3.0 + p * p * rest + p * rest * rest;
  }
  return sum;
}

void BlockLU::solve(std::span<double> x) const {
  double* y = x_.data();
  for (int i = 0; i < n_; ++i) y[permuted_[i]] = x[i];
  solve_forward(y);
  solve_backward(y);
  for (int i = 0; i < n_; ++i) x[i] = y[permuted_[i]];
}

void BlockLU::solve_forward(double* y) const {
  double* rest = rest_.data();  // the other rows of a front
  for (const Front& front : fronts_) {
    const double* L = storage_.data() + front.value;
    const int *rows = rows_.data() + front.rows + front.pivots, p = front.pivots, others = front.size - p;
    double* pivot = y + front.first;
    for (int k = 0; k < p; ++k) std::swap(pivot[k], pivot[pivot_row_[front.first + k]]);
    for (int i = 0; i < others; ++i) rest[i] = y[rows[i]];
    for (int k = 0; k < p; ++k)
      for (int i = k + 1; i < p; ++i) pivot[i] -= L[static_cast<size_t>(k) * front.size + i] * pivot[k];
    subtract_image(others, p, L + p, front.size, pivot, rest);
    for (int i = 0; i < others; ++i) y[rows[i]] = rest[i];
  }
}

void BlockLU::solve_backward(double* y) const {
  double* rest = rest_.data();
  for (auto front = fronts_.rbegin(); front != fronts_.rend(); ++front) {
    const int p = front->pivots, size = front->size;
    const double* L = storage_.data() + front->value;
    const double* U = L + static_cast<size_t>(size) * p;
    const int* rows = rows_.data() + front->rows + p;
    double* pivot = y + front->first;
    for (int j = 0; j < size - p; ++j) rest[j] = y[rows[j]];
    subtract_image(p, size - p, U, p, rest, pivot);
    for (int k = p - 1; k >= 0; --k) {
      const double* column = L + static_cast<size_t>(k) * size;
      pivot[k] /= column[k];
      subtract_multiple(k, pivot[k], column, pivot);
    }
  }
}

}  // namespace tappet
