// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

namespace tappet {

// A list that needs the heap only if it has more than N entries.
template <class T, int N>
class ShortList {
 public:
  ShortList() = default;
  ShortList(ShortList&&) = default;
  ShortList& operator=(ShortList&&) = default;
  ShortList(const ShortList& other) { *this = other; }
  ShortList& operator=(const ShortList& other) {
    std::copy(other.few_, other.few_ + N, few_);
    size_ = other.size_;
    more_ = other.more_ ? std::make_unique<std::vector<T>>(*other.more_) : nullptr;
    return *this;
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T* data() const { return size_ > N ? more_->data() : few_; }
  const T& operator[](size_t i) const { return data()[i]; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }

  void clear() { size_ = 0, more_.reset(); }
  void push_back(T value) {
    if (size_ < N) {
      few_[size_++] = value;
      return;
    }
    if (size_ == N) more_ = std::make_unique<std::vector<T>>(few_, few_ + N);
    more_->push_back(value);
    ++size_;
  }

 private:
  int size_ = 0;
  T few_[N] = {};
  std::unique_ptr<std::vector<T>> more_;
};

}  // namespace tappet
