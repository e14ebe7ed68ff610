// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "problem/joints/joint_elimination.h"

#include <cmath>

#include "problem/joints/joint_elimination_analysis.h"

namespace tappet {

// Loops over the columns of a joint and its rows; both numbers are greater than zero if they are known to the compiler.
struct JointElimination::Loops {
  template <int Length, int Rows, bool First>
  static void add_product(const Product& p, const double* w, const double* y, double* values) {
    const int n = Length > 0 ? Length : p.length, rows = Rows > 0 ? Rows : p.w_rows,
              columns = Rows > 0 ? Rows : p.y_rows;
    double* __restrict C = values + p.place;
    w += p.w;
    for (int r = 0; r < rows; ++r, w += p.w_stride, C += columns) {
      const double* other = y + p.y;
      for (int s = 0; s < columns; ++s, other += p.y_stride) {
        double sum = w[0] * other[0];
        for (int i = 1; i < n; ++i) sum += w[i] * other[i];
        First ? C[s] = sum : C[s] += sum;
      }
    }
  }

  // xi_r += w_r · v
  template <int Length, int Rows>
  static void add_rates(const Run& run, const double* w, const double* v, double* xi) {
    const int n = Length > 0 ? Length : run.length, rows = Rows > 0 ? Rows : run.rows;
    w += run.value, v += run.velocity, xi += run.row;
    for (int r = 0; r < rows; ++r, w += run.stride) {
      double sum = w[0] * v[0];
      for (int i = 1; i < n; ++i) sum += w[i] * v[i];
      xi[r] += sum;
    }
  }

  // v += factor Σ P_r y_r
  template <int Length, int Rows>
  static void add_response(const Run& run, const double* y, const double* P, double factor, double* v) {
    const int n = Length > 0 ? Length : run.length, rows = Rows > 0 ? Rows : run.rows;
    double* __restrict to = v + run.velocity;
    y += run.value, P += run.row;
    double sum[Length > 0 ? Length : 1];
    if constexpr (Length > 0)
      for (int i = 0; i < Length; ++i) sum[i] = to[i];
    for (int r = 0; r < rows; ++r, y += run.stride) {
      const double x = factor * P[r];
      for (int i = 0; i < n; ++i) (Length > 0 ? sum : to)[i] += y[i] * x;
    }
    if constexpr (Length > 0)
      for (int i = 0; i < Length; ++i) to[i] = sum[i];
  }

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

void JointElimination::choose_loops() {
  size_t numbers = 0;
  for (size_t i = 0; i < products_.size(); ++i) {
    Product& p = products_[i];
    p.first = i == 0 || products_[i - 1].place != p.place;
    if (p.first) numbers += static_cast<size_t>(p.w_rows) * p.y_rows;
  }
  fills_ = numbers < matrix_.values().size();
  for (Product& p : products_)
    Loops::with_sizes(p.length, p.w_rows == p.y_rows ? p.w_rows : 0, [&]<int Length, int Rows>() {
      p.add = p.first ? Loops::add_product<Length, Rows, true> : Loops::add_product<Length, Rows, false>;
    });
  for (auto* runs : {&w_runs_, &y_runs_})
    for (Run& run : *runs)
      Loops::with_sizes(run.length, run.rows, [&]<int Length, int Rows>() {
        run.rates = Loops::add_rates<Length, Rows>, run.respond = Loops::add_response<Length, Rows>;
      });
}

bool JointElimination::is_analysed(const Inertia& inertia, const BlockRows& W, int joints) const {
  if (&inertia != inertia_ || inertia.block_count() != blocks_ || joints != joints_) return false;
  const auto& last = W.block(joints - 1);
  return last.row + last.rows == rows_ && last.value + last.rows * last.columns == values_;
}

bool JointElimination::respond(const Inertia& inertia, const BlockRows& W_0, int joints) {
  if (!is_analysed(inertia, W_0, joints)) {
    *this = JointElimination();
    inertia_ = &inertia, blocks_ = inertia.block_count(), joints_ = joints, same_layout_ = true;
    const auto& last = W_0.block(joints - 1);
    rows_ = last.row + last.rows, values_ = last.value + last.rows * last.columns;
    suitable_ = Analysis(*this, inertia, W_0, joints).run();
    choose_loops();
    weight_.resize(rows_), xi_.resize(rows_), velocity_.resize(inertia.size()), x_.resize(matrix_.rows());
  }
  if (!suitable_) return false;
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
  for (const Product& p : products_) p.add(p, w, Y_.data(), values);
}

void JointElimination::add_hubs(const double* w) {
  double* values = matrix_.values().data();
  for (const auto [from, to] : hub_from_w_) values[to] += w[from];
  for (const auto [from, to] : hub_from_y_) values[to] = -Y_[from];
  for (int place : hub_units_) values[place] = 1.0;
}

void JointElimination::set_weights(const double* w) {
  for (int r = 0; r < rows_; ++r) weight_[r] = matrix_.values()[diagonal_[r]];
  for (const Term& term : hub_terms_) weight_[term.row] += w[term.w] * Y_[term.y];
  for (double& weight : weight_) weight = 1.0 / weight;
}

bool JointElimination::factor(const BlockRows& W_1) {
  const double* w = W_1.values(0);
  if (fills_) matrix_.set_zero();
  add_products(w);
  add_hubs(w);
  set_weights(w);
  return matrix_.factor();
}

void JointElimination::rates(const double* w, std::span<const double> v, std::span<double> xi) const {
  std::fill(xi.begin(), xi.end(), 0.0);
  for (const Run& run : w_runs_) run.rates(run, w, v.data(), xi.data());
}

void JointElimination::add_response(std::span<const double> P, double factor, std::span<double> v) const {
  for (const Run& run : y_runs_) run.respond(run, Y_.data(), P.data(), factor, v.data());
}

void JointElimination::solve_matrix(std::span<const double> right, double factor) const {
  for (int r = 0; r < rows_; ++r) x_[r] = factor * right[r];
  std::fill(x_.begin() + rows_, x_.end(), 0.0);
  matrix_.solve(x_.data());
}

double JointElimination::residual(std::span<const double> c) const {
  double left = 0.0, scale = 0.0;
  for (int r = 0; r < rows_; ++r) left += xi_[r] * xi_[r] * weight_[r], scale += c[r] * c[r] * weight_[r];
  return left == 0.0 ? scale * 0.0 : std::sqrt(left / scale);  // NaN remains NaN
}

double JointElimination::solve(const BlockRows& W_1, std::span<const double> c, Vec& P) {
  constexpr double good = 1e-13;
  constexpr int most = 3;
  const double* w = W_1.values(0);
  solve_matrix(c, -1.0);
  for (int r = 0; r < rows_; ++r) P[r] = x_[r];
  double best = INFINITY;
  for (int k = 0;; ++k) {
    velocity_.set_zero();
    add_response(P, 1.0, velocity_);
    rates(w, velocity_, xi_);
    for (int r = 0; r < rows_; ++r) xi_[r] += c[r];
    const double e = residual(c);
    if (!(e > good) || k == most || e > 0.5 * best) return e;
    best = e;
    solve_matrix(xi_, -1.0);
    for (int r = 0; r < rows_; ++r) P[r] += x_[r];
  }
}

void JointElimination::resist(const BlockRows& W_1, std::span<double> v, std::span<double> x) const {
  rates(W_1.values(0), v, x);
  solve_matrix(x, 1.0);
  std::copy_n(x_.begin(), rows_, x.begin());
  add_response(x, -1.0, v);
}

}  // namespace tappet
