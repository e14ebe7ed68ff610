// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "record/result_source.h"
#include "report/found_pairs.h"
#include "report/page_arrays.h"
#include "system/system.h"

namespace tappet {

// The scene of the page at the given samples. It is drawn from the draw section of the model, or with shapes that are
// guessed from its elements. If the model has too many points, samples are left out.
nlohmann::ordered_json scene(const System& system, const ResultSource& result, const FoundPairs& found,
                             std::span<const long> samples, PageArrays& arrays);

}  // namespace tappet
