// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "files/hdf5_file.h"

namespace tappet::hdf5 {

// A data set that grows by rows of `width` numbers (width 0 is a plain vector), one chunk per full buffer. Buffers of
// zeros are not written, since the fill value of the file stands for them. The forces of open contacts therefore take
// neither time nor space.
class Column {
 public:
  enum class Numbers { real, int32, int64 };  // the type in the file
  Column(hid_t parent, const std::string& name, int width, int rows_per_chunk, int deflate,
         Numbers numbers = Numbers::real);

  // At most rows_per_chunk rows may be appended between two calls of flush().
  void append(const double* row) {
    for (int i = 0; i < entries(); ++i) buffer_[used_++] = row[i];
  }
  void append(double value) { append(&value); }
  int buffered() const { return static_cast<int>(used_) / entries(); }
  void flush();  // writes buffered rows into the data set
  hid_t id() const { return data_; }

 private:
  int entries() const { return width_ == 0 ? 1 : width_; }

  Handle data_;
  std::string name_;
  int width_;
  hsize_t written_ = 0;
  size_t used_ = 0;
  std::vector<double> buffer_;
};

}  // namespace tappet::hdf5
