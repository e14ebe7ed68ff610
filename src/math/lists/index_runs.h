// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

namespace tappet {

// A list of indices that stores two numbers for each run of consecutive indices, such as the velocities of one or two
// bodies. It needs the heap only from the third run on.
class IndexRuns {
 public:
  struct Iterator {
    const IndexRuns* list;
    size_t i;
    int operator*() const { return (*list)[i]; }
    Iterator& operator++() { return ++i, *this; }
    bool operator!=(const Iterator& other) const { return i != other.i; }
  };

  IndexRuns() = default;
  IndexRuns(IndexRuns&&) = default;
  IndexRuns& operator=(IndexRuns&&) = default;
  IndexRuns(const IndexRuns& other) { *this = other; }
  IndexRuns& operator=(const IndexRuns& other) {
    for (int k = 0; k < 2; ++k) first_[k] = other.first_[k], count_[k] = other.count_[k];
    more_ = other.more_ ? std::make_unique<std::vector<int>>(*other.more_) : nullptr;
    return *this;
  }

  size_t size() const { return more_ ? more_->size() : static_cast<size_t>(count_[0]) + count_[1]; }
  bool empty() const { return size() == 0; }
  int operator[](size_t i) const {
    if (more_) return (*more_)[i];
    const int k = static_cast<int>(i);
    return k < count_[0] ? first_[0] + k : first_[1] + k - count_[0];
  }
  void copy_to(int* to) const {
    if (more_) return void(std::copy(more_->begin(), more_->end(), to));
    std::iota(to, to + count_[0], first_[0]);
    std::iota(to + count_[0], to + count_[0] + count_[1], first_[1]);
  }
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, size()}; }

  void append(const IndexRuns& other) {
    if (other.more_ || other.count_[1] > 0 || more_ || count_[1] > 0) {
      for (int index : other) push_back(index);
    } else if (other.count_[0] > 0) {
      const bool goes_on = count_[0] > 0 && first_[0] + count_[0] == other.first_[0];
      if (goes_on) {
        count_[0] += other.count_[0];
      } else {
        const int run = count_[0] > 0 ? 1 : 0;
        first_[run] = other.first_[0], count_[run] = other.count_[0];
      }
    }
  }
  void clear() { count_[0] = count_[1] = 0, more_.reset(); }
  void push_back(int index) {
    if (more_) return more_->push_back(index);
    const int run = count_[1] > 0 ? 1 : 0;
    if (count_[run] > 0 && index == first_[run] + count_[run]) {
      ++count_[run];
    } else if (count_[run] == 0 || run == 0) {
      const int next = count_[0] > 0 ? 1 : 0;
      first_[next] = index, count_[next] = 1;
    } else {
      auto list = std::make_unique<std::vector<int>>();
      for (int i : *this) list->push_back(i);
      list->push_back(index);
      more_ = std::move(list);
    }
  }

 private:
  int first_[2] = {}, count_[2] = {};
  std::unique_ptr<std::vector<int>> more_;  // all runs, if there are more than two
};

}  // namespace tappet
