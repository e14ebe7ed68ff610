// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "study/results.h"

// What the commands study and batch have in common: progress, and the files they write.

// Shows the number of runs that are done, their rate and the time left.
class StudyProgress {
 public:
  explicit StudyProgress(bool quiet);
  std::function<void(long, long, long)> listener();
  void clear() const;

 private:
  void show(long done, long all, long failed);

  bool shown_;
  long before_ = -1;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

void write_text(const std::filesystem::path& file, const std::string& text);
void write_results(const tappet::StudyResults& results, const std::filesystem::path& folder);
// The page is only a view of the results. If it cannot be written, the results must not be lost.
void write_page(const tappet::StudyResults& results, const nlohmann::ordered_json& found,
                const std::filesystem::path& folder, bool quiet);
