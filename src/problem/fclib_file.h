// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "files/hdf5_file.h"

namespace tappet {

// The coordinates of a sparse matrix as they were read. Indices are checked, and duplicates are allowed.
struct Triplets {
  int rows = 0, columns = 0;
  std::vector<int> row, column;
  std::vector<double> value;
};

// A file in the layout of FCLIB, for reading. Errors are ProblemFileErrors that name the file and the data set.
class FclibReader {
 public:
  explicit FclibReader(std::string path);

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
  hdf5::Handle file_;
};

class FclibWriter {
 public:
  explicit FclibWriter(std::string path);

  void group(const std::string& name);
  void integers(const std::string& name, const std::vector<int>& values);
  void numbers(const std::string& name, const std::vector<double>& values);
  void text(const std::string& name, const std::string& value);

 private:
  template <class Write>
  void checked(const std::string& name, Write&& write) const;

  std::string path_;
  hdf5::Handle file_;
};

}  // namespace tappet
