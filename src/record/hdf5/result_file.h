// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "files/hdf5_file.h"
#include "record/result_source.h"

namespace tappet {

// result.h5, opened for reading. Numbers are read block by block, so a long run only needs memory for what is asked
// for. Throws a std::runtime_error if the file was not written by Tappet.
class ResultFile final : public ResultSource {
 public:
  // The data set `index` has one row per sample. In the file of a study this is "status", and a sample is a run.
  explicit ResultFile(const std::filesystem::path& file, const std::string& index = "t");

  long samples() const override { return samples_; }
  bool has(const std::string& data) const override;
  int width(const std::string& name) const override;
  long length(const std::string& name) const override;
  std::string text(const std::string& data) const override;
  std::string attribute(const std::string& name) const override;
  double number(const std::string& name) const override;
  std::vector<std::string> names(const std::string& data) const override;
  std::vector<std::string> units(const std::string& data) const override;
  std::vector<double> rows(const std::string& data, std::span<const long> which) const override;
  using ResultSource::column;
  std::vector<double> column(const std::string& data, int component, long first, long count) const override;
  std::vector<ListedEvent> events() const override;

  // The names of the contacts or joints of which the file holds numbers: groups("contacts"), groups("joints").
  std::vector<std::string> groups(const std::string& parent) const;

 private:
  template <class Take>
  void blocks(const std::string& name, long from, long to, Take&& take) const;
  // A data set stays open, because the same ones are asked for again and again.
  struct Data {
    hdf5::Handle object;
    long rows;
    int width;
  };
  const Data& data(const std::string& name) const;
  std::vector<std::string> texts(hid_t object) const;  // of a data set or an attribute
  std::vector<std::string> listed(const std::string& data, const char* attribute) const;

  std::filesystem::path path_;
  hdf5::Handle file_;
  mutable std::map<std::string, Data> open_;
  long samples_ = 0;
};

}  // namespace tappet
