// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

#include "study/results.h"

namespace tappet {

// Limits of the page. Beyond them it holds a part of the study and says so; study.h5 always holds everything.
struct StudyPageLimits {
  long numbers = 8'000'000;                  // of parameters and measures with one value, all runs together
  long series = 4'000'000;                   // of measures with many values, all runs together
  long exact_runs = 200'000;                 // with more runs, random parameters are stored in single precision
  long messages = 5'000, texts = 2'000'000;  // of failed runs: how many, and their characters
};

// Writes the page that shows a study, one HTML file without requests to the network. `found` is what a search found:
// "thresholds", "quantile" or "fit", or empty. Returns false, and writes nothing, if the program was built without
// pages. Throws a std::runtime_error if the file cannot be written.
bool write_study_page(const StudyResults& results, const nlohmann::ordered_json& found,
                      const std::filesystem::path& file, const StudyPageLimits& limits = {});

}  // namespace tappet
