// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "files/hdf5_file.h"

namespace tappet {

// result.h5, opened for reading. Numbers are read block by block, so that a long run needs no more memory than what is
// asked for. Throws std::runtime_error where the file is not one of ours.
class ResultFile {
 public:
  explicit ResultFile(const std::filesystem::path& file);

  long samples() const { return samples_; }  // recorded steps and the start
  bool has(const std::string& data) const;
  int width(const std::string& data) const;         // numbers a sample
  long length(const std::string& data) const;       // rows; of most data sets as many as samples
  std::string text(const std::string& data) const;  // "" where absent
  std::string attribute(const std::string& name) const;
  double number(const std::string& name) const;  // attribute of the file; 0 where absent
  // Of the numbers of a sample; empty where the file does not say.
  std::vector<std::string> names(const std::string& data) const;
  std::vector<std::string> units(const std::string& data) const;

  // Samples by index, ascending: all their numbers, one sample after the other.
  std::vector<double> rows(const std::string& data, std::span<const long> which) const;
  // What the scheme listed, in the order of time; empty where it lists nothing.
  struct ListedEvent {
    double t;
    std::string kind, contact;
  };
  std::vector<ListedEvent> events() const;
  // One number of every sample, or of a stretch of them.
  std::vector<double> column(const std::string& data, int component = 0) const {
    return column(data, component, 0, samples_);
  }
  std::vector<double> column(const std::string& data, int component, long first, long count) const;

 private:
  template <class Take>
  void blocks(const std::string& data, long from, long to, Take&& take) const;
  std::vector<std::string> texts(hid_t object) const;  // of a data set or an attribute
  std::vector<std::string> listed(const std::string& data, const char* attribute) const;

  std::filesystem::path path_;
  hdf5::Handle file_;
  long samples_ = 0;
};

}  // namespace tappet
