// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "problem/delassus.h"

#include <algorithm>
#include <cmath>
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

// L⁻¹ W in place of W, whose columns are whole blocks.
// Returns the sum of squares.
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

void Delassus::assemble(const Inertia& inertia, const BlockRows& W_1, const BlockRows& W_0) {
  assemble(inertia, W_1, W_0, form_of(W_1.rows()));
}

void Delassus::assemble(const Inertia& inertia, const BlockRows& W_1, const BlockRows& W_0, Form form) {
  const InPhase phase(W_1.execution(), Phase::assemble);
  use(W_1.execution());
  start(inertia, W_1.rows(), form);
  one_factor_ = rooted_ && &W_1 == &W_0;
  if (rooted_)
    respond_by_roots(inertia, W_0, Y_);
  else
    respond(inertia, W_0);
  if (!one_factor_) judge(W_1);
}

void Delassus::assemble(const Inertia& inertia, BlockRows&& W, Form form) {
  const InPhase phase(W.execution(), Phase::assemble);
  use(W.execution());
  if (form != Form::factored || !inertia.has_roots() || !moves_whole_blocks(inertia, W))
    return assemble(inertia, W, W, form);
  start(inertia, W.rows(), form);
  one_factor_ = borrowed_ = true;
  std::swap(W, Y_);
  W.clear();
  squares_ = solve_lower(inertia, Y_, squares_of_block_);
}

void Delassus::give_back(BlockRows& W) {
  if (!borrowed_) return;
  borrowed_ = false;
  std::swap(W, Y_);
  W.clear(), Y_.clear();
  size_ = 0;
}

void Delassus::start(const Inertia& inertia, int rows, Form form) {
  size_ = rows;
  form_ = form;
  velocities_ = inertia.size(), blocks_ = inertia.block_count();
  inertia_ = &inertia;
  rooted_ = form == Form::factored && inertia.has_roots();
  borrowed_ = false;
  moved_by_.resize(0);
  factors_ = form != Form::dense;
  if (rooted_ && rows > 100 * dense_rows) gathered_ = Vec();  // of smaller problems
  if (!factors_) return;
  velocity_.resize(velocities_);
  block_of_.resize(velocities_);
  parallel_for(*execution_, velocities_, 4096, [&](int first, int last) {
    for (int v = first; v < last; ++v) block_of_[v] = inertia.block_of(v);
  });
}

void Delassus::judge(const BlockRows& W_1) {
  const InPhase phase(*execution_, Phase::assemble);
  one_factor_ = false;
  if (form_ == Form::dense) fill_dense(W_1);
  if (form_ == Form::sparse) fill_sparse(W_1);
  if (rooted_)
    respond_by_roots(*inertia_, W_1, W_);
  else if (factors_)
    W_ = W_1;
}

void Delassus::form_sparse() {
  gathered_.assign(velocities_, 0.0);
  fill_sparse(W());
  form_ = Form::sparse;
}

// velocity_ = Y P, unless it is that already: who has judged an impulse then applies it.
void Delassus::move(std::span<const double> P) const {
  if (!moved_by_.empty() && std::equal(moved_by_.begin(), moved_by_.end(), P.begin(), P.begin() + size_)) return;
  velocity_.set_zero();
  Y_.multiply_transposed(P, velocity_);
  moved_by_.resize(size_);
  std::copy(P.begin(), P.begin() + size_, moved_by_.begin());
}

void Delassus::add_velocity(std::span<const double> P, std::span<double> u) const {
  if (!rooted_) return Y_.multiply_transposed(P, u);
  move(P);
  inertia_->solve_upper(velocity_);
  moved_by_.resize(0);  // now in other coordinates
  for (size_t i = 0; i < u.size(); ++i) u[i] += velocity_[static_cast<int>(i)];
}

// Y_k = L⁻¹ W_k. Where W_k moves whole blocks of M̂ in their order, as between rigid bodies, its numbers keep their
// places; elsewhere they are spread first.
void Delassus::respond_by_roots(const Inertia& inertia, const BlockRows& W, BlockRows& Y) {
  if (moves_whole_blocks(inertia, W)) {
    Y = W;
    squares_ = solve_lower(inertia, Y, squares_of_block_);
    return;
  }
  Y.clear();
  for (int k = 0; k < W.blocks(); ++k) {
    const auto columns = W.columns(k);
    touched_.clear(), columns_.clear();
    for (int column : columns)
      if (const int b = inertia.block_of(column); std::find(touched_.begin(), touched_.end(), b) == touched_.end()) {
        touched_.push_back(b);
        const auto velocities = inertia.block(b);
        columns_.insert(columns_.end(), velocities.begin(), velocities.end());
      }
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
      inertia.solve_lower(b, y, rows, width);
      y += inertia.block(b).size();
    }
  }
  squares_ = Y.squares();
}

// Y_k = M̂⁻¹ W_k for every joint and contact k, over all velocities of the blocks of M̂ that W_k touches.
void Delassus::respond(const Inertia& inertia, const BlockRows& W) {
  Y_.clear();
  gathered_.assign(inertia.size(), 0.0);
  for (int k = 0; k < W.blocks(); ++k) {
    const auto columns = W.columns(k);
    touched_.clear();
    for (int column : columns) {
      const int b = inertia.block_of(column);
      if (std::find(touched_.begin(), touched_.end(), b) == touched_.end()) touched_.push_back(b);
    }
    columns_.clear();
    for (int b : touched_) {
      const auto velocities = inertia.block(b);
      columns_.insert(columns_.end(), velocities.begin(), velocities.end());
    }
    const int rows = W.block(k).rows;
    double* y = Y_.append(rows, columns_);
    const double* w = W.values(k);
    for (int r = 0; r < rows; ++r, w += columns.size()) {
      for (size_t c = 0; c < columns.size(); ++c) gathered_[columns[c]] += w[c];
      for (int b : touched_) {
        const auto velocities = inertia.block(b);
        const std::span<double> x(y, velocities.size());
        for (size_t i = 0; i < x.size(); ++i) x[i] = gathered_[velocities[i]], gathered_[velocities[i]] = 0.0;
        inertia.solve_block(b, x);
        y += x.size();
      }
    }
  }
}

// G(row of l, row of k) = w_l · Y_k, with Y_k spread over all velocities in gathered_.
void Delassus::fill_dense(const BlockRows& W) {
  dense_.resize(size_, size_);
  for (int k = 0; k < Y_.blocks(); ++k) {
    const auto columns = Y_.columns(k);
    const auto& block = Y_.block(k);
    const double* y = Y_.values(k);
    for (int r = 0; r < block.rows; ++r, y += columns.size()) {
      for (size_t c = 0; c < columns.size(); ++c) gathered_[columns[c]] = y[c];
      W.multiply(gathered_, {dense_.column(block.row + r), static_cast<size_t>(size_)});
      for (int column : columns) gathered_[column] = 0.0;
    }
  }
}

void Delassus::fill_sparse(const BlockRows& W) {
  // The velocities of Y_k come in whole blocks of M̂; a contact l meets k where one of its columns lies in them.
  first_of_block_.assign(velocities_ + 1, 0);
  for (int l = 0; l < W.blocks(); ++l)
    for (int column : W.columns(l)) ++first_of_block_[column + 1];
  for (int v = 0; v < velocities_; ++v) first_of_block_[v + 1] += first_of_block_[v];
  contact_of_block_.resize(first_of_block_[velocities_]);
  mark_.assign(first_of_block_.begin(), first_of_block_.end());
  for (int l = 0; l < W.blocks(); ++l)
    for (int column : W.columns(l)) contact_of_block_[mark_[column]++] = l;

  mark_.assign(W.blocks(), -1);
  sparse_.start.assign(1, 0);
  sparse_.row.clear();
  sparse_.value.clear();
  for (int k = 0; k < Y_.blocks(); ++k) {
    const auto columns = Y_.columns(k);
    touched_.clear();
    for (int column : columns)
      for (int i = first_of_block_[column]; i < first_of_block_[column + 1]; ++i)
        if (const int l = contact_of_block_[i]; mark_[l] != k) mark_[l] = k, touched_.push_back(l);
    std::sort(touched_.begin(), touched_.end());
    const double* y = Y_.values(k);
    for (int r = 0; r < Y_.block(k).rows; ++r, y += columns.size()) {
      for (size_t c = 0; c < columns.size(); ++c) gathered_[columns[c]] = y[c];
      for (int l : touched_) {
        const auto& other = W.block(l);
        const auto w_columns = W.columns(l);
        const double* w = W.values(l);
        for (int s = 0; s < other.rows; ++s, w += other.columns) {
          double sum = 0.0;
          for (int c = 0; c < other.columns; ++c) sum += w[c] * gathered_[w_columns[c]];
          sparse_.row.push_back(other.row + s);
          sparse_.value.push_back(sum);
        }
      }
      for (int column : columns) gathered_[column] = 0.0;
      sparse_.start.push_back(static_cast<int>(sparse_.row.size()));
    }
  }
}

void Delassus::multiply(std::span<const double> P, std::span<double> xi) const {
  const int n = size_;
  if (form_ == Form::factored) {
    move(P);
    W().multiply(velocity_, xi);
    return;
  }
  std::fill(xi.begin(), xi.begin() + n, 0.0);
  if (form_ == Form::dense) {
    for (int j = 0; j < n; ++j) {
      if (P[j] == 0.0) continue;
      const double* g = dense_.column(j);
      for (int i = 0; i < n; ++i) xi[i] += g[i] * P[j];
    }
    return;
  }
  for (int j = 0; j < n; ++j) {
    if (P[j] == 0.0) continue;
    for (int k = sparse_.start[j]; k < sparse_.start[j + 1]; ++k) xi[sparse_.row[k]] += sparse_.value[k] * P[j];
  }
}

void Delassus::diagonal_block(int row, int rows, double* block) const {
  if (form_ == Form::dense) {
    for (int j = 0; j < rows; ++j)
      for (int i = 0; i < rows; ++i) block[j * rows + i] = dense_(row + i, row + j);
    return;
  }
  std::fill(block, block + rows * rows, 0.0);
  if (form_ == Form::sparse) {
    for (int j = 0; j < rows; ++j) {
      const auto first = sparse_.row.begin() + sparse_.start[row + j],
                 last = sparse_.row.begin() + sparse_.start[row + j + 1];
      for (auto it = std::lower_bound(first, last, row); it != last && *it < row + rows; ++it)
        block[j * rows + (*it - row)] = sparse_.value[it - sparse_.row.begin()];
    }
    return;
  }
  // Rows that share one joint or contact: the products of its W and Y.
  const BlockRows& W_ = W();
  int k = 0;
  for (int low = 0, high = W_.blocks() - 1; low <= high;) {
    k = (low + high) / 2;
    if (W_.block(k).row > row)
      high = k - 1;
    else if (W_.block(k).row + W_.block(k).rows <= row)
      low = k + 1;
    else
      break;
  }
  const auto y_columns = Y_.columns(k), w_columns = W_.columns(k);
  const int shift = row - W_.block(k).row;
  const bool same = one_factor_ || std::ranges::equal(w_columns, y_columns);
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < rows; ++i) {
      const double* w = W_.values(k) + (shift + i) * w_columns.size();
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

double Delassus::trace() const {
  if (form_ == Form::factored && one_factor_) return squares_;
  double sum = 0.0;
  for (int i = 0; i < size_; ++i) sum += diagonal(i);
  return sum;
}

}  // namespace tappet
