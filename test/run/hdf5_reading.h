// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hdf5.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

// Reads a result file through the plain calls of the library, as a user would.
class Hdf5Reading {
 public:
  explicit Hdf5Reading(const std::filesystem::path& file) : file_(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)) {
    if (file_ < 0) throw std::runtime_error("not a readable HDF5 file: " + file.string());
  }
  ~Hdf5Reading() { H5Fclose(file_); }
  Hdf5Reading(const Hdf5Reading&) = delete;
  Hdf5Reading& operator=(const Hdf5Reading&) = delete;

  bool has(const std::string& name) const { return H5Lexists(file_, name.c_str(), H5P_DEFAULT) > 0; }

  std::vector<size_t> shape(const std::string& name) const {
    const hid_t data = open(name), space = H5Dget_space(data);
    hsize_t sizes[8];
    const int rank = H5Sget_simple_extent_dims(space, sizes, nullptr);
    H5Sclose(space), H5Dclose(data);
    return {sizes, sizes + rank};
  }

  std::vector<double> numbers(const std::string& name) const {
    std::vector<double> values(count(shape(name)));
    const hid_t data = open(name);
    const herr_t status = H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Dclose(data);
    if (status < 0) throw std::runtime_error("cannot read " + name);
    return values;
  }

  std::string text(const std::string& name) const { return texts(name).at(0); }
  std::vector<std::string> texts(const std::string& name) const {
    std::vector<char*> pointers(count(shape(name)));
    const hid_t data = open(name), type = text_type();
    H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data());
    H5Tclose(type), H5Dclose(data);
    return owned(pointers);
  }

  std::string text_attribute(const std::string& object, const std::string& name) const {
    return texts_attribute(object, name).at(0);
  }
  std::vector<std::string> texts_attribute(const std::string& object, const std::string& name) const {
    const hid_t attribute = H5Aopen_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0) throw std::runtime_error("no attribute " + name + " of " + object);
    const hid_t space = H5Aget_space(attribute), type = text_type();
    std::vector<char*> pointers(H5Sget_simple_extent_npoints(space));
    H5Aread(attribute, type, pointers.data());
    H5Tclose(type), H5Sclose(space), H5Aclose(attribute);
    return owned(pointers);
  }

 private:
  hid_t open(const std::string& name) const {
    const hid_t data = H5Dopen2(file_, name.c_str(), H5P_DEFAULT);
    if (data < 0) throw std::runtime_error("no data set " + name);
    return data;
  }
  static size_t count(const std::vector<size_t>& shape) {
    size_t n = 1;
    for (const size_t size : shape) n *= size;
    return n;
  }
  static hid_t text_type() {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE), H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
  }
  static std::vector<std::string> owned(const std::vector<char*>& pointers) {
    std::vector<std::string> result;
    for (char* pointer : pointers) {
      result.emplace_back(pointer ? pointer : "");
      H5free_memory(pointer);
    }
    return result;
  }

  hid_t file_;
};
