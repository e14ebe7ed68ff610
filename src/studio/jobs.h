// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <filesystem>

#include "studio/frames.h"
#include "studio/limits.h"
#include "studio/shown_run.h"

namespace tappet::studio {

// The work of a page: runs, checks and exports of the text that the page sends. No call throws. An error in the
// model is an answer {"errors": [{line, column, key, message}]}.
class Jobs {
 public:
  // `tell` receives the progress of a run and its motion so far, before the answer.
  Jobs(std::filesystem::path folder, const Limits& limits, const std::atomic<bool>& stop, Tell tell)
      : folder_(std::move(folder)), limits_(limits), stop_(stop), tell_(std::move(tell)) {}

  Frame answer(const Json& request);

 private:
  Frame run(const Json& request);
  Frame check(const Json& request);
  Frame write_file(const Json& request);

  std::filesystem::path folder_;
  Limits limits_;
  const std::atomic<bool>& stop_;
  Tell tell_;
};

}  // namespace tappet::studio
