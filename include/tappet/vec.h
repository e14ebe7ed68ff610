// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <vector>

namespace tappet {

// The number of entries to allocate if `size` are needed and `capacity` is too small. It is doubled while the list is
// small. From a few pages on it grows by an eighth, so that lists over the contacts of a large model waste little
// memory.
inline size_t grown_capacity(size_t size, size_t capacity, size_t bytes_of_entry) {
  constexpr size_t small = 16 * 1024;  // bytes
  const size_t more = capacity * bytes_of_entry < small ? capacity : capacity / 8;
  return std::max(size, capacity + more);
}

// Makes room for `size` entries and keeps the present ones.
template <class Vector>
void make_room(Vector& list, size_t size) {
  if (size > list.capacity()) list.reserve(grown_capacity(size, list.capacity(), sizeof(typename Vector::value_type)));
}

// The same if the present entries are no longer needed. The old memory is released before the new memory is requested.
template <class Vector>
void make_room_anew(Vector& list, size_t size) {
  if (size <= list.capacity()) return;
  const size_t capacity = grown_capacity(size, list.capacity(), sizeof(typename Vector::value_type));
  list = Vector();
  list.reserve(capacity);
}

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

  // Inside the library: a view for Eigen (src/math/vec.h). A program that uses Eigen maps data() itself.
  template <class View = void>
  auto eigen() {
    return eigen_view<View>(*this);
  }
  template <class View = void>
  auto eigen() const {
    return eigen_view<View>(*this);
  }

  friend bool operator==(const Vec&, const Vec&) = default;

 private:
  std::vector<double> x_;
};

// A dense matrix, stored by columns, with the same rule of memory.
class Mat {
 public:
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

  template <class View = void>
  auto eigen() {
    return eigen_view<View>(*this);
  }
  template <class View = void>
  auto eigen() const {
    return eigen_view<View>(*this);
  }

 private:
  std::vector<double> x_;
  int rows_ = 0, cols_ = 0;
};

}  // namespace tappet
