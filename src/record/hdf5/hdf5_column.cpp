// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "record/hdf5/hdf5_column.h"

#include <algorithm>

namespace tappet::hdf5 {

Column::Column(hid_t parent, const std::string& name, int width, int rows_per_chunk, int deflate, Numbers numbers)
    : name_(name), width_(width) {
  const int rank = width == 0 ? 1 : 2;
  const hsize_t none[] = {0, static_cast<hsize_t>(width)}, unlimited[] = {H5S_UNLIMITED, static_cast<hsize_t>(width)};
  const hsize_t chunk[] = {static_cast<hsize_t>(rows_per_chunk), static_cast<hsize_t>(width)};
  const Handle space(H5Screate_simple(rank, none, unlimited), H5Sclose, "data space");
  const Handle creation = dataset_properties();
  const Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose, "create a property list");
  check(H5Pset_chunk(creation, rank, chunk), "set chunks of " + name);
  if (deflate > 0) {
    check(H5Pset_shuffle(creation), "set shuffle of " + name);
    check(H5Pset_deflate(creation, deflate), "set deflate of " + name);
  }
  // Whole chunks are written at once, so a cache of chunks would only take memory.
  check(H5Pset_chunk_cache(access, 0, 0, 0), "set chunk cache of " + name);
  const hid_t type = numbers == Numbers::int32   ? H5T_STD_I32LE
                     : numbers == Numbers::int64 ? H5T_STD_I64LE
                                                 : H5T_IEEE_F64LE;
  data_ = Handle(H5Dcreate2(parent, name.c_str(), type, space, H5P_DEFAULT, creation, access), H5Dclose,
                 "create data set " + name);
  buffer_.resize(static_cast<size_t>(rows_per_chunk) * entries());
}

void Column::flush() {
  const hsize_t rows = buffered();
  if (rows == 0) return;
  const int rank = width_ == 0 ? 1 : 2;
  const hsize_t total[] = {written_ + rows, static_cast<hsize_t>(width_)};
  check(H5Dset_extent(data_, total), "extend " + name_);
  if (std::any_of(buffer_.begin(), buffer_.begin() + used_, [](double x) { return !(x == 0.0); })) {
    const hsize_t start[] = {written_, 0}, count[] = {rows, static_cast<hsize_t>(width_)};
    const Handle file(H5Dget_space(data_), H5Sclose, "data space of " + name_);
    const Handle memory(H5Screate_simple(rank, count, nullptr), H5Sclose, "data space");
    check(H5Sselect_hyperslab(file, H5S_SELECT_SET, start, nullptr, count, nullptr), "select rows of " + name_);
    check(H5Dwrite(data_, H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT, buffer_.data()), "write " + name_);
  }
  written_ += rows;
  used_ = 0;
}

}  // namespace tappet::hdf5
