// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "math/block_matrix.h"

#include <Eigen/SparseLU>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "math/dense.h"
#include "math/parallel.h"

namespace tappet {

namespace {

constexpr int kDenseLimit = 60;  // largest dense block
constexpr int kBandLimit = 96;   // widest band before sparse LU is cheaper
constexpr int grain = 256;       // blocks that one thread takes at a time

// Below its diagonal: of an L.
bool is_diagonal(const double* L, int n) {
  for (int j = 0; j < n; ++j)
    for (int i = j + 1; i < n; ++i)
      if (L[j * n + i] != 0.0) return false;
  return true;
}

int find_root(std::vector<int>& parent, int i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

// Reverse Cuthill–McKee on the subgraph of one component, from a vertex of small degree far from the middle.
std::vector<int> narrow_band_order(const std::vector<int>& vertices, const std::vector<std::vector<int>>& neighbours) {
  std::vector<char> seen(neighbours.size(), 0);
  auto breadth_first = [&](int start) {
    std::fill(seen.begin(), seen.end(), 0);
    std::vector<int> order{start};
    seen[start] = 1;
    for (size_t k = 0; k < order.size(); ++k) {
      const size_t first = order.size();
      for (int j : neighbours[order[k]])
        if (!seen[j]) seen[j] = 1, order.push_back(j);
      std::sort(order.begin() + first, order.end(),
                [&](int a, int b) { return neighbours[a].size() < neighbours[b].size(); });
    }
    return order;
  };
  std::vector<int> order = breadth_first(vertices.front());
  order = breadth_first(order.back());
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace

void Coupling::tie(std::span<const int> velocities) {
  for (size_t a = 0; a < velocities.size(); ++a)
    for (size_t b = 0; b < a; ++b) tie(velocities[a], velocities[b]);
}

struct BlockMatrix::Sparse {
  Eigen::SparseMatrix<double> matrix;
  Eigen::SparseLU<Eigen::SparseMatrix<double>> solver;
  bool analysed = false;
};

BlockMatrix::BlockMatrix() = default;
BlockMatrix::BlockMatrix(BlockMatrix&&) noexcept = default;
BlockMatrix& BlockMatrix::operator=(BlockMatrix&&) noexcept = default;
BlockMatrix::~BlockMatrix() = default;

BlockMatrix::BlockMatrix(const Coupling& coupling, Kind kind)
    : kind_(kind), block_of_(coupling.size()), position_(coupling.size()) {
  const int n = coupling.size();
  std::vector<int> parent(n);
  std::iota(parent.begin(), parent.end(), 0);
  std::vector<std::vector<int>> neighbours(n);
  for (auto [i, j] : coupling.pairs()) {
    if (i == j) continue;
    parent[find_root(parent, i)] = find_root(parent, j);
    neighbours[i].push_back(j);
    neighbours[j].push_back(i);
  }
  for (auto& list : neighbours) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  std::vector<int> block_of_root(n, -1);
  for (int i = 0; i < n; ++i) {
    int& b = block_of_root[find_root(parent, i)];
    if (b < 0) b = block_count(), blocks_.emplace_back();
    block_of_[i] = b;
    blocks_[b].indices.push_back(i);
  }
  has_roots_ = kind == Kind::symmetric_positive;
  for (Block& block : blocks_) {
    const int m = block.size();
    if (m > kDenseLimit) {
      block.indices = narrow_band_order(block.indices, neighbours);
      if (block.indices.front() > block.indices.back()) std::reverse(block.indices.begin(), block.indices.end());
      for (int p = 0; p < m; ++p) position_[block.indices[p]] = p;
      block.band = 0;
      for (int i : block.indices)
        for (int j : neighbours[i]) block.band = std::max(block.band, std::abs(position_[i] - position_[j]));
      if (block.band > kBandLimit) {
        block.sparse = std::make_unique<Sparse>();
        std::vector<Eigen::Triplet<double>> pattern;
        for (int i : block.indices) {
          pattern.emplace_back(position_[i], position_[i], 0.0);
          for (int j : neighbours[i]) pattern.emplace_back(position_[i], position_[j], 0.0);
        }
        block.sparse->matrix.resize(m, m);
        block.sparse->matrix.setFromTriplets(pattern.begin(), pattern.end());
      } else {
        block.values.assign(static_cast<size_t>(m) * (3 * block.band + 1), 0.0);
      }
    } else {
      for (int p = 0; p < m; ++p) position_[block.indices[p]] = p;
      block.values.assign(m * m, 0.0);
    }
    block.in_order = std::adjacent_find(block.indices.begin(), block.indices.end(),
                                        [](int a, int b) { return b != a + 1; }) == block.indices.end();
    has_roots_ = has_roots_ && block.dense() && !block.sparse;
    block.factors.resize(block.values.size());
    block.pivots.resize(m);
    block.scratch.resize(m);
  }
}

void BlockMatrix::set_zero() {
  for (Block& block : blocks_) {
    std::fill(block.values.begin(), block.values.end(), 0.0);
    if (block.sparse) block.sparse->matrix.coeffs().setZero();
  }
}

double* BlockMatrix::entry(Block& block, int i, int j) {
  if (block.sparse) return &block.sparse->matrix.coeffRef(i, j);
  if (block.band < 0) return &block.values[static_cast<size_t>(j) * block.size() + i];
  assert(std::abs(i - j) <= block.band);
  return &block.values[static_cast<size_t>(j) * (3 * block.band + 1) + 2 * block.band + i - j];
}

double* BlockMatrix::entry(int i, int j) {
  assert(block_of_[i] == block_of_[j]);
  return entry(blocks_[block_of_[i]], position_[i], position_[j]);
}

bool BlockMatrix::in_band(const Block& block, int i, int j) {
  return block.sparse || block.band < 0 || std::abs(i - j) <= block.band;
}

double BlockMatrix::operator()(int i, int j) const {
  if (block_of_[i] != block_of_[j]) return 0.0;
  const Block& block = blocks_[block_of_[i]];
  const int p = position_[i], q = position_[j];
  if (block.sparse) return block.sparse->matrix.coeff(p, q);
  return in_band(block, p, q) ? *entry(const_cast<Block&>(block), p, q) : 0.0;
}

void BlockMatrix::add(std::span<const int> rows, std::span<const int> columns, const double* values, double factor) {
  for (size_t r = 0; r < rows.size(); ++r)
    for (size_t c = 0; c < columns.size(); ++c) {
      const double value = values[r * columns.size() + c];
      if (value != 0.0) add(rows[r], columns[c], factor * value);
    }
}

void BlockMatrix::add_range(int first, int n, const double* values, int lead, double factor) {
  if (n == 0) return;
  Block& block = blocks_[block_of_[first]];
  const int m = block.size(), p = position_[first];
  if (block.dense() && n == m && n == lead && block.in_order) {
    double* a = block.values.data();
    for (int k = 0; k < n * n; ++k) a[k] += factor * values[k];
    return;
  }
  if (block.dense() && p + n <= m && block.indices[p + n - 1] == first + n - 1) {
    for (int j = 0; j < n; ++j) {
      double* a = block.values.data() + (p + j) * m + p;
      for (int i = 0; i < n; ++i) a[i] += factor * values[j * lead + i];
    }
    return;
  }
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) add(first + i, first + j, factor * values[j * lead + i]);
}

void BlockMatrix::assign(const BlockMatrix& other) {
  if (double* entries = whole(); entries && other.blocks_.size() == 1) {
    std::copy(other.blocks_[0].values.begin(), other.blocks_[0].values.end(), entries);
    return;
  }
  set_zero();
  add(other, 1.0);
}

void BlockMatrix::add(const BlockMatrix& other, double factor) {
  for (const Block& block : other.blocks_) {
    const int m = block.size();
    Block& own = blocks_[block_of_[block.indices[0]]];
    if (block.dense() && own.dense() && own.size() == m) {  // then they are the same velocities
      double* a = own.values.data();
      const double* b = block.values.data();
      for (int k = 0; k < m * m; ++k) a[k] += factor * b[k];
      continue;
    }
    if (block.sparse) {
      const auto& A = block.sparse->matrix;
      for (int j = 0; j < m; ++j)
        for (Eigen::SparseMatrix<double>::InnerIterator it(A, j); it; ++it)
          add(block.indices[it.row()], block.indices[j], factor * it.value());
      continue;
    }
    for (int j = 0; j < m; ++j) {
      const int first = block.band < 0 ? 0 : std::max(0, j - block.band);
      const int last = block.band < 0 ? m - 1 : std::min(m - 1, j + block.band);
      for (int i = first; i <= last; ++i) {
        const double value = *entry(const_cast<Block&>(block), i, j);
        if (value != 0.0) add(block.indices[i], block.indices[j], factor * value);
      }
    }
  }
}

namespace {

void multiply_tridiagonal(const double* A, int n, const double* x, double* y) {
  y[0] = A[2] * x[0] + A[5] * x[1];
  for (int i = 1; i + 1 < n; ++i)
    y[i] = A[4L * (i - 1) + 3] * x[i - 1] + A[4L * i + 2] * x[i] + A[4L * (i + 1) + 1] * x[i + 1];
  y[n - 1] = A[4L * (n - 2) + 3] * x[n - 2] + A[4L * (n - 1) + 2] * x[n - 1];
}

}  // namespace

void BlockMatrix::multiply(std::span<const double> x, std::span<double> y) const {
  for (const Block& block : blocks_) {
    const int m = block.size();
    const int* index = block.indices.data();
    if (block.in_order && block.band == 1 && m > 1) {
      multiply_tridiagonal(block.values.data(), m, x.data() + index[0], y.data() + index[0]);
      continue;
    }
    if (m == 1) {
      y[index[0]] = block.values[0] * x[index[0]];
      continue;
    }
    if (block.in_order && block.dense()) {
      dense::multiply(block.values.data(), m, x.data() + index[0], y.data() + index[0]);
      continue;
    }
    for (int i = 0; i < m; ++i) y[index[i]] = 0.0;
    for (int j = 0; j < m; ++j) {
      const double xj = x[index[j]];
      if (block.dense()) {
        const double* a = block.values.data() + static_cast<size_t>(j) * m;
        for (int i = 0; i < m; ++i) y[index[i]] += a[i] * xj;
        continue;
      }
      if (block.sparse) {
        for (Eigen::SparseMatrix<double>::InnerIterator it(block.sparse->matrix, j); it; ++it)
          y[block.indices[it.row()]] += it.value() * xj;
        continue;
      }
      const int first = std::max(0, j - block.band), last = std::min(m - 1, j + block.band);
      const double* a = block.values.data() + static_cast<size_t>(j) * (3 * block.band + 1) + 2 * block.band - j;
      for (int i = first; i <= last; ++i) y[index[i]] += a[i] * xj;
    }
  }
}

void BlockMatrix::multiply_transposed(std::span<const double> x, std::span<double> y) const {
  for (const Block& block : blocks_) {
    const int m = block.size();
    for (int j = 0; j < m; ++j) {
      double sum = 0.0;
      if (block.sparse) {
        for (Eigen::SparseMatrix<double>::InnerIterator it(block.sparse->matrix, j); it; ++it)
          sum += it.value() * x[block.indices[it.row()]];
      } else {
        const int first = block.band < 0 ? 0 : std::max(0, j - block.band);
        const int last = block.band < 0 ? m - 1 : std::min(m - 1, j + block.band);
        const double* a = entry(const_cast<Block&>(block), first, j);
        for (int i = first; i <= last; ++i) sum += a[i - first] * x[block.indices[i]];
      }
      y[block.indices[j]] = sum;
    }
  }
}

bool BlockMatrix::factor() {
  if (block_count() <= grain) {
    bool regular = true;
    for (Block& block : blocks_) regular = factor(block) && regular;
    return regular;
  }
  std::atomic<bool> regular = true;
  parallel_for(block_count(), grain, [&](int first, int last) {
    for (int b = first; b < last; ++b)
      if (!factor(blocks_[b])) regular = false;
  });
  return regular;
}

bool BlockMatrix::factor(Block& block) const {
  const int m = block.size();
  if (block.sparse) {
    Sparse& sparse = *block.sparse;
    if (!sparse.analysed) sparse.solver.analyzePattern(sparse.matrix), sparse.analysed = true;
    sparse.solver.factorize(sparse.matrix);
    return sparse.solver.info() == Eigen::Success;
  }
  std::copy(block.values.begin(), block.values.end(), block.factors.begin());
  if (m == 1) return kind_ == Kind::symmetric_positive ? block.factors[0] > 0.0 : block.factors[0] != 0.0;
  if (block.band >= 0) return band::lu(block.factors.data(), m, block.band, block.pivots.data());
  if (kind_ == Kind::symmetric_positive) {
    const bool positive = dense::cholesky(block.factors.data(), m);
    block.diagonal = is_diagonal(block.factors.data(), m);
    return positive;
  }
  return dense::lu(block.factors.data(), m, block.pivots.data());
}

void BlockMatrix::solve(const Block& block, double* x) const {
  const int m = block.size();
  if (m == 1) {
    x[0] /= block.factors[0];
  } else if (block.sparse) {
    Eigen::Map<Eigen::VectorXd> map(x, m);
    map = block.sparse->solver.solve(map).eval();
  } else if (block.band >= 0) {
    band::lu_solve(block.factors.data(), m, block.band, block.pivots.data(), x);
  } else if (block.diagonal) {
    for (int j = 0; j < m; ++j) x[j] = x[j] / block.factors[j * (m + 1)] / block.factors[j * (m + 1)];
  } else if (kind_ == Kind::symmetric_positive) {
    dense::cholesky_solve(block.factors.data(), m, x);
  } else {
    dense::lu_solve(block.factors.data(), m, block.pivots.data(), x);
  }
}

void BlockMatrix::solve_block(int b, std::span<double> x) const { solve(blocks_[b], x.data()); }

void BlockMatrix::solve(std::span<double> x) const {
  parallel_for(block_count(), grain, [&](int first, int last) {
    for (int b = first; b < last; ++b) {
      const Block& block = blocks_[b];
      if (block.in_order) {
        solve(block, x.data() + block.indices[0]);
        continue;
      }
      const int m = block.size();
      for (int p = 0; p < m; ++p) block.scratch[p] = x[block.indices[p]];
      solve(block, block.scratch.data());
      for (int p = 0; p < m; ++p) x[block.indices[p]] = block.scratch[p];
    }
  });
}

void BlockMatrix::solve_lower(int b, double* x, int rows, int stride) const {
  const Block& block = blocks_[b];
  const int m = block.size();
  const double* L = block.factors.data();
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
  for (const Block& block : blocks_) {
    const int m = block.size();
    const double* L = block.factors.data();
    if (m == 1) {
      x[block.indices[0]] /= std::sqrt(L[0]);
      continue;
    }
    for (int j = m - 1; j >= 0; --j) {
      const double* l = L + j * m;
      double sum = x[block.indices[j]];
      for (int i = j + 1; i < m; ++i) sum -= l[i] * x[block.indices[i]];
      x[block.indices[j]] = sum / l[j];
    }
  }
}

}  // namespace tappet
