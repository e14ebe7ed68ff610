// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <cassert>
#include <initializer_list>
#include <span>
#include <vector>

#include "math/lists/growth.h"

namespace tappet {

// Vectors and dense matrices whose memory only grows. Resizing to a size that was needed before does not allocate
// memory, so a step whose set of closed contacts changes is free of allocations. Arithmetic goes through eigen().
class Vec {
 public:
  Vec() = default;
  explicit Vec(int size, double value = 0.0) : x_(size, value) {}
  Vec(std::initializer_list<double> values) : x_(values) {}

  int size() const { return static_cast<int>(x_.size()); }
  bool empty() const { return x_.empty(); }
  double* data() { return x_.data(); }
  const double* data() const { return x_.data(); }
  double& operator[](int i) { return x_[i]; }
  double operator[](int i) const { return x_[i]; }
  auto begin() { return x_.begin(); }
  auto end() { return x_.end(); }
  auto begin() const { return x_.begin(); }
  auto end() const { return x_.end(); }

  void reserve(int size) { x_.reserve(size); }
  void resize(int size) {  // new entries are zero, old ones are kept
    make_room(x_, size);
    x_.resize(size);
  }
  void assign(int size, double value) {
    make_room_anew(x_, size);
    x_.assign(size, value);
  }
  void set_zero() { std::fill(x_.begin(), x_.end(), 0.0); }

  std::span<double> span(int first, int count) { return {x_.data() + first, static_cast<size_t>(count)}; }
  std::span<const double> span(int first, int count) const { return {x_.data() + first, static_cast<size_t>(count)}; }
  operator std::span<double>() { return {x_.data(), x_.size()}; }
  operator std::span<const double>() const { return {x_.data(), x_.size()}; }

  Eigen::Map<Eigen::VectorXd> eigen() { return {x_.data(), size()}; }
  Eigen::Map<const Eigen::VectorXd> eigen() const { return {x_.data(), size()}; }

  friend bool operator==(const Vec&, const Vec&) = default;

 private:
  std::vector<double> x_;
};

// Column-major dense matrix.
class Mat {
 public:
  using Map = Eigen::Map<Eigen::MatrixXd>;
  using ConstMap = Eigen::Map<const Eigen::MatrixXd>;

  Mat() = default;
  Mat(int rows, int cols) : x_(static_cast<size_t>(rows) * cols), rows_(rows), cols_(cols) {}

  int rows() const { return rows_; }
  int cols() const { return cols_; }
  double* data() { return x_.data(); }
  const double* data() const { return x_.data(); }
  double& operator()(int i, int j) { return x_[static_cast<size_t>(j) * rows_ + i]; }
  double operator()(int i, int j) const { return x_[static_cast<size_t>(j) * rows_ + i]; }
  double* column(int j) { return x_.data() + static_cast<size_t>(j) * rows_; }
  const double* column(int j) const { return x_.data() + static_cast<size_t>(j) * rows_; }

  void reserve(int rows, int cols) { x_.reserve(static_cast<size_t>(rows) * cols); }
  void resize(int rows, int cols) {  // contents are unspecified afterwards
    x_.resize(static_cast<size_t>(rows) * cols);
    rows_ = rows;
    cols_ = cols;
  }
  void set_zero() { std::fill(x_.begin(), x_.end(), 0.0); }

  Map eigen() { return {x_.data(), rows_, cols_}; }
  ConstMap eigen() const { return {x_.data(), rows_, cols_}; }

 private:
  std::vector<double> x_;
  int rows_ = 0, cols_ = 0;
};

}  // namespace tappet
