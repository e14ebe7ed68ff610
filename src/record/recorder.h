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

// Takes samples in the order of time. close() writes what is left. Call it in order to learn of a failure to write,
// because destructors close silently.
struct Recorder {
  virtual ~Recorder() = default;
  virtual void record(const Sample& sample) = 0;
  virtual void event(const RecordedEvent& event) {}
  virtual void force_derivatives(const std::vector<ForceDerivative>& list) {}  // before close()
  virtual void close() {}
};

// What a result file holds in addition to the numbers.
struct RunHeader {
  std::string model = {}, title = {}, source = {}, model_text = {};
  std::string scheme = {};
  double dt = 0, end = 0;
  std::string settings = {};  // JSON: parameters after --set, options of the scheme, what was recorded
};

struct Hdf5Options {
  // If empty, everything is kept. Otherwise this lists what is kept in addition to t and steps: q, u, energy, contacts,
  // joints, found, or single contacts and joints by name.
  std::vector<std::string> only = {};
  int deflate = 0;             // 0: none … 9
  int buffer_bytes = 8 << 20;  // memory of the buffers, over all columns
  double flush_seconds = 2.0;  // older samples are already in the file, even if the program is killed

  void check() const;
};

// Throws a std::invalid_argument that suggests the nearest name.
void check_names_to_record(const std::vector<std::string>& only, const Layout& layout);

// Writes result.h5. The file is written in bursts, and each burst ends with a flush. Between two bursts it is complete
// and readable, even if the program is killed.
std::unique_ptr<Recorder> hdf5_recorder(const std::filesystem::path& file, const Layout& layout,
                                        const RunHeader& header, const Hdf5Options& options = {});

// Writes one line per sample, with numbers in the shortest form that is read back to the same bits.
std::unique_ptr<Recorder> csv_recorder(const std::filesystem::path& file, const Layout& layout);

// Turns a name into one component of an HDF5 path. '/', '%' and names that only consist of dots become %XX.
std::string hdf5_name(const std::string& name);

}  // namespace tappet
