// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

#include "studio/http/page_server.h"

namespace tappet::studio {

// Serves the page of a finished study. A run that is selected there is carried out again, and its report page is shown
// below the plot. One run is computed at a time: a new selection ends the run before it.
class StudyViewer {
 public:
  StudyViewer(std::filesystem::path folder, int port);  // port 0: any free one; throws UsageError

  PageServer& http() { return http_; }
  void stop();  // ends the run that is being computed, and the server

 private:
  using Stop = std::shared_ptr<std::atomic<bool>>;

  PageReply answer(const PageRequest& request);
  PageReply run(const std::string& number);
  Stop replace_running(Stop next);

  std::filesystem::path folder_;
  std::mutex computes_, changes_running_;
  Stop running_;  // the flag that ends the run of the last request
  PageServer http_;
};

}  // namespace tappet::studio
