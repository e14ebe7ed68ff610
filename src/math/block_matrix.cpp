// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "math/block_matrix.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>

#include "math/block_matrix_sparse.h"
#include "math/dense.h"
#include "math/lists/disjoint_sets.h"

namespace tappet {

namespace {

constexpr int kDenseLimit = dense::most_sides;  // largest dense block
constexpr int kBandLimit = 96;                  // widest band before sparse LU is cheaper
// up to this size, memory for the factors of all blocks is reserved from the start
constexpr size_t few_numbers = 10'000;

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

long Inertia::next_structure() {
  static std::atomic<long> last{0};
  return ++last;
}

BlockMatrix::BlockMatrix() = default;
BlockMatrix::BlockMatrix(BlockMatrix&&) noexcept = default;
BlockMatrix& BlockMatrix::operator=(BlockMatrix&&) noexcept = default;
BlockMatrix::~BlockMatrix() = default;

BlockMatrix::BlockMatrix(const Coupling& coupling, Kind kind, const Execution& execution)
    : execution_(&execution), kind_(kind), block_of_(coupling.size()), position_(coupling.size()) {
  const int n = coupling.size();
  DisjointSets tied;
  tied.reset(n);
  std::vector<int> block_of_root(n, -1);
  for (auto [i, j] : coupling.pairs()) tied.unite(i, j);
  int count = 0, largest = 0;
  for (int i = 0; i < n; ++i) {
    int& b = block_of_root[tied.lowest(i)];
    if (b < 0) b = count++;
    block_of_[i] = b;
  }
  blocks_.resize(count);
  for (int i = 0; i < n; ++i) largest = std::max(largest, ++blocks_[block_of_[i]].size);
  for (int b = 1; b < count; ++b) blocks_[b].first = blocks_[b - 1].first + blocks_[b - 1].size;
  indices_.resize(n);
  for (Block& block : blocks_) block.size = 0;
  for (int i = 0; i < n; ++i) {
    Block& block = blocks_[block_of_[i]];
    position_[i] = block.size;
    indices_[block.first + block.size++] = i;
  }
  if (largest > kDenseLimit) narrow(coupling);

  has_roots_ = kind == Kind::symmetric_positive;
  size_t numbers = 0;
  for (Block& block : blocks_) {
    const auto list = indices(block);
    block.in_order =
        std::adjacent_find(list.begin(), list.end(), [](int a, int b) { return b != a + 1; }) == list.end();
    has_roots_ = has_roots_ && block.dense() && block.sparse < 0;
    block.value = block.factor = numbers;
    numbers += entries(block);
  }
  values_.assign(numbers, 0.0);
  if (numbers < few_numbers) factors_.reserve(numbers);
  if (!has_roots_) pivots_.resize(n);
}

// Gives large blocks a narrow band or sparse storage.
void BlockMatrix::narrow(const Coupling& coupling) {
  std::vector<std::vector<int>> neighbours(coupling.size());
  for (auto [i, j] : coupling.pairs()) {
    if (i == j) continue;
    neighbours[i].push_back(j);
    neighbours[j].push_back(i);
  }
  for (auto& list : neighbours) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  for (Block& block : blocks_) {
    const int m = block.size;
    if (m <= kDenseLimit) continue;
    const std::span<int> own(indices_.data() + block.first, m);
    const std::vector<int> order = narrow_band_order({own.begin(), own.end()}, neighbours);
    std::copy(order.begin(), order.end(), own.begin());
    if (own.front() > own.back()) std::reverse(own.begin(), own.end());
    for (int p = 0; p < m; ++p) position_[own[p]] = p;
    block.band = 0;
    for (int i : own)
      for (int j : neighbours[i]) block.band = std::max(block.band, std::abs(position_[i] - position_[j]));
    if (block.band <= kBandLimit) continue;
    block.sparse = static_cast<int>(sparse_.size());
    std::vector<Eigen::Triplet<double>> pattern;
    for (int i : own) {
      pattern.emplace_back(position_[i], position_[i], 0.0);
      for (int j : neighbours[i]) pattern.emplace_back(position_[i], position_[j], 0.0);
    }
    Sparse& sparse = *sparse_.emplace_back(std::make_unique<Sparse>());
    sparse.matrix.resize(m, m);
    sparse.matrix.setFromTriplets(pattern.begin(), pattern.end());
  }
}

size_t BlockMatrix::entries(const Block& block) const {
  if (block.sparse >= 0) return 0;
  return static_cast<size_t>(block.size) * (block.dense() ? block.size : 3 * block.band + 1);
}

void BlockMatrix::set_zero() {
  std::fill(values_.begin(), values_.end(), 0.0);
  for (auto& sparse : sparse_) sparse->matrix.coeffs().setZero();
}

double* BlockMatrix::entry(const Block& block, int i, int j) {
  if (block.sparse >= 0) return &sparse_[block.sparse]->matrix.coeffRef(i, j);
  double* values = values_.data() + block.value;
  if (block.band < 0) return values + static_cast<size_t>(j) * block.size + i;
  assert(std::abs(i - j) <= block.band);
  return values + static_cast<size_t>(j) * (3 * block.band + 1) + 2 * block.band + i - j;
}

bool BlockMatrix::in_band(const Block& block, int i, int j) const {
  return block.sparse >= 0 || block.band < 0 || std::abs(i - j) <= block.band;
}

double BlockMatrix::operator()(int i, int j) const {
  const double* place = find(i, j);
  return place ? *place : 0.0;
}

const double* BlockMatrix::find(int i, int j) const {
  if (block_of_[i] != block_of_[j]) return nullptr;
  const Block& block = blocks_[block_of_[i]];
  const int p = position_[i], q = position_[j];
  if (block.sparse >= 0) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(sparse_[block.sparse]->matrix, q); it; ++it)
      if (it.row() == p) return &it.valueRef();
    return nullptr;
  }
  return in_band(block, p, q) ? const_cast<BlockMatrix*>(this)->entry(block, p, q) : nullptr;
}

void BlockMatrix::add_range(int first, int n, const double* values, int lead, double factor) {
  if (n == 0) return;
  Block& block = blocks_[block_of_[first]];
  const int m = block.size, p = position_[first];
  if (block.dense() && n == m && n == lead && block.in_order) {
    double* a = values_.data() + block.value;
    for (int k = 0; k < n * n; ++k) a[k] += factor * values[k];
    return;
  }
  if (block.dense() && p + n <= m && indices(block)[p + n - 1] == first + n - 1) {
    for (int j = 0; j < n; ++j) {
      double* a = values_.data() + block.value + (p + j) * m + p;
      for (int i = 0; i < n; ++i) a[i] += factor * values[j * lead + i];
    }
    return;
  }
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) add(first + i, first + j, factor * values[j * lead + i]);
}

void BlockMatrix::assign(const BlockMatrix& other) {
  if (double* entries = whole(); entries && other.blocks_.size() == 1) {
    std::copy(other.values_.begin(), other.values_.end(), entries);
    return;
  }
  set_zero();
  add(other, 1.0);
}

void BlockMatrix::add(const BlockMatrix& other, double factor) {
  for (const Block& block : other.blocks_) {
    const int m = block.size;
    const int* index = other.indices(block).data();
    const Block& own = blocks_[block_of_[index[0]]];
    if (block.dense() && own.dense() && own.size == m) {  // if so, they have the same velocities
      double* a = values_.data() + own.value;
      const double* b = other.values_.data() + block.value;
      for (int k = 0; k < m * m; ++k) a[k] += factor * b[k];
      continue;
    }
    if (block.sparse >= 0) {
      const auto& A = other.sparse_[block.sparse]->matrix;
      for (int j = 0; j < m; ++j)
        for (Eigen::SparseMatrix<double>::InnerIterator it(A, j); it; ++it)
          if (it.value() != 0.0) add(index[it.row()], index[j], factor * it.value());
      continue;
    }
    for (int j = 0; j < m; ++j) {
      const int first = block.band < 0 ? 0 : std::max(0, j - block.band);
      const int last = block.band < 0 ? m - 1 : std::min(m - 1, j + block.band);
      for (int i = first; i <= last; ++i) {
        const double value = *const_cast<BlockMatrix&>(other).entry(block, i, j);
        if (value != 0.0) add(index[i], index[j], factor * value);
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

// A planar body: y = A x by columns.
void multiply_three(const double* A, const double* x, double* y) {
  const double a = x[0], b = x[1], c = x[2];
  for (int i = 0; i < 3; ++i) y[i] = A[i] * a + A[i + 3] * b + A[i + 6] * c;
}

}  // namespace

void BlockMatrix::multiply(std::span<const double> x, std::span<double> y) const {
  for (const Block& block : blocks_) {
    const int m = block.size;
    const int* index = indices(block).data();
    if (block.in_order && block.band == 1 && m > 1) {
      multiply_tridiagonal(values_.data() + block.value, m, x.data() + index[0], y.data() + index[0]);
      continue;
    }
    if (m == 1) {
      y[index[0]] = values_[block.value] * x[index[0]];
      continue;
    }
    if (block.in_order && block.dense() && m == 3) {
      multiply_three(values_.data() + block.value, x.data() + index[0], y.data() + index[0]);
      continue;
    }
    if (block.in_order && block.dense()) {
      dense::multiply(values_.data() + block.value, m, x.data() + index[0], y.data() + index[0]);
      continue;
    }
    for (int i = 0; i < m; ++i) y[index[i]] = 0.0;
    for (int j = 0; j < m; ++j) {
      const double xj = x[index[j]];
      if (block.dense()) {
        const double* a = values_.data() + block.value + static_cast<size_t>(j) * m;
        for (int i = 0; i < m; ++i) y[index[i]] += a[i] * xj;
        continue;
      }
      if (block.sparse >= 0) {
        for (Eigen::SparseMatrix<double>::InnerIterator it(sparse_[block.sparse]->matrix, j); it; ++it)
          y[index[it.row()]] += it.value() * xj;
        continue;
      }
      const int first = std::max(0, j - block.band), last = std::min(m - 1, j + block.band);
      const double* a =
          values_.data() + block.value + static_cast<size_t>(j) * (3 * block.band + 1) + 2 * block.band - j;
      for (int i = first; i <= last; ++i) y[index[i]] += a[i] * xj;
    }
  }
}

void BlockMatrix::multiply_transposed(std::span<const double> x, std::span<double> y) const {
  for (const Block& block : blocks_) {
    const int m = block.size;
    const int* index = indices(block).data();
    for (int j = 0; j < m; ++j) {
      double sum = 0.0;
      if (block.sparse >= 0) {
        for (Eigen::SparseMatrix<double>::InnerIterator it(sparse_[block.sparse]->matrix, j); it; ++it)
          sum += it.value() * x[index[it.row()]];
      } else {
        const int first = block.band < 0 ? 0 : std::max(0, j - block.band);
        const int last = block.band < 0 ? m - 1 : std::min(m - 1, j + block.band);
        const double* a = const_cast<BlockMatrix*>(this)->entry(block, first, j);
        for (int i = first; i <= last; ++i) sum += a[i - first] * x[index[i]];
      }
      y[index[j]] = sum;
    }
  }
}

}  // namespace tappet
