// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "problem/delassus.h"

#include <algorithm>

#include "math/wide/wide.h"

namespace tappet {

namespace {

// xi = G P of a dense G, four rows at a time. Each sum is taken over the columns one after the other.
TAPPET_WIDE void multiply_dense(int n, const double* G, const double* P, double* xi) {
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    Four sum{};
    const double* g = G + i;
    for (int j = 0; j < n; ++j, g += n)
      if (P[j] != 0.0) sum += four(g) * P[j];
    four(xi + i) = sum;
  }
  for (; i < n; ++i) {
    double sum = 0.0;
    for (int j = 0; j < n; ++j)
      if (P[j] != 0.0) sum += G[static_cast<size_t>(j) * n + i] * P[j];
    xi[i] = sum;
  }
}

}  // namespace

ContactFactors::Kind Delassus::start(const Inertia& inertia, int rows, Form form) {
  using Kind = ContactFactors::Kind;
  size_ = rows, form_ = form, has_factors_ = form != Form::dense;
  const Kind kind = !has_factors_                                   ? Kind::passing
                    : form == Form::factored && inertia.has_roots() ? Kind::roots
                                                                    : Kind::response;
  factors_.start(*execution_, inertia, kind);
  has_factors_ ? caused_.resize(inertia.size()) : caused_.forget();
  if (kind == Kind::roots && rows > 100 * dense_rows) factors_.return_scratch();  // left over from smaller problems
  return kind;
}

void Delassus::assemble(const Inertia& inertia, const BlockRows& W, Form form) {
  assemble_between(inertia, W, W, form);
}

void Delassus::assemble_between(const Inertia& inertia, const BlockRows& W_1, const BlockRows& W_0, Form form) {
  const InPhase phase(W_1.execution(), Phase::assemble);
  use(W_1.execution());
  const auto kind = start(inertia, W_1.rows(), form);
  factors_.respond(W_0);
  if (kind == ContactFactors::Kind::roots && &W_1 == &W_0)
    factors_.judge_as_they_act();
  else
    judge_along(W_1);
}

void Delassus::judge_along(const BlockRows& W_1) {
  const InPhase phase(*execution_, Phase::assemble);
  if (form_ == Form::dense) factors_.form(W_1, dense_);
  if (form_ == Form::sparse) factors_.form(W_1, sparse_);
  factors_.judge_along(W_1);
}

DelassusInPlace::DelassusInPlace(Delassus& G, const Inertia& inertia, BlockRows& W, Delassus::Form form)
    : G_(G), W_(W) {
  const InPhase phase(W.execution(), Phase::assemble);
  G.use(W.execution());
  if (form == Delassus::Form::factored && inertia.has_roots()) {
    G.start(inertia, W.rows(), form);
    in_place_ = G.factors_.respond_in_place(W);
  }
  if (!in_place_) G.assemble(inertia, W, form);
}

DelassusInPlace::~DelassusInPlace() {
  if (!in_place_) return;
  G_.factors_.give_memory_back(W_);
  G_.size_ = 0;
}

void Delassus::form_sparse() {
  factors_.start_forming();
  factors_.form(W(), sparse_);
  form_ = Form::sparse;
}

void Delassus::form_sparse_from(const Delassus& factored) {
  size_ = factored.size_, form_ = Form::sparse, has_factors_ = false, execution_ = factored.execution_;
  factors_.form_from(factored.factors_, sparse_);
}

void Delassus::multiply(std::span<const double> P, std::span<double> xi) const {
  if (form_ == Form::factored) return factors_.multiply(P, xi, caused_);
  const int n = size_;
  if (form_ == Form::dense) return multiply_dense(n, dense_.data(), P.data(), xi.data());
  std::fill(xi.begin(), xi.begin() + n, 0.0);
  for (int j = 0; j < n; ++j) {
    if (P[j] == 0.0) continue;
    for (int k = sparse_.start[j]; k < sparse_.start[j + 1]; ++k) xi[sparse_.row[k]] += sparse_.value[k] * P[j];
  }
}

void Delassus::diagonal_block(int row, int rows, double* block) const {
  if (form_ == Form::factored) return factors_.diagonal_block(row, rows, block);
  if (form_ == Form::dense) {
    for (int j = 0; j < rows; ++j)
      for (int i = 0; i < rows; ++i) block[j * rows + i] = dense_(row + i, row + j);
    return;
  }
  std::fill(block, block + rows * rows, 0.0);
  for (int j = 0; j < rows; ++j) {
    const auto first = sparse_.row.begin() + sparse_.start[row + j],
               last = sparse_.row.begin() + sparse_.start[row + j + 1];
    for (auto it = std::lower_bound(first, last, row); it != last && *it < row + rows; ++it)
      block[j * rows + (*it - row)] = sparse_.value[it - sparse_.row.begin()];
  }
}

double Delassus::trace() const {
  if (form_ == Form::factored && factors_.one()) return factors_.squares();
  double sum = 0.0;
  for (int i = 0; i < size_; ++i) sum += diagonal(i);
  return sum;
}

void Delassus::Places::start(const Delassus& whole) {
  row.resize(whole.size());
  velocity.assign(whole.has_factors() ? whole.velocities() : 0, -1);
  block.assign(whole.has_factors() ? whole.blocks() : 0, -1);
}

void Delassus::take_part(const Delassus& whole, const Laws& laws, std::span<const int> which, Form form,
                         Places& places) {
  size_ = 0, form_ = form, execution_ = whole.execution_;
  for (int k : which)
    for (int i = 0; i < laws[k].rows; ++i) places.row[laws[k].row + i] = size_++;
  has_factors_ = whole.has_factors() && (form != Form::dense || whole.form_ == Form::factored);
  if (has_factors_) {
    factors_.take(whole.factors_, which, places.velocity, places.block);
    caused_.resize(factors_.velocities());
  }
  if (whole.form_ == Form::sparse && form != Form::factored) return take_columns(whole, laws, which, places);
  if (form == Form::dense) {
    factors_.start_forming();
    factors_.form(W(), dense_);
    has_factors_ = false;
  } else if (form == Form::sparse) {
    form_sparse();
  }
}

void Delassus::take_columns(const Delassus& whole, const Laws& laws, std::span<const int> which, const Places& places) {
  const SparseColumns& S = whole.sparse_;
  if (form_ == Form::dense)
    dense_.resize(size_, size_), dense_.set_zero();
  else
    sparse_.start.assign(1, 0), sparse_.row.clear(), sparse_.value.clear();
  int column = 0;
  for (int k : which)
    for (int j = laws[k].row; j < laws[k].row + laws[k].rows; ++j, ++column) {
      for (int e = S.start[j]; e < S.start[j + 1]; ++e)
        if (const int i = places.row[S.row[e]]; form_ == Form::dense)
          dense_(i, column) = S.value[e];
        else
          sparse_.row.push_back(i), sparse_.value.push_back(S.value[e]);
      if (form_ == Form::sparse) sparse_.start.push_back(static_cast<int>(sparse_.row.size()));
    }
}

}  // namespace tappet
