// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "record/hdf5/hdf5_column.h"
#include "record/sample.h"

namespace tappet::hdf5 {

// The group /found/contacts of a result file. It holds the contacts between colliders that touch, sample after sample,
// with one data set per quantity. `offset` gives the index of the first contact of each sample.
class FoundColumns {
 public:
  FoundColumns(hid_t found, const Layout& layout, int rows_per_chunk, int deflate);

  void append(const std::vector<FoundContact>& touching);
  void flush();

 private:
  FoundColumns(const Handle& group, int rows_per_chunk, int deflate);

  static constexpr int chunk = 4096;  // contacts
  Column offset_;
  std::vector<Column> columns_;
  double written_ = 0;  // contacts so far
};

}  // namespace tappet::hdf5
