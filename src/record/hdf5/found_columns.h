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

  static constexpr int numbers = 15;  // of a contact: A, B, gap, gap_velocity, slip, P_N, P, point, normal
  static void take(const FoundContact& contact, double* numbers);

  void start_sample(double offset);    // the contacts before it
  void append(const double* contact);  // its numbers
  void flush();

 private:
  FoundColumns(const Handle& group, int rows_per_chunk, int deflate);

  static constexpr int chunk = 4096;  // contacts
  Column offset_;
  int rows_per_chunk_;
  std::vector<Column> columns_;
};

}  // namespace tappet::hdf5
