// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "files/hdf5_file.h"

namespace tappet {

// result.h5, opened for reading. Numbers are read block by block, so a long run only needs memory for what is asked
// for. Throws a std::runtime_error if the file was not written by Tappet.
class ResultFile {
 public:
  // The data set `index` has one row per sample. In the file of a study this is "status", and a sample is a run.
  explicit ResultFile(const std::filesystem::path& file, const std::string& index = "t");

  long samples() const { return samples_; }  // recorded steps and the start
  bool has(const std::string& data) const;
  int width(const std::string& data) const;         // the number of values per sample
  long length(const std::string& data) const;       // the number of rows; in most data sets the number of samples
  std::string text(const std::string& data) const;  // "" if absent
  std::string attribute(const std::string& name) const;
  double number(const std::string& name) const;  // attribute of the file; 0 if absent
  // The names of the numbers of a sample; empty if the file has none.
  std::vector<std::string> names(const std::string& data) const;
  std::vector<std::string> units(const std::string& data) const;

  // The names of the contacts or joints of which the file holds numbers: groups("contacts"), groups("joints").
  std::vector<std::string> groups(const std::string& parent) const;

  // All numbers of the samples with these ascending indices, one sample after the other.
  std::vector<double> rows(const std::string& data, std::span<const long> which) const;
  // The events that the scheme listed, in the order of time; empty if it lists none.
  struct ListedEvent {
    double t;
    std::string kind, contact;
  };
  std::vector<ListedEvent> events() const;
  // One number of every sample, or of a range of samples.
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
