// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/archive.h>

#include <filesystem>
#include <functional>
#include <vector>

#include "files/durable_file.h"

namespace tappet::hdf5 {

// Rows of numbers that a run has recorded so far. They are in memory first and go to a file when they are many, or when
// spill() is called. The file only grows, so whatever happens to the program, what was written stays. A run that is
// resumed goes on behind the rows that its checkpoint knows.
class RowJournal {
 public:
  RowJournal(std::filesystem::path file, int width, size_t buffer_bytes);

  int width() const { return width_; }
  long rows() const { return written_ + static_cast<long>(buffer_.size() / width_); }
  double* append();  // a row whose numbers the caller sets
  void spill();      // throws std::runtime_error
  void archive(Archive& a);
  void remove();  // the file

  // Calls take(row) for the first `rows` rows.
  void each(long rows, const std::function<void(const double*)>& take);

 private:
  void open(bool anew);

  std::filesystem::path path_;
  int width_;
  size_t most_;  // numbers in memory
  std::vector<double> buffer_;
  FileDescriptor file_;
  long written_ = 0;  // rows in the file
};

}  // namespace tappet::hdf5
