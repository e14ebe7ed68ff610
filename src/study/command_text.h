// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tappet {

// A study as the command line gives it. It is turned into the text of a file, so both are read in the same way, and the
// file is kept with the results.
struct StudyText {
  std::string model;
  std::vector<std::string> vary, measure;  // "mu=0:1:11", "deepest=max:violation"
  std::string samples, sampling, seed, scheme, dt, end;
  std::vector<std::pair<std::string, std::string>> set, options;

  bool empty() const { return vary.empty() && measure.empty(); }
};

std::string to_text(const StudyText& study);  // throws UsageError

}  // namespace tappet
