// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "record/hdf5/found_columns.h"
#include "record/hdf5/quantities.h"
#include "record/recorder.h"

namespace tappet::hdf5 {

// What result.h5 holds besides the numbers of the samples.
struct ResultContents {
  Layout layout;
  RunHeader header;
  Hdf5Options options;
  std::vector<RecordedEvent> events = {};
  std::vector<ForceDerivative> derivatives = {};

  bool has_found_contacts() const;  // whether contacts between colliders are recorded one by one
};

// Writes one result file from beginning to end. The bytes of the file depend on its contents alone.
class ResultWriter {
 public:
  ResultWriter(const std::filesystem::path& file, const ResultContents& contents, const Quantities& quantities);

  void append(const double* row);            // of Quantities
  void append_found(const double* contact);  // FoundColumns::numbers numbers
  void start_found(double offset);           // of the next sample
  void close();

 private:
  void write_header(const RunHeader& header);
  hid_t group(const std::string& path);
  void add_columns(const Quantities& quantities);
  void write_names(hid_t data, const char* name, const std::vector<std::string>& names,
                   const std::vector<std::string>& units);
  void write_events();
  void write_force_derivatives();
  void flush();

  const ResultContents& contents_;
  Handle file_;
  int rows_per_chunk_;
  std::map<std::string, Handle> groups_;
  std::vector<Column> columns_;
  std::vector<int> entries_;
  std::optional<FoundColumns> found_;
};

}  // namespace tappet::hdf5
