// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "problem/joints/joint_elimination.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "math/reciprocals.h"
#include "math/wide/sums.h"
#include "math/wide/wide.h"
#include "problem/joints/joint_elimination_analysis.h"

namespace tappet {

namespace {

// The four products of two rows of w with two rows of y, by rows. Each sum is taken in the order of a loop.
template <int Length>
[[gnu::always_inline]] inline Four two_by_two(const double* w, int w_stride, const double* y, int y_stride) {
  const auto product = [=](int i) {
    const double w_0 = w[i], w_1 = w[w_stride + i], y_0 = y[i], y_1 = y[y_stride + i];
    return Four{w_0, w_0, w_1, w_1} * Four{y_0, y_1, y_0, y_1};
  };
  Four sum = product(0);
#pragma GCC unroll 6
  for (int i = 1; i < Length; ++i) sum += product(i);
  return sum;
}

TAPPET_WIDE void multiply_numbers(int n, const double* x, const double* factors, double* y) {
  int i = 0;
  for (; i + 4 <= n; i += 4) four(y + i) = four(x + i) * four(factors + i);
  for (; i < n; ++i) y[i] = x[i] * factors[i];
}

}  // namespace

// Loops over joints with the same numbers of columns and rows; both are greater than zero if they are known to the
// compiler. X is a number, or several side by side.
struct JointElimination::Loops {
  template <int Length, int Rows, bool First>
  TAPPET_WIDE static void add_products(std::span<const Product> products, const double* w_all, const double* y_all,
                                       double* values) {
    for (const Product& p : products) {
      const int n = Length > 0 ? Length : p.length, rows = Rows > 0 ? Rows : p.w_rows,
                columns = Rows > 0 ? Rows : p.y_rows;
      double* __restrict C = values + p.place;
      const double* w = w_all + p.w;
      if constexpr (Rows == 2 && Length > 0) {
        const Four all = two_by_two<Length>(w, p.w_stride, y_all + p.y, p.y_stride);
        First ? tappet::four(C) = all : tappet::four(C) += all;
        continue;
      }
      for (int r = 0; r < rows; ++r, w += p.w_stride, C += columns) {
        const double* y = y_all + p.y;
        for (int s = 0; s < columns; ++s, y += p.y_stride) {
          double sum = w[0] * y[0];
          for (int i = 1; i < n; ++i) sum += w[i] * y[i];
          First ? C[s] = sum : C[s] += sum;
        }
      }
    }
  }

  // xi_r += w_r · v
  template <int Length, int Rows, class X>
  TAPPET_WIDE static void add_rates(std::span<const Run> runs, const double* w_all, const X* v_all, X* xi_all) {
    for (const Run& run : runs) {
      const int n = Length > 0 ? Length : run.length, rows = Rows > 0 ? Rows : run.rows;
      const double* w = w_all + run.value;
      const X* v = v_all + run.velocity;
      X* __restrict xi = xi_all + run.row;
      for (int r = 0; r < rows; ++r, w += run.stride) {
        X sum = w[0] * v[0];
        for (int i = 1; i < n; ++i) sum += w[i] * v[i];
        xi[r] += sum;
      }
    }
  }

  // v += factor Σ P_r y_r
  template <int Length, int Rows, class X>
  TAPPET_WIDE static void add_response(std::span<const Run> runs, const double* y_all, const X* P_all, double factor,
                                       X* v) {
    for (const Run& run : runs) {
      const int n = Length > 0 ? Length : run.length, rows = Rows > 0 ? Rows : run.rows;
      X* __restrict to = v + run.velocity;
      const double* y = y_all + run.value;
      const X* P = P_all + run.row;
      X sum[Length > 0 ? Length : 1];
      if constexpr (Length > 0)
        for (int i = 0; i < Length; ++i) sum[i] = to[i];
      for (int r = 0; r < rows; ++r, y += run.stride) {
        const X x = factor * P[r];
        for (int i = 0; i < n; ++i) (Length > 0 ? sum : to)[i] += y[i] * x;
      }
      if constexpr (Length > 0)
        for (int i = 0; i < Length; ++i) to[i] = sum[i];
    }
  }

  template <int Length, int Rows>
  static const RunLoops of_runs;

  // Calls f with the usual sizes as constants of the compiler: one or two planar bodies and hinges between them, one or
  // two bodies in space.
  template <class F>
  static void with_sizes(int length, int rows, F&& f) {
    if (length == 3) return rows == 2 ? f.template operator()<3, 2>() : f.template operator()<3, 0>();
    if (length == 6)
      return rows == 2   ? f.template operator()<6, 2>()
             : rows == 5 ? f.template operator()<6, 5>()
                         : f.template operator()<6, 0>();
    if (length == 12) return rows == 5 ? f.template operator()<12, 5>() : f.template operator()<12, 0>();
    return f.template operator()<0, 0>();
  }
};

struct JointElimination::RunLoops {
  void (*rates)(std::span<const Run>, const double* w, const double* v, double* xi);
  void (*respond)(std::span<const Run>, const double* y, const double* P, double factor, double* v);
  void (*rates_four)(std::span<const Run>, const double* w, const Four* v, Four* xi);
  void (*respond_four)(std::span<const Run>, const double* y, const Four* P, double factor, Four* v);
};

template <int Length, int Rows>
const JointElimination::RunLoops JointElimination::Loops::of_runs = {
    add_rates<Length, Rows, double>, add_response<Length, Rows, double>, add_rates<Length, Rows, Four>,
    add_response<Length, Rows, Four>};

// Products that start a block do not depend on their order. Those that add to one follow in theirs.
void JointElimination::group_products() {
  size_t numbers = 0;
  for (size_t i = 0; i < products_.size(); ++i) {
    Product& p = products_[i];
    p.first = i == 0 || products_[i - 1].place != p.place;
    if (p.first) numbers += static_cast<size_t>(p.w_rows) * p.y_rows;
  }
  fills_ = numbers < matrix_.values().size();
  const auto order = [](const Product& p) {
    return p.first ? std::array{0, p.length, p.w_rows, p.y_rows} : std::array{1, 0, 0, 0};
  };
  std::stable_sort(products_.begin(), products_.end(),
                   [&](const Product& a, const Product& b) { return order(a) < order(b); });
  for (int i = 0; i < static_cast<int>(products_.size()); ++i) {
    const Product& p = products_[i];
    Loops::with_sizes(p.length, p.w_rows == p.y_rows ? p.w_rows : 0, [&]<int Length, int Rows>() {
      const auto add = p.first ? Loops::add_products<Length, Rows, true> : Loops::add_products<Length, Rows, false>;
      extend(product_groups_, i, add);
    });
  }
}

void JointElimination::group_runs(const std::vector<Run>& runs, std::vector<RunGroup>& groups) {
  for (int i = 0; i < static_cast<int>(runs.size()); ++i)
    Loops::with_sizes(runs[i].length, runs[i].rows,
                      [&]<int Length, int Rows>() { extend(groups, i, &Loops::of_runs<Length, Rows>); });
}

bool JointElimination::is_analysed(const Inertia& inertia, const BlockRows& W, int joints) const {
  if (&inertia != inertia_ || inertia.block_count() != blocks_ || joints != joints_) return false;
  const auto& last = W.block(joints - 1);
  return last.row + last.rows == rows_ && last.value + last.rows * last.columns == values_;
}

void JointElimination::find_reciprocals(const BlockRows& W) {
  looked_ = true;
  reciprocals_ = reciprocals_of(*inertia_);
  if (reciprocals_.empty()) return;
  if (!same_layout_) return;
  for (int k = 0; k < joints_; ++k)
    for (int r = 0; r < W.block(k).rows; ++r)
      for (int column : W.columns(k)) reciprocal_of_.push_back(reciprocals_[column]);
}

bool JointElimination::respond(const Inertia& inertia, const BlockRows& W_0, int joints, bool stays) {
  if (!is_analysed(inertia, W_0, joints)) {
    *this = JointElimination();
    inertia_ = &inertia, blocks_ = inertia.block_count(), joints_ = joints, same_layout_ = true;
    const auto& last = W_0.block(joints - 1);
    rows_ = last.row + last.rows, values_ = last.value + last.rows * last.columns;
    suitable_ = Analysis(*this, inertia, W_0, joints).run();
    group_products(), group_runs(w_runs_, w_groups_), group_runs(y_runs_, y_groups_);
    weight_.resize(rows_), xi_.resize(rows_), velocity_.resize(inertia.size()), x_.resize(matrix_.rows()),
        x_four_.resize(four * matrix_.rows());
  }
  if (!suitable_) return false;
  stays_ = stays;
  if (stays && !looked_) find_reciprocals(W_0);
  if (stays && !reciprocal_of_.empty()) {
    multiply_numbers(values_, W_0.values(0), reciprocal_of_.data(), Y_.data());
    return true;
  }
  copy_directions(W_0.values(0));
  for (const Response& r : responses_) inertia.solve_rows(r.block, Y_.data() + r.value, r.rows, r.stride);
  return true;
}

void JointElimination::copy_directions(const double* w) {
  if (same_layout_) {
    std::copy_n(w, values_, Y_.data());
    return;
  }
  std::fill(Y_.begin(), Y_.end(), 0.0);
  for (const auto [from, to] : copies_) Y_[to] += w[from];
}

void JointElimination::add_products(const double* w) {
  double* values = matrix_.values().data();
  for (const auto& group : product_groups_) group.loop(group.of(products_), w, Y_.data(), values);
}

void JointElimination::add_hubs(const double* w) {
  double* values = matrix_.values().data();
  for (const auto [from, to] : hub_from_w_) values[to] += w[from];
  for (const auto [from, to] : hub_from_y_) values[to] = -Y_[from];
  for (int place : hub_units_) values[place] = 1.0;
}

void JointElimination::set_weights(const double* w) {
  const double* values = matrix_.values().data();
  const int* place = diagonal_.data();
  double* weight = weight_.data();
  for (int r = 0; r < rows_; ++r) weight[r] = values[place[r]];
  for (const Term& term : hub_terms_) weight[term.row] += w[term.w] * Y_[term.y];
  for (int r = 0; r < rows_; ++r) weight[r] = 1.0 / weight[r];
}

bool JointElimination::factor(const BlockRows& W_1) {
  const double* w = W_1.values(0);
  if (fills_) matrix_.set_zero();
  add_products(w);
  add_hubs(w);
  set_weights(w);
  return matrix_.factor();
}

void JointElimination::rates(const double* w, std::span<const double> v, std::span<const double> b,
                             std::span<double> xi) const {
  copy(rows_, b.data(), xi.data());
  for (const RunGroup& group : w_groups_) group.loop->rates(group.of(w_runs_), w, v.data(), xi.data());
}

void JointElimination::add_response(std::span<const double> P, double factor, std::span<double> v) const {
  for (const RunGroup& group : y_groups_) group.loop->respond(group.of(y_runs_), Y_.data(), P.data(), factor, v.data());
}

void JointElimination::solve_matrix(std::span<const double> right, double factor) const {
  double* x = x_.data();
  multiply(rows_, factor, right.data(), x);
  if (x_.size() > rows_) std::fill(x + rows_, x + x_.size(), 0.0);
  matrix_.solve(x_.data());
}

double JointElimination::residual(std::span<const double> c) const {
  double left = 0.0, scale = 0.0;
  const double *xi = xi_.data(), *weight = weight_.data(), *right = c.data();
  for (int r = 0; r < rows_; ++r) left += xi[r] * xi[r] * weight[r], scale += right[r] * right[r] * weight[r];
  return left == 0.0 ? scale * 0.0 : std::sqrt(left / scale);  // NaN remains NaN
}

double JointElimination::solve(const BlockRows& W_1, std::span<const double> c, Vec& P) {
  constexpr double good = 1e-13;
  constexpr int most = 3;
  const double* w = W_1.values(0);
  solve_matrix(c, -1.0);
  copy(rows_, x_.data(), P.data());
  double best = INFINITY;
  for (int k = 0;; ++k) {
    clear(velocity_.size(), velocity_.data());
    add_response(P, 1.0, velocity_);
    rates(w, velocity_, c, xi_);
    const double e = residual(c);
    if (!(e > good) || k == most || e > 0.5 * best) return e;
    best = e;
    solve_matrix(xi_, -1.0);
    for (int r = 0; r < rows_; ++r) P[r] += x_[r];
  }
}

void JointElimination::resist(const BlockRows& W_1, Four* v, Four* x) const {
  const double* w = W_1.values(0);
  Four* all = reinterpret_cast<Four*>(x_four_.data());
  std::fill_n(all, matrix_.rows(), Four{});
  for (const RunGroup& group : w_groups_) group.loop->rates_four(group.of(w_runs_), w, v, all);
  matrix_.solve(all);
  std::copy_n(all, rows_, x);
  for (const RunGroup& group : y_groups_) group.loop->respond_four(group.of(y_runs_), Y_.data(), x, -1.0, v);
}

}  // namespace tappet
