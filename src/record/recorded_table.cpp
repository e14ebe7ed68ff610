// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <tappet/recorder.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <utility>

namespace tappet {

RecordedTable::RecordedTable(RecordedTable&& other) noexcept
    : values_(std::exchange(other.values_, nullptr)),
      rows_(std::exchange(other.rows_, 0)),
      reserved_(std::exchange(other.reserved_, 0)),
      columns_(other.columns_) {}

RecordedTable& RecordedTable::operator=(RecordedTable&& other) noexcept {
  std::swap(values_, other.values_), std::swap(rows_, other.rows_);
  std::swap(reserved_, other.reserved_), std::swap(columns_, other.columns_);
  return *this;
}

RecordedTable::~RecordedTable() { std::free(values_); }

// realloc moves the pages of a large block instead of copying them, which a std::vector cannot do.
void RecordedTable::reserve(long rows) {
  const size_t bytes = std::max<size_t>(1, static_cast<size_t>(rows) * columns_ * sizeof(double));
  void* moved = std::realloc(values_, bytes);
  if (!moved) throw std::bad_alloc();
  values_ = static_cast<double*>(moved);
  reserved_ = rows;
}

double* RecordedTable::append() {
  if (rows_ == reserved_) reserve(std::max(64L, rows_ + rows_ / 2));
  return values_ + columns_ * rows_++;
}

void RecordedTable::append_zeros(long rows) {
  if (rows_ + rows > reserved_) reserve(rows_ + rows);
  std::fill_n(values_ + columns_ * rows_, columns_ * rows, 0.0);
  rows_ += rows;
}

void RecordedTable::release_spare() {
  if (rows_ < reserved_) reserve(rows_);
}

}  // namespace tappet
