// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>

#include "studio/frames.h"
#include "studio/limits.h"

namespace tappet::studio {

// The work of a page: runs, checks and exports of the text that the page sends. No call throws. An error in the
// model is an answer {"errors": [{line, column, key, message}]}.
class Jobs {
 public:
  using Progress = std::function<void(long step, long steps, double t)>;

  Jobs(std::filesystem::path folder, const Limits& limits, const std::atomic<bool>& stop, Progress progress)
      : folder_(std::move(folder)), limits_(limits), stop_(stop), progress_(std::move(progress)) {}

  Frame answer(const nlohmann::ordered_json& request);

 private:
  Frame run(const nlohmann::ordered_json& request);
  Frame check(const nlohmann::ordered_json& request);
  Frame write_file(const nlohmann::ordered_json& request);

  std::filesystem::path folder_;
  Limits limits_;
  const std::atomic<bool>& stop_;
  Progress progress_;
};

}  // namespace tappet::studio
