// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "judge/reproduce.h"

namespace tappet {

struct GalleryOptions {
  // whether to draw every mechanism from its report page (needs Chromium); otherwise existing pictures are kept
  bool pictures = false;
  ReproduceOptions reproduce;
};

// Writes a page for every example: the system, how to run it, its published figures redrawn, and the verdicts. The
// pages are FOLDER/<model>.md with plots beside them, and FOLDER/README.md lists them. Pages and plots of an earlier
// gallery that no longer belong to it are removed. Returns the verdicts.
std::vector<Reproduced> write_gallery(const std::filesystem::path& folder, const GalleryOptions& options = {});

}  // namespace tappet
