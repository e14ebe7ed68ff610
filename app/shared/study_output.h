// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "batch/batch.h"
#include "study/results.h"
#include "study/search/search.h"

// What `tappet study` prints.
void print_thresholds(const tappet::Study& study, const std::vector<tappet::FoundThreshold>& found);
void print_fit(const tappet::Study& study, const tappet::FoundFit& found);
void print_optimum(const tappet::Study& study, const tappet::FoundOptimum& found);
// The machine and the rate of a batch.
void print_report(const tappet::BatchReport& report);
// The spread of every measure, and how many runs failed; with `json` the same for scripts. `found` is what a search
// found.
void print_summary(const tappet::StudyResults& results, const nlohmann::ordered_json& found, bool json,
                   const std::filesystem::path& folder);
