// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "record/sample.h"
#include "steppers/stepper.h"

namespace tappet {

// Takes samples in the order of time. close() writes what is left, and must be called to learn of a
// failure to write: destructors close silently.
struct Recorder {
  virtual ~Recorder() = default;
  virtual void record(const Sample& sample) = 0;
  virtual void event(const RecordedEvent& event) {}
  virtual void force_derivatives(const std::vector<ForceDerivative>& list) {}  // before close()
  virtual void close() {}
};

// What stands in a result file beside the numbers.
struct RunHeader {
  std::string model = {}, title = {}, source = {}, model_text = {};
  std::string scheme = {};
  double dt = 0, end = 0;
  std::string settings = {};  // JSON: parameters after --set, options of the scheme, what was recorded
};

struct Hdf5Options {
  // Empty: everything. Else what is kept beside t and steps: q, u, energy, contacts, joints, found, or single contacts
  // and joints by name.
  std::vector<std::string> only = {};
  int deflate = 0;             // 0: none … 9
  int buffer_bytes = 8 << 20;  // memory of the buffers, over all columns
  double flush_seconds = 2.0;  // what is older stands in the file, whatever happens to the program

  void check() const;
};

// Throws std::invalid_argument that suggests the nearest name.
void check_names_to_record(const std::vector<std::string>& only, const Layout& layout);

// result.h5. The file is touched in bursts that each end with a flush: between them, also when the
// program is killed, it is complete and readable.
std::unique_ptr<Recorder> hdf5_recorder(const std::filesystem::path& file, const Layout& layout,
                                        const RunHeader& header, const Hdf5Options& options = {});

// One line a sample, numbers in the shortest form that reads back to the same bits.
std::unique_ptr<Recorder> csv_recorder(const std::filesystem::path& file, const Layout& layout);

// A name as one component of an HDF5 path: '/', '%' and names of dots alone become %XX.
std::string hdf5_name(const std::string& name);

}  // namespace tappet
