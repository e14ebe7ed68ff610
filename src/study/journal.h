// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>

#include "study/worker.h"

namespace tappet {

// A file to which the outcome of each finished run is appended. If the program is killed, every record that was written
// completely can be read again; a record that was cut off is recognised by its checksum and dropped. The order of the
// records does not matter.
class Journal {
 public:
  // Opens the journal of a study for writing, after its last complete record. Throws a std::runtime_error if it cannot
  // be written, if another program writes to it, or if it belongs to another study.
  Journal(const std::filesystem::path& file, const std::string& fingerprint);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  void append(long run, const StudyOutcome& outcome);  // may be called by several threads
  void flush();                                        // afterwards all records are on the disk

 private:
  void write_out();  // what is in the buffer

  const std::filesystem::path file_;
  int descriptor_ = -1;
  std::mutex mutex_;
  std::string buffer_;
  std::chrono::steady_clock::time_point written_ = std::chrono::steady_clock::now();
};

// Calls f(run, outcome) for each complete record. Returns the number of bytes up to the end of the last one, or 0 if
// there is no such file. Throws a std::runtime_error if the file belongs to another study.
std::size_t read_journal(const std::filesystem::path& file, const std::string& fingerprint,
                         const std::function<void(long, StudyOutcome&&)>& f);

}  // namespace tappet
