// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "run/simulate.h"

namespace tappet {

// The file `checkpoint` in the folder of a run: when it is written, and what becomes of it.
class Checkpoints {
 public:
  static constexpr const char* description = "run.json";

  Checkpoints(std::filesystem::path folder, const CheckpointRule& rule);

  bool is_due(long step);
  void give_up() { folder_.clear(); }  // the run cannot be archived
  void write(long step, const std::string& bytes);
  std::optional<std::string> read() const;  // nothing if there is none
  // Removes everything that only serves to resume the run in this folder.
  static void remove(const std::filesystem::path& folder);

 private:
  std::filesystem::path folder_;
  CheckpointRule rule_;
  long last_step_ = 0;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// Reads "60s", "5min", or a number of steps. Throws UsageError.
CheckpointRule checkpoint_rule(const std::string& text);

}  // namespace tappet
