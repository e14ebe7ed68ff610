// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace tappet {

// A list that needs the heap only beyond N entries.
template <class T, int N>
class ShortList {
 public:
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T* data() const { return size_ > N ? more_.data() : few_; }
  const T& operator[](size_t i) const { return data()[i]; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  operator std::span<const T>() const { return {data(), size_}; }

  void clear() { size_ = 0, more_.clear(); }
  void push_back(T value) {
    if (size_ < N) {
      few_[size_++] = value;
      return;
    }
    if (size_ == N) more_.assign(few_, few_ + N);
    more_.push_back(value);
    ++size_;
  }

 private:
  size_t size_ = 0;
  T few_[N] = {};
  std::vector<T> more_;
};

}  // namespace tappet
