// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace tappet::studio {

// The examples that come with Tappet, each with its name, folder, title and text. Some of them are templates to start
// from.
nlohmann::ordered_json gallery();

}  // namespace tappet::studio
