// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "problem/contact_factors.h"

#include <numeric>

namespace tappet {

namespace {

// Whether the columns of every joint and contact are whole blocks of M̂, one after the other.
bool moves_whole_blocks(const Inertia& inertia, const BlockRows& W) {
  for (int k = 0; k < W.blocks(); ++k) {
    const auto columns = W.columns(k);
    for (size_t c = 0; c < columns.size();) {
      const int b = inertia.block_of(columns[c]);
      const auto block = inertia.block(b);
      if (c > 0 && inertia.block_of(columns[0]) == b) return false;
      if (columns.size() - c < block.size() || !std::equal(block.begin(), block.end(), columns.begin() + c))
        return false;
      c += block.size();
    }
  }
  return true;
}

// Replaces W by L⁻¹ W if its columns are whole blocks. Returns the sum of squares.
double solve_lower(const Inertia& inertia, BlockRows& W, std::vector<double>& squares) {
  squares.resize(W.blocks());
  parallel_for(W.execution(), W.blocks(), 256, [&](int first, int last) {
    for (int k = first; k < last; ++k) {
      const auto columns = W.columns(k);
      const int width = static_cast<int>(columns.size());
      for (int c = 0; c < width;) {
        const int b = inertia.block_of(columns[c]);
        inertia.solve_lower(b, W.values(k) + c, W.block(k).rows, width);
        c += static_cast<int>(inertia.block(b).size());
      }
      squares[k] = W.squares(k);
    }
  });
  return std::accumulate(squares.begin(), squares.end(), 0.0);
}

}  // namespace

void ContactFactors::start(const Execution& execution, const Inertia& inertia, Kind kind) {
  inertia_ = &inertia, kind_ = kind, one_ = false;
  velocities_ = inertia.size(), blocks_ = inertia.block_count();
  if (kind == Kind::passing) return;
  block_of_.resize(velocities_);
  W_.use(execution), Y_.use(execution);
  parallel_for(execution, velocities_, 4096, [&](int first, int last) {
    for (int v = first; v < last; ++v) block_of_[v] = inertia.block_of(v);
  });
}

void ContactFactors::respond(const BlockRows& W_0) {
  if (kind_ == Kind::roots) return respond_by_roots(W_0, Y_);
  kind_ == Kind::passing&& list_products(W_0) ? respond_by_list(W_0) : respond_by_blocks(W_0);
}

bool ContactFactors::respond_in_place(BlockRows& W) {
  if (!moves_whole_blocks(*inertia_, W)) return false;
  one_ = true;
  std::swap(W, Y_);
  W.clear();
  squares_ = solve_lower(*inertia_, Y_, squares_of_block_);
  return true;
}

void ContactFactors::give_memory_back(BlockRows& W) {
  std::swap(W, Y_);
  W.clear(), Y_.clear();
}

void ContactFactors::judge_along(const BlockRows& W) {
  one_ = false;
  if (kind_ == Kind::roots)
    respond_by_roots(W, W_);
  else if (kind_ == Kind::response)
    W_ = W;
}

void ContactFactors::touch_blocks(std::span<const int> columns) {
  touched_.clear(), columns_.clear();
  for (int column : columns)
    if (const int b = inertia_->block_of(column); std::find(touched_.begin(), touched_.end(), b) == touched_.end()) {
      touched_.push_back(b);
      const auto velocities = inertia_->block(b);
      columns_.insert(columns_.end(), velocities.begin(), velocities.end());
    }
}

// Y_k = L⁻¹ W_k. If the columns of W_k are whole blocks of M̂ in their order, as between rigid bodies, its numbers keep
// their places. Otherwise they are first spread over whole blocks.
void ContactFactors::respond_by_roots(const BlockRows& W, BlockRows& Y) {
  if (moves_whole_blocks(*inertia_, W)) {
    Y = W;
    squares_ = solve_lower(*inertia_, Y, squares_of_block_);
    return;
  }
  Y.clear();
  for (int k = 0; k < W.blocks(); ++k) spread_by_roots(W, k, Y);
  squares_ = Y.squares();
}

void ContactFactors::spread_by_roots(const BlockRows& W, int k, BlockRows& Y) {
  const auto columns = W.columns(k);
  touch_blocks(columns);
  const int rows = W.block(k).rows, width = static_cast<int>(columns_.size());
  double* y = Y.append(rows, columns_);
  const double* w = W.values(k);
  if (std::equal(columns.begin(), columns.end(), columns_.begin(), columns_.end())) {
    std::copy_n(w, rows * width, y);
  } else {
    for (int r = 0; r < rows; ++r)
      for (size_t c = 0; c < columns.size(); ++c) {
        const auto place = std::find(columns_.begin(), columns_.end(), columns[c]) - columns_.begin();
        y[r * width + place] += w[r * columns.size() + c];
      }
  }
  for (int b : touched_) {
    inertia_->solve_lower(b, y, rows, width);
    y += inertia_->block(b).size();
  }
}

// Y_k = M̂⁻¹ W_k for every joint and contact k, over all velocities of the blocks of M̂ on which W_k acts.
void ContactFactors::respond_by_blocks(const BlockRows& W) {
  Y_.clear();
  start_forming();
  for (int k = 0; k < W.blocks(); ++k) {
    const auto columns = W.columns(k);
    touch_blocks(columns);
    const int rows = W.block(k).rows;
    double* y = Y_.append(rows, columns_);
    const double* w = W.values(k);
    for (int r = 0; r < rows; ++r, w += columns.size()) {
      for (size_t c = 0; c < columns.size(); ++c) gathered_[columns[c]] += w[c];
      for (int b : touched_) {
        const auto velocities = inertia_->block(b);
        const std::span<double> x(y, velocities.size());
        for (size_t i = 0; i < x.size(); ++i) x[i] = gathered_[velocities[i]], gathered_[velocities[i]] = 0.0;
        inertia_->solve_block(b, x);
        y += x.size();
      }
    }
  }
}

void ContactFactors::multiply(std::span<const double> P, std::span<double> xi, CausedVelocity& cache) const {
  W().multiply(cache.of(P, Y_.rows(), Y_), xi);
}

void ContactFactors::add_velocity(std::span<const double> P, std::span<double> u, CausedVelocity& cache) const {
  if (kind_ != Kind::roots) return Y_.multiply_transposed(P, u);
  Vec& velocity = cache.of(P, Y_.rows(), Y_);
  inertia_->solve_upper(velocity);
  cache.forget();  // it was in other coordinates
  for (size_t i = 0; i < u.size(); ++i) u[i] += velocity[static_cast<int>(i)];
}

int ContactFactors::block_with(int row) const {
  const BlockRows& rows = W();
  for (int low = 0, high = rows.blocks() - 1; low <= high;) {
    const int k = (low + high) / 2;
    if (rows.block(k).row > row)
      high = k - 1;
    else if (rows.block(k).row + rows.block(k).rows <= row)
      low = k + 1;
    else
      return k;
  }
  return 0;
}

// Rows of the same joint or contact: the products of its W and Y.
void ContactFactors::diagonal_block(int row, int rows, double* block) const {
  const int k = block_with(row), shift = row - W().block(k).row;
  const auto y_columns = Y_.columns(k), w_columns = W().columns(k);
  const bool same = one_ || std::ranges::equal(w_columns, y_columns);
  std::fill(block, block + rows * rows, 0.0);
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < rows; ++i) {
      const double* w = W().values(k) + (shift + i) * w_columns.size();
      const double* y = Y_.values(k) + (shift + j) * y_columns.size();
      if (same) {
        for (size_t a = 0; a < w_columns.size(); ++a) block[j * rows + i] += w[a] * y[a];
        continue;
      }
      for (size_t a = 0; a < w_columns.size(); ++a)
        for (size_t b = 0; b < y_columns.size(); ++b)
          if (w_columns[a] == y_columns[b]) block[j * rows + i] += w[a] * y[b];
    }
}

void ContactFactors::take(const ContactFactors& whole, std::span<const int> which, std::vector<int>& velocity,
                          std::vector<int>& block) {
  inertia_ = nullptr, kind_ = Kind::response, one_ = whole.one_;
  velocities_ = blocks_ = 0;
  block_of_.clear();
  const auto take = [&](const BlockRows& from, BlockRows& to) {
    to.clear();
    to.use(from.execution());
    for (int k : which) {
      columns_.clear();
      for (int v : from.columns(k)) {
        if (velocity[v] < 0) {
          int& here = block[whole.block_of_[v]];
          if (here < 0) here = blocks_++;
          velocity[v] = velocities_++;
          block_of_.push_back(here);
        }
        columns_.push_back(velocity[v]);
      }
      const auto& rows = from.block(k);
      std::copy_n(from.values(k), rows.rows * rows.columns, to.append(rows.rows, columns_));
    }
  };
  take(whole.Y_, Y_);
  if (!one_) take(whole.W_, W_);
  if (one_) squares_ = Y_.squares();
}

}  // namespace tappet
