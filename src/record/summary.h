// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "record/recorder.h"

namespace tappet {

nlohmann::ordered_json to_json(const Summary& summary);

}  // namespace tappet
