// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>

#include "judge/plot.h"
#include "judge/reproduce.h"

namespace tappet {

// A figure of an example that needs more than its own runs, such as a study.
struct GalleryFigure {
  std::string name;           // of the file, without extension
  std::string text, command;  // what it shows, and how to compute it
  Plot plot;
};

struct GalleryOptions {
  // whether to draw every mechanism from its report page (needs Chromium); otherwise existing pictures are kept
  bool pictures = false;
  std::string only = {};  // the name of an example: only its page is written; empty: all of them
  ReproduceOptions reproduce;
  std::function<std::vector<GalleryFigure>(const std::string& model)> figures = {};  // further ones of an example
};

// Writes a page for every example: the system, how to run it, its published figures redrawn, and the verdicts. The
// pages are FOLDER/<model>.md with plots beside them, and FOLDER/README.md lists them. Pages and plots of an earlier
// gallery that no longer belong to it are removed. Returns the verdicts.
std::vector<Reproduced> write_gallery(const std::filesystem::path& folder, const GalleryOptions& options = {});

}  // namespace tappet
