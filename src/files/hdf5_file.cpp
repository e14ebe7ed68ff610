// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/hdf5_file.h"

#include <cstdlib>
#include <new>
#include <stdexcept>

namespace tappet::hdf5 {

namespace {

Handle text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "text type");
  check(H5Tset_size(type, H5T_VARIABLE), "text type");
  check(H5Tset_cset(type, H5T_CSET_UTF8), "text type");
  return type;
}

Handle space_of(size_t count) {
  const hsize_t size = count;
  return {H5Screate_simple(1, &size, nullptr), H5Sclose, "data space"};
}

std::vector<const char*> pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> result;
  for (const auto& text : texts) result.push_back(text.c_str());
  return result;
}

Handle create_dataset(hid_t parent, const std::string& name, hid_t type, hid_t space) {
  const Handle creation = dataset_properties();
  return {H5Dcreate2(parent, name.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose,
          "create data set " + name};
}

void attribute(hid_t object, const std::string& name, hid_t type, hid_t space, const void* value) {
  const Handle created(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                       "create attribute " + name);
  check(H5Awrite(created, type, value), "write attribute " + name);
}

// HDF5 does not check whether it gets the memory of a new file, and crashes without it.
void require_memory() {
  constexpr size_t needed = 8 << 20;
  void* volatile reserve = std::malloc(needed);  // volatile: otherwise the compiler may leave the call out
  if (!reserve) throw std::bad_alloc();
  std::free(reserve);
}

}  // namespace

Handle::Handle(hid_t id, Closer closer, const std::string& what) : id_(id), closer_(closer) {
  if (id < 0) throw std::runtime_error("HDF5: cannot " + what);
}

herr_t Handle::close() { return id_ < 0 ? 0 : closer_(std::exchange(id_, -1)); }

void check(herr_t status, const std::string& what) {
  if (status < 0) throw std::runtime_error("HDF5: cannot " + what);
}

// Without memory the library cannot be started, and its functions crash. When a program ends, HDF5 would close the
// files that are still open. It crashes there if a file could not be closed before because the disk was full, and the
// exit code is lost. Tappet closes all its files itself, so HDF5 is told to do nothing then. This must happen before it
// starts.
void start() {
  [[maybe_unused]] static const herr_t told = H5dont_atexit();
  if (H5open() < 0) throw std::bad_alloc();
}

void be_silent() {
  start();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Handle without_cache() {
  start();
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "create a property list");
  check(H5Pset_cache(access, 0, 1, 0, 0.0), "set the cache of chunks");
  return access;
}

Handle create_file(const std::filesystem::path& file) {
  be_silent();
  require_memory();
  return {H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, without_cache()), H5Fclose, "write " + file.string()};
}

Handle dataset_properties() {
  Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "create a property list");
  check(H5Pset_obj_track_times(creation, false), "set times");
  return creation;
}

Handle create_group(hid_t parent, const std::string& name) {
  return {H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, "create group " + name};
}

void write_text(hid_t parent, const std::string& name, const std::string& text) {
  const Handle type = text_type(), space(H5Screate(H5S_SCALAR), H5Sclose, "data space");
  const Handle data = create_dataset(parent, name, type, space);
  const char* const value = text.c_str();
  check(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value), "write " + name);
}

void write_texts(hid_t parent, const std::string& name, const std::vector<std::string>& texts) {
  const Handle type = text_type(), space = space_of(texts.size());
  const Handle data = create_dataset(parent, name, type, space);
  if (!texts.empty())
    check(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers(texts).data()), "write " + name);
}

void write_numbers(hid_t parent, const std::string& name, std::span<const double> values) {
  const Handle space = space_of(values.size());
  const Handle data = create_dataset(parent, name, H5T_IEEE_F64LE, space);
  if (!values.empty())
    check(H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "write " + name);
}

void write_integers(hid_t parent, const std::string& name, std::span<const int> values) {
  const Handle space = space_of(values.size());
  const Handle data = create_dataset(parent, name, H5T_STD_I32LE, space);
  if (!values.empty())
    check(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "write " + name);
}

void write_attribute(hid_t object, const std::string& name, const std::string& text) {
  const Handle type = text_type(), space(H5Screate(H5S_SCALAR), H5Sclose, "data space");
  const char* const value = text.c_str();
  attribute(object, name, type, space, &value);
}

void write_attribute(hid_t object, const std::string& name, double value) {
  attribute(object, name, H5T_NATIVE_DOUBLE, Handle(H5Screate(H5S_SCALAR), H5Sclose, "data space"), &value);
}

void write_attribute(hid_t object, const std::string& name, const std::vector<std::string>& texts) {
  const Handle type = text_type(), space = space_of(texts.size());
  attribute(object, name, type, space, texts.empty() ? nullptr : pointers(texts).data());
}

}  // namespace tappet::hdf5
