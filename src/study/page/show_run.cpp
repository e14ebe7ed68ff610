// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "study/page/show_run.h"

#include <fmt/format.h>

#include "report/report.h"
#include "study/page/settings.h"

namespace tappet {

std::filesystem::path shown_folder(const std::filesystem::path& folder, long run) {
  return folder / fmt::format("run-{}", run);
}

Summary show_run(const std::filesystem::path& folder, long run, RunListener* listener, const std::atomic<bool>* stop) {
  StoredRun stored = stored_run(folder, run);
  stored.options.out = shown_folder(folder, run), stored.options.keep = false;
  stored.options.listener = listener, stored.options.stop = stop;
  Summary summary = simulate(std::move(stored.model), stored.options).summary;
  write_report(stored.options.out);
  return summary;
}

}  // namespace tappet
