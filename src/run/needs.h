// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "record/recorder.h"

namespace tappet {

// What a run will need, as far as it is known before the first step.
struct RunNeeds {
  double samples = 0;           // number of recorded steps
  double bytes_per_sample = 0;  // in result.h5, not compressed; found contacts are not counted
  double kept_per_sample = 0;   // in memory

  double disk() const { return samples * bytes_per_sample; }
  double memory() const { return samples * kept_per_sample; }
};

// The size of a sample if only these groups and contacts are recorded; everything if the list is empty.
double bytes_per_sample(const Layout& layout, const std::vector<std::string>& only);

// Throws UsageError if the run would write more than the disk of `folder` has free, or keep more than the machine has
// memory. `folder` need not exist yet. It may be empty, and then nothing is written.
void check_needs(const RunNeeds& needs, const std::filesystem::path& folder);

// "4.2 TB"
std::string size_text(double bytes);
// "12 s", "3 min", "2.1 h", "11 days", "4 years"
std::string duration_text(double seconds);

}  // namespace tappet
