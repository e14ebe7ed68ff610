// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "record/result_file.h"
#include "system/system.h"

namespace tappet {

// One curve of the page: a number of a data set of the result file.
struct Series {
  std::string name, unit, group;  // groups: docs/report-format.md
  int contact = -1;
  std::string data;
  int component = 0;
};

// Everything worth a curve. Of systems with more coordinates than a person looks at, some, evenly spread; of many
// contacts those listed in `contacts`. Forces that a scheme does not tell apart (zero throughout) are left out.
std::vector<Series> series_of(const System& system, const ResultFile& result, const std::vector<int>& contacts);

}  // namespace tappet
