// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <filesystem>

#include "record/summary.h"

namespace tappet {

struct RunListener;

// Carries out one run of a study again, records it into the folder run-RUN beside study.h5, and writes its report page.
// Throws as stored_run() does.
Summary show_run(const std::filesystem::path& folder, long run, RunListener* listener, const std::atomic<bool>* stop);

std::filesystem::path shown_folder(const std::filesystem::path& folder, long run);

}  // namespace tappet
