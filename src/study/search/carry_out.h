// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "study/search/search.h"

namespace tappet {

// What the search of a study found. A study without a search finds nothing.
struct FoundBySearch {
  std::vector<FoundThreshold> thresholds;
  std::optional<FoundFit> fit;
  std::optional<FoundOptimum> optimum;
  std::optional<FoundQuantile> quantile;
};

// Carries out all runs of a study, with its search if it has one. Throws StudyStopped if a search is to stop.
FoundBySearch carry_out(const Study& study, const StudyOptions& options, StudyResults& results);

nlohmann::ordered_json to_json(const FoundBySearch& found);  // null if nothing was found

}  // namespace tappet
