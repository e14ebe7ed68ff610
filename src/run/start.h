// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "model/model.h"

namespace tappet {

// The last state of the run in `folder`, as a start for `model`. It is read from summary.json, or from result.h5 if the
// model is so large that the summary leaves the state out. Throws a UsageError if there is no such run, if it has other
// coordinates than the model, or if one of its numbers is not finite.
StartState start_of(const std::filesystem::path& folder, const Model& model);

}  // namespace tappet
