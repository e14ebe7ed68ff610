// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "judge/reproduce.h"

namespace tappet {

struct GalleryOptions {
  bool pictures = false;  // of every mechanism, from its report page (needs Chromium); else those that are there stay
  ReproduceOptions reproduce;
};

// Writes a page for every example that ships (the system, how to run it, its published figures redrawn, the verdicts)
// as FOLDER/<model>.md with plots beside it, and FOLDER/README.md, which lists them. Pages and plots of an earlier
// gallery that no longer belong to it are removed. Returns the verdicts.
std::vector<Reproduced> write_gallery(const std::filesystem::path& folder, const GalleryOptions& options = {});

}  // namespace tappet
