// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// Assembles a small dense G along lists. The lists are made once for each layout of W, so a step with the same contacts
// as the step before only computes with numbers.
#include "math/wide/wide.h"
#include "problem/contact_factors.h"

namespace tappet {

namespace {

// Whether the columns from `first` on are the block of M̂ that starts there.
bool starts_block(const Inertia& inertia, std::span<const int> columns, size_t first) {
  const auto block = inertia.block(inertia.block_of(columns[first]));
  return columns.size() - first >= block.size() && std::equal(block.begin(), block.end(), columns.begin() + first);
}

// Adds the products of up to four rows of W, side by side in one vector, with all rows of Y. Each sum is taken in the
// same order as that of one row alone would be. `size` is the number of columns.
template <int size, int lanes>
[[gnu::always_inline]] inline void add_rows(const double* w, int w_width, const double* y, int y_rows, int y_width,
                                            double* g, int lead) {
  Four side[size];
  const double *w_1 = w + w_width, *w_2 = w_1 + w_width, *w_3 = lanes > 3 ? w_2 + w_width : w_2;
#pragma GCC unroll 12
  for (int c = 0; c < size; ++c) side[c] = Four{w[c], w_1[c], w_2[c], w_3[c]};
  for (int j = 0; j < y_rows; ++j, y += y_width, g += lead) {
    Four sum{};
#pragma GCC unroll 12
    for (int c = 0; c < size; ++c) sum += side[c] * y[c];
    if constexpr (lanes == 4)
      four(g) = four(g) + sum;
    else
      for (int i = 0; i < lanes; ++i) g[i] += sum[i];
  }
}

// The same for one row of W, and for any number of columns.
void add_row(const double* w, const double* y, int y_rows, int y_width, int columns, double* g, int lead) {
  for (int j = 0; j < y_rows; ++j, y += y_width, g += lead) {
    double sum = 0.0;
    for (int c = 0; c < columns; ++c) sum += w[c] * y[c];
    *g += sum;
  }
}

// The entries of G at `g`, whose columns are `lead` numbers apart, += rows of W times rows of Y.
TAPPET_WIDE void add_product(const double* w, int w_rows, int w_width, const double* y, int y_rows, int y_width,
                             int columns, double* g, int lead) {
  const auto add_most = [&]<int size>() __attribute__((always_inline)) {
    for (; w_rows >= 4; w_rows -= 4, w += 4 * w_width, g += 4)
      add_rows<size, 4>(w, w_width, y, y_rows, y_width, g, lead);
    if (w_rows < 3) return;
    add_rows<size, 3>(w, w_width, y, y_rows, y_width, g, lead);
    w_rows = 0;
  };
  if (columns == 3) add_most.template operator()<3>();
  if (columns == 6) add_most.template operator()<6>();
  if (columns == 12) add_most.template operator()<12>();
  for (; w_rows > 0; --w_rows, w += w_width, ++g) add_row(w, y, y_rows, y_width, columns, g, lead);
}

// Products whose rows follow each other become one, first those with the same rows of Y, then those with the same rows
// of W. So the contacts of one body with the ground become one product.
template <class Product>
void join_products(std::vector<Product>& products) {
  const auto join = [&products](auto&& follows, auto&& rows) {
    size_t kept = 0;
    for (size_t i = 1; i < products.size(); ++i)
      if (Product& last = products[kept], &next = products[i]; last.columns == next.columns && follows(last, next))
        rows(last) += rows(next);
      else
        products[++kept] = next;
    if (!products.empty()) products.resize(kept + 1);
  };
  const auto same_y = [](const Product& a, const Product& b) {
    return a.y_row == b.y_row && a.y_value == b.y_value && a.y_rows == b.y_rows && a.y_width == b.y_width;
  };
  const auto same_w = [](const Product& a, const Product& b) {
    return a.w_row == b.w_row && a.w_value == b.w_value && a.w_rows == b.w_rows && a.w_width == b.w_width;
  };
  join(
      [&](const Product& a, const Product& b) {
        return same_y(a, b) && a.w_width == b.w_width && a.w_row + a.w_rows == b.w_row &&
               a.w_value + a.w_rows * a.w_width == b.w_value;
      },
      [](auto& product) -> auto& { return product.w_rows; });
  join(
      [&](const Product& a, const Product& b) {
        return same_w(a, b) && a.y_width == b.y_width && a.y_row + a.y_rows == b.y_row &&
               a.y_value + a.y_rows * a.y_width == b.y_value;
      },
      [](auto& product) -> auto& { return product.y_rows; });
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
  join_products(products_);
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
  for (const Product& p : products_)
    add_product(w + p.w_value, p.w_rows, p.w_width, y + p.y_value, p.y_rows, p.y_width, p.columns,
                G.column(p.y_row) + p.w_row, size);
}

}  // namespace tappet
