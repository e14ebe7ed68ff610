// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "math/block_matrix_sparse.h"
#include "math/dense.h"

namespace tappet {

namespace {

constexpr int grain = 256;  // the number of blocks that one thread takes at a time

// Whether a lower triangular factor L is zero below its diagonal.
bool is_diagonal(const double* L, int n) {
  for (int j = 0; j < n; ++j)
    for (int i = j + 1; i < n; ++i)
      if (L[j * n + i] != 0.0) return false;
  return true;
}

// Whether A is zero on both sides of its diagonal.
bool is_diagonal_on_both_sides(const double* A, int n) {
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < j; ++i)
      if (A[j * n + i] != 0.0) return false;
  return is_diagonal(A, n);
}

// Divides `rows` vectors, `stride` numbers apart, by a diagonal D, or twice if D is the root of the matrix. N > 0 is
// the size if the compiler knows it.
template <int N, bool is_root>
void divide(const double* D, int size, double* x, int rows, int stride) {
  const int n = N > 0 ? N : size;
  double own[N > 0 ? N : 1];  // registers: x might overlap D for all the compiler knows
  if constexpr (N > 0)
#pragma GCC unroll 6
    for (int j = 0; j < N; ++j) own[j] = D[j * (N + 1)];
  for (int r = 0; r < rows; ++r, x += stride)
#pragma GCC unroll 6
    for (int j = 0; j < n; ++j) {
      const double pivot = N > 0 ? own[j] : D[j * (n + 1)];
      x[j] = is_root ? x[j] / pivot / pivot : x[j] / pivot;
    }
}

template <bool is_root>
void divide(const double* D, int size, double* x, int rows, int stride) {
  if (size == 3) return divide<3, is_root>(D, size, x, rows, stride);
  if (size == 6) return divide<6, is_root>(D, size, x, rows, stride);
  divide<0, is_root>(D, size, x, rows, stride);
}

}  // namespace

bool BlockMatrix::factor() {
  bool regular = true;
  factors_.clear();
  for (size_t b = 0; b < blocks_.size(); ++b) {
    if (b > 0 && same_as(blocks_[b], blocks_[b - 1]))
      blocks_[b].factor = blocks_[b - 1].factor, blocks_[b].diagonal = blocks_[b - 1].diagonal;
    else
      regular = factor(blocks_[b]) && regular;
  }
  return regular;
}

void BlockMatrix::forget_entries() {
  std::vector<double>().swap(values_);
  factors_.shrink_to_fit();
}

bool BlockMatrix::same_as(const Block& block, const Block& before) const {
  if (!has_roots_ || block.size != before.size) return false;
  const auto values = values_.begin() + block.value;
  return std::equal(values, values + entries(block), values_.begin() + before.value);
}

bool BlockMatrix::factor(Block& block) {
  const int m = block.size;
  if (block.sparse >= 0) {
    Sparse& sparse = *sparse_[block.sparse];
    if (!sparse.analysed) sparse.solver.analyzePattern(sparse.matrix), sparse.analysed = true;
    sparse.solver.factorize(sparse.matrix);
    return sparse.solver.info() == Eigen::Success;
  }
  block.factor = factors_.size();
  const auto values = values_.begin() + block.value;
  factors_.insert(factors_.end(), values, values + entries(block));
  double* factors = factors_.data() + block.factor;
  if (m == 1) return kind_ == Kind::symmetric_positive ? factors[0] > 0.0 : factors[0] != 0.0;
  if (block.band < 0 && kind_ == Kind::symmetric_positive) {
    const bool positive = dense::cholesky(factors, m);
    block.diagonal = is_diagonal(factors, m);
    return positive;
  }
  int* pivots = pivots_.data() + block.first;
  if (block.band >= 0) return band::lu(factors, m, block.band, pivots);
  block.diagonal = is_diagonal_on_both_sides(factors, m);
  return dense::lu(factors, m, pivots);
}

void BlockMatrix::solve(const Block& block, double* x) const {
  const int m = block.size;
  const double* factors = factors_.data() + block.factor;
  if (block.sparse >= 0) {
    Eigen::Map<Eigen::VectorXd> map(x, m);
    map = sparse_[block.sparse]->solver.solve(map).eval();
  } else if (m == 1) {
    x[0] /= factors[0];
  } else if (block.diagonal && kind_ == Kind::general) {
    divide<false>(factors, m, x, 1, 0);
  } else if (block.diagonal) {
    divide<true>(factors, m, x, 1, 0);
  } else if (block.band < 0 && kind_ == Kind::symmetric_positive) {
    dense::cholesky_solve(factors, m, x);
  } else if (block.band < 0) {
    dense::lu_solve(factors, m, pivots_.data() + block.first, x);
  } else {
    band::lu_solve(factors, m, block.band, pivots_.data() + block.first, x);
  }
}

void BlockMatrix::solve_block(int b, std::span<double> x) const { solve(blocks_[b], x.data()); }

void BlockMatrix::solve_rows(int b, double* x, int rows, int stride) const {
  const Block& block = blocks_[b];
  if (block.dense() && kind_ == Kind::general && !block.diagonal && block.size > 1)
    return dense::lu_solve_rows(factors_.data() + block.factor, block.size, pivots_.data() + block.first, x, rows,
                                stride);
  if (!block.diagonal || block.size == 1) {
    for (int r = 0; r < rows; ++r, x += stride) solve(block, x);
    return;
  }
  const double* factors = factors_.data() + block.factor;
  if (kind_ == Kind::symmetric_positive)
    divide<true>(factors, block.size, x, rows, stride);
  else
    divide<false>(factors, block.size, x, rows, stride);
}

void BlockMatrix::solve(std::span<double> x) const {
  parallel_for(*execution_, block_count(), grain, [&](int first, int last) {
    thread_local std::vector<double> gathered;
    for (int b = first; b < last; ++b) {
      const Block& block = blocks_[b];
      const int m = block.size;
      const int* index = indices(block).data();
      if (block.in_order) {
        solve(block, x.data() + index[0]);
        continue;
      }
      if (static_cast<int>(gathered.size()) < m) gathered.resize(m);
      for (int p = 0; p < m; ++p) gathered[p] = x[index[p]];
      solve(block, gathered.data());
      for (int p = 0; p < m; ++p) x[index[p]] = gathered[p];
    }
  });
}

void BlockMatrix::solve_lower(int b, double* x, int rows, int stride) const {
  const Block& block = blocks_[b];
  const int m = block.size;
  const double* L = factors_.data() + block.factor;
  if (block.diagonal) {
    for (int j = 0; j < m; ++j) {
      const double inverse = 1.0 / L[j * (m + 1)];
      for (int r = 0; r < rows; ++r) x[r * stride + j] *= inverse;
    }
    return;
  }
  for (int r = 0; r < rows; ++r, x += stride) {
    if (m == 1) {
      x[0] /= std::sqrt(L[0]);
      continue;
    }
    for (int j = 0; j < m; ++j) {
      if (x[j] == 0.0) continue;
      const double* l = L + j * m;
      x[j] /= l[j];
      for (int i = j + 1; i < m; ++i) x[i] -= l[i] * x[j];
    }
  }
}

void BlockMatrix::solve_upper(std::span<double> x) const {
  parallel_for(*execution_, block_count(), grain, [&](int first, int last) {
    for (int b = first; b < last; ++b) {
      const Block& block = blocks_[b];
      const int m = block.size;
      const double* L = factors_.data() + block.factor;
      const int* index = indices(block).data();
      if (m == 1) {
        x[index[0]] /= std::sqrt(L[0]);
        continue;
      }
      for (int j = m - 1; j >= 0; --j) {
        const double* l = L + j * m;
        double sum = x[index[j]];
        for (int i = j + 1; i < m && !block.diagonal; ++i) sum -= l[i] * x[index[i]];
        x[index[j]] = sum / l[j];
      }
    }
  });
}

}  // namespace tappet
