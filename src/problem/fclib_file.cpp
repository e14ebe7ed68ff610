// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "problem/fclib_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <type_traits>

#include "problem/fclib.h"

namespace tappet {

FclibReader::FclibReader(std::string path) : path_(std::move(path)) {
  hdf5::be_silent();
  std::error_code code;
  if (!std::filesystem::exists(path_, code)) fail("", "no such file");
  if (std::filesystem::is_directory(path_, code)) fail("", "is a directory, expected an HDF5 file");
  if (H5Fis_hdf5(path_.c_str()) <= 0) fail("", "not an HDF5 file");
  const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) fail("", "HDF5 cannot open it; the file may be truncated");
  file_ = hdf5::Handle(file, H5Fclose, "open " + path_);
}

void FclibReader::fail(const std::string& where, const std::string& what) const {
  throw ProblemFileError(where.empty() ? fmt::format("{}: {}", path_, what)
                                       : fmt::format("{}: {}: {}", path_, where, what));
}

bool FclibReader::has(const std::string& name) const {
  for (size_t end = name.find('/', 1);; end = name.find('/', end + 1)) {  // every parent must exist
    if (H5Lexists(file_, name.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) return true;
  }
}

template <class T>
std::vector<T> FclibReader::read(const std::string& name) const {
  const H5T_class_t kind = std::is_same_v<T, int> ? H5T_INTEGER : H5T_FLOAT;
  const hid_t type = std::is_same_v<T, int> ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE;
  const char* expected = kind == H5T_INTEGER ? "integers" : "floating-point numbers";
  if (!has(name)) fail(name, fmt::format("missing, expected a data set of {}", expected));
  const hid_t opened = H5Dopen2(file_, name.c_str(), H5P_DEFAULT);
  if (opened < 0) fail(name, fmt::format("not a data set, expected one of {}", expected));
  const hdf5::Handle set(opened, H5Dclose, "open " + name), stored(H5Dget_type(set), H5Tclose, "read the type"),
      space(H5Dget_space(set), H5Sclose, "read the size");
  const bool fits = H5Tget_class(stored) == kind;
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  std::vector<T> values(fits && count > 0 ? static_cast<size_t>(count) : 0);
  const herr_t status = !fits || count <= 0 ? 0 : H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  if (!fits) fail(name, fmt::format("wrong type, expected {}", expected));
  if (count < 0 || status < 0) fail(name, "cannot be read; the file may be truncated");
  return values;
}

std::vector<int> FclibReader::integers(const std::string& name) const { return read<int>(name); }

std::vector<double> FclibReader::numbers(const std::string& name) const {
  auto values = read<double>(name);
  for (size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i])) fail(name, fmt::format("entry {} is {}, expected a finite number", i, values[i]));
  return values;
}

int FclibReader::integer(const std::string& name) const {
  const auto values = integers(name);
  if (values.size() != 1) fail(name, fmt::format("has {} entries, expected 1", values.size()));
  return values[0];
}

Triplets FclibReader::matrix(const std::string& group) const {
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

FclibWriter::FclibWriter(std::string path) : path_(std::move(path)) {
  try {
    file_ = hdf5::create_file(path_);
  } catch (const std::runtime_error&) {
    throw ProblemFileError(fmt::format("{}: cannot be written", path_));
  }
}

template <class Write>
void FclibWriter::checked(const std::string& name, Write&& write) const try {
  write();
} catch (const std::runtime_error&) {
  throw ProblemFileError(fmt::format("{}: {}: cannot be written", path_, name));
}

void FclibWriter::group(const std::string& name) {
  checked(name, [&] { hdf5::create_group(file_, name); });
}

void FclibWriter::integers(const std::string& name, const std::vector<int>& values) {
  checked(name, [&] { hdf5::write_integers(file_, name, values); });
}

void FclibWriter::numbers(const std::string& name, const std::vector<double>& values) {
  checked(name, [&] { hdf5::write_numbers(file_, name, values); });
}

// FCLIB reads texts of a fixed length.
void FclibWriter::text(const std::string& name, const std::string& value) {
  checked(name, [&] {
    const hdf5::Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "text type");
    hdf5::check(H5Tset_size(type, std::max<size_t>(value.size(), 1)), "text type");
    const hdf5::Handle space(H5Screate(H5S_SCALAR), H5Sclose, "data space");
    const hdf5::Handle set(H5Dcreate2(file_, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                           H5Dclose, "create " + name);
    hdf5::check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value.c_str()), "write " + name);
  });
}

}  // namespace tappet
