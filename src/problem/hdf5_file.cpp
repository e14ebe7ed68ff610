// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "problem/hdf5_file.h"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <type_traits>

#include "problem/fclib.h"

namespace tappet {

Hdf5Reader::Hdf5Reader(std::string path) : path_(std::move(path)) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // our errors say more than the library's stack
  std::error_code code;
  if (!std::filesystem::exists(path_, code)) fail("", "no such file");
  if (std::filesystem::is_directory(path_, code)) fail("", "is a directory, expected an HDF5 file");
  if (H5Fis_hdf5(path_.c_str()) <= 0) fail("", "not an HDF5 file");
  file_ = H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file_ < 0) fail("", "HDF5 cannot open it; the file may be truncated");
}

Hdf5Reader::~Hdf5Reader() {
  if (file_ >= 0) H5Fclose(file_);
}

void Hdf5Reader::fail(const std::string& where, const std::string& what) const {
  throw ProblemFileError(where.empty() ? fmt::format("{}: {}", path_, what)
                                       : fmt::format("{}: {}: {}", path_, where, what));
}

bool Hdf5Reader::has(const std::string& name) const {
  for (size_t end = name.find('/', 1);; end = name.find('/', end + 1)) {  // every parent must exist
    if (H5Lexists(file_, name.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) return true;
  }
}

template <class T>
std::vector<T> Hdf5Reader::read(const std::string& name) const {
  const H5T_class_t kind = std::is_same_v<T, int> ? H5T_INTEGER : H5T_FLOAT;
  const hid_t type = std::is_same_v<T, int> ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE;
  const char* expected = kind == H5T_INTEGER ? "integers" : "floating-point numbers";
  if (!has(name)) fail(name, fmt::format("missing, expected a data set of {}", expected));
  const hid_t set = H5Dopen2(file_, name.c_str(), H5P_DEFAULT);
  if (set < 0) fail(name, fmt::format("not a data set, expected one of {}", expected));
  const hid_t stored = H5Dget_type(set), space = H5Dget_space(set);
  const bool fits = H5Tget_class(stored) == kind;
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  std::vector<T> values(fits && count > 0 ? static_cast<size_t>(count) : 0);
  const herr_t status = !fits || count <= 0 ? 0 : H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Tclose(stored), H5Sclose(space), H5Dclose(set);
  if (!fits) fail(name, fmt::format("wrong type, expected {}", expected));
  if (count < 0 || status < 0) fail(name, "cannot be read; the file may be truncated");
  return values;
}

std::vector<int> Hdf5Reader::integers(const std::string& name) const { return read<int>(name); }

std::vector<double> Hdf5Reader::numbers(const std::string& name) const {
  auto values = read<double>(name);
  for (size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i])) fail(name, fmt::format("entry {} is {}, expected a finite number", i, values[i]));
  return values;
}

int Hdf5Reader::integer(const std::string& name) const {
  const auto values = integers(name);
  if (values.size() != 1) fail(name, fmt::format("has {} entries, expected 1", values.size()));
  return values[0];
}

Triplets Hdf5Reader::matrix(const std::string& group) const {
  Triplets T;
  if (!has(group)) fail(group, "missing, expected a matrix {m, n, nz, p, i, x}");
  T.rows = integer(group + "/m"), T.columns = integer(group + "/n");
  const int nz = integer(group + "/nz");
  if (T.rows < 0 || T.columns < 0)
    fail(group, fmt::format("is {} × {}, expected sizes of 0 or more", T.rows, T.columns));
  if (nz < -2) fail(group + "/nz", fmt::format("is {}, expected -2 (rows), -1 (columns) or a count", nz));
  T.value = numbers(group + "/x");
  auto p = integers(group + "/p"), i = integers(group + "/i");
  const auto in_range = [&](const std::vector<int>& index, int limit, const char* name) {
    for (size_t k = 0; k < index.size(); ++k)
      if (index[k] < 0 || index[k] >= limit)
        fail(group + name, fmt::format("entry {} is {}, expected 0 … {}", k, index[k], limit - 1));
  };
  if (nz >= 0) {
    const size_t count = static_cast<size_t>(nz);
    if (p.size() < count || i.size() < count || T.value.size() < count)
      fail(group, fmt::format("nz = {} but p, i, x have {}, {}, {} entries", nz, p.size(), i.size(), T.value.size()));
    p.resize(count), i.resize(count), T.value.resize(count);
    in_range(i, T.rows, "/i"), in_range(p, T.columns, "/p");
    T.row = std::move(i), T.column = std::move(p);
    return T;
  }
  const int outer = nz == -2 ? T.rows : T.columns, inner = nz == -2 ? T.columns : T.rows;
  if (p.size() != static_cast<size_t>(outer) + 1)
    fail(group + "/p", fmt::format("has {} entries, expected {}", p.size(), outer + 1));
  for (int k = 0; k < outer; ++k)
    if (p[0] != 0 || p[k + 1] < p[k]) fail(group + "/p", fmt::format("does not ascend from 0 (entry {})", k));
  const size_t count = static_cast<size_t>(p[outer]);
  if (i.size() < count || T.value.size() < count)
    fail(group, fmt::format("p ends at {} but i, x have {}, {} entries", count, i.size(), T.value.size()));
  i.resize(count), T.value.resize(count);
  in_range(i, inner, "/i");
  std::vector<int> expanded(count);
  for (int k = 0; k < outer; ++k) std::fill(expanded.begin() + p[k], expanded.begin() + p[k + 1], k);
  T.row = nz == -2 ? std::move(expanded) : i;
  T.column = nz == -2 ? std::move(i) : std::move(expanded);
  return T;
}

Hdf5Writer::Hdf5Writer(std::string path) : path_(std::move(path)) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  file_ = H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (file_ < 0) throw ProblemFileError(fmt::format("{}: cannot be written", path_));
}

Hdf5Writer::~Hdf5Writer() { H5Fclose(file_); }

void Hdf5Writer::group(const std::string& name) {
  H5Gclose(H5Gcreate2(file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

void Hdf5Writer::write(const std::string& name, std::int64_t file_type, std::int64_t type, size_t count,
                       const void* data) {
  const hsize_t extent[1] = {count};
  const hid_t space = H5Screate_simple(1, extent, nullptr);
  const hid_t set = H5Dcreate2(file_, name.c_str(), file_type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const herr_t status = count > 0 ? H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) : 0;
  H5Dclose(set), H5Sclose(space);
  if (status < 0) throw ProblemFileError(fmt::format("{}: {}: cannot be written", path_, name));
}

void Hdf5Writer::integers(const std::string& name, const std::vector<int>& values) {
  write(name, H5T_STD_I32LE, H5T_NATIVE_INT, values.size(), values.data());
}

void Hdf5Writer::numbers(const std::string& name, const std::vector<double>& values) {
  write(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.size(), values.data());
}

void Hdf5Writer::text(const std::string& name, const std::string& value) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, std::max<size_t>(value.size(), 1));
  const hid_t space = H5Screate(H5S_SCALAR);
  const hid_t set = H5Dcreate2(file_, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value.c_str());
  H5Dclose(set), H5Sclose(space), H5Tclose(type);
}

}  // namespace tappet
