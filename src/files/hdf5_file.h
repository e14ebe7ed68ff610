// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hdf5.h>

#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tappet::hdf5 {

// An HDF5 identifier, which is closed by its destructor. Calls that fail throw a std::runtime_error with `what`.
class Handle {
 public:
  using Closer = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Closer closer, const std::string& what);
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), closer_(other.closer_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_), std::swap(closer_, other.closer_);
    return *this;
  }
  ~Handle() { close(); }

  operator hid_t() const { return id_; }
  bool open() const { return id_ >= 0; }
  herr_t close();

 private:
  hid_t id_ = -1;
  Closer closer_ = nullptr;
};

void check(herr_t status, const std::string& what);

// Starts HDF5. From then on it does nothing when the program ends: a program that opens files of its own with HDF5 must
// close them itself. If the program has used HDF5 before, this has no effect.
void start();

// The same. After this call the library no longer prints failures on stderr. They are reported as exceptions.
void be_silent();

Handle create_file(const std::filesystem::path& file);
// Data sets are read and written once, one chunk after the other. A cache of chunks would only take time to set up.
Handle without_cache();
Handle dataset_properties();  // no time stamps: the same run gives the same file
Handle create_group(hid_t parent, const std::string& name);

void write_text(hid_t parent, const std::string& name, const std::string& text);  // scalar UTF-8 dataset
void write_texts(hid_t parent, const std::string& name, const std::vector<std::string>& texts);
void write_numbers(hid_t parent, const std::string& name, std::span<const double> values);
void write_integers(hid_t parent, const std::string& name, std::span<const int> values);
void write_attribute(hid_t object, const std::string& name, const std::string& text);
void write_attribute(hid_t object, const std::string& name, double value);
void write_attribute(hid_t object, const std::string& name, const std::vector<std::string>& texts);

}  // namespace tappet::hdf5
