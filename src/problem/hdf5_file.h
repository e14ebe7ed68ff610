// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tappet {

// Coordinates of a sparse matrix as read: checked indices, duplicates allowed.
struct Triplets {
  int rows = 0, columns = 0;
  std::vector<int> row, column;
  std::vector<double> value;
};

// Reading with errors that name the file and the data set; throws ProblemFileError.
class Hdf5Reader {
 public:
  explicit Hdf5Reader(std::string path);
  ~Hdf5Reader();
  Hdf5Reader(const Hdf5Reader&) = delete;
  Hdf5Reader& operator=(const Hdf5Reader&) = delete;

  bool has(const std::string& name) const;
  int integer(const std::string& name) const;
  std::vector<int> integers(const std::string& name) const;
  std::vector<double> numbers(const std::string& name) const;  // all finite
  Triplets matrix(const std::string& group) const;
  [[noreturn]] void fail(const std::string& where, const std::string& what) const;

 private:
  template <class T>
  std::vector<T> read(const std::string& name) const;

  std::string path_;
  std::int64_t file_ = -1;  // hid_t
};

class Hdf5Writer {
 public:
  explicit Hdf5Writer(std::string path);
  ~Hdf5Writer();
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;

  void group(const std::string& name);
  void integers(const std::string& name, const std::vector<int>& values);
  void numbers(const std::string& name, const std::vector<double>& values);
  void text(const std::string& name, const std::string& value);

 private:
  void write(const std::string& name, std::int64_t file_type, std::int64_t type, size_t count, const void* data);
  std::string path_;
  std::int64_t file_ = -1;  // hid_t
};

}  // namespace tappet
