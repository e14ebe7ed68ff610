// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "record/hdf5/result_file.h"
#include "report/found_pairs.h"
#include "report/page_arrays.h"
#include "system/system.h"

namespace tappet {

// The scene of the page: what the model's draw section says, or shapes guessed from its elements, at the given samples,
// thinned where the model has so many points that all would not fit.
nlohmann::ordered_json scene(const System& system, const ResultFile& result, const FoundPairs& found,
                             std::span<const long> samples, PageArrays& arrays);

}  // namespace tappet
