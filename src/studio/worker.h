// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "studio/limits.h"

namespace tappet::studio {

// The process that computes for one page. It reads requests from standard input and answers on standard output until
// the input ends. A request {"stop": id} ends the run of the request with that id after its present step. `folder` is
// for its results. It exceeds neither the limits nor the folder of the model, and if it crashes, the server starts
// another one.
int work(const std::filesystem::path& folder, const Limits& limits);

}  // namespace tappet::studio
