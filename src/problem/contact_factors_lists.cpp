// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// Assembles a small dense G along lists. The lists are made once for each layout of W, so a step with the same contacts
// as the step before only computes with numbers.
#include "problem/contact_factors.h"

namespace tappet {

namespace {

// Whether the columns from `first` on are the block of M̂ that starts there.
bool starts_block(const Inertia& inertia, std::span<const int> columns, size_t first) {
  const auto block = inertia.block(inertia.block_of(columns[first]));
  return columns.size() - first >= block.size() && std::equal(block.begin(), block.end(), columns.begin() + first);
}

// The sum over a number of columns that the compiler knows, or any number (`size` 0).
template <int size>
double dot_of(const double* w, const double* y, int columns) {
  double sum = 0.0;
#pragma GCC unroll 12
  for (int c = 0; c < (size > 0 ? size : columns); ++c) sum += w[c] * y[c];
  return sum;
}

template <int size>
void add_product(const double* w, int w_rows, int w_width, const double* y, int y_rows, int y_width, int columns,
                 double* g, int lead) {
  for (int j = 0; j < y_rows; ++j, y += y_width, g += lead) {
    const double* row = w;
    for (int i = 0; i < w_rows; ++i, row += w_width) g[i] += dot_of<size>(row, y, columns);
  }
}

}  // namespace

// Lists exist if the columns of every joint and contact are whole blocks of M̂, each of them once.
bool ContactFactors::list_products(const BlockRows& W) {
  if (W.layout() == 0) return false;
  if (W.layout() == listed_layout_ && inertia_->structure() == listed_structure_) return can_list_;
  listed_layout_ = W.layout(), listed_structure_ = inertia_->structure(), can_list_ = false;
  parts_.clear(), products_.clear(), first_.assign(1, 0);
  for (int k = 0; k < W.blocks(); ++k) {
    const auto columns = W.columns(k);
    const auto& b = W.block(k);
    touched_.clear();
    for (size_t c = 0; c < columns.size();) {
      const int block = inertia_->block_of(columns[c]);
      const bool again = std::find(touched_.begin(), touched_.end(), block) != touched_.end();
      if (again || !starts_block(*inertia_, columns, c)) return false;
      touched_.push_back(block);
      parts_.push_back({b.value + static_cast<int>(c), b.rows, b.columns, block});
      c += inertia_->block(block).size();
    }
    first_.push_back(static_cast<int>(parts_.size()));
  }
  for (int k = 0; k < W.blocks(); ++k)
    for (int l = 0; l < W.blocks(); ++l) list_products_of(W, l, k);
  return can_list_ = true;
}

// Parts that follow each other in both become one product.
void ContactFactors::list_products_of(const BlockRows& W, int l, int k) {
  const size_t before = products_.size();
  for (int a = first_[l]; a < first_[l + 1]; ++a)
    for (int b = first_[k]; b < first_[k + 1]; ++b) {
      if (parts_[a].block != parts_[b].block) continue;
      const int columns = static_cast<int>(inertia_->block(parts_[a].block).size());
      if (products_.size() > before) {
        Product& last = products_.back();
        if (last.w_value + last.columns == parts_[a].value && last.y_value + last.columns == parts_[b].value) {
          last.columns += columns;
          continue;
        }
      }
      products_.push_back({W.block(l).row, parts_[a].rows, parts_[a].value, parts_[a].width, W.block(k).row,
                           parts_[b].rows, parts_[b].value, parts_[b].width, columns});
    }
}

void ContactFactors::respond_by_list(const BlockRows& W) {
  Y_.assign(W);
  double* values = Y_.blocks() > 0 ? Y_.values(0) : nullptr;
  for (const Part& part : parts_) inertia_->solve_rows(part.block, values + part.value, part.rows, part.width);
}

void ContactFactors::form_by_list(const BlockRows& W, Mat& G) const {
  const int size = W.rows();
  G.resize(size, size);
  G.set_zero();
  if (size == 0) return;
  const double *w = W.values(0), *y = Y_.values(0);
  for (const Product& p : products_) {
    const auto add = p.columns == 3 ? add_product<3> : p.columns == 6 ? add_product<6> : add_product<0>;
    add(w + p.w_value, p.w_rows, p.w_width, y + p.y_value, p.y_rows, p.y_width, p.columns, G.column(p.y_row) + p.w_row,
        size);
  }
}

}  // namespace tappet
