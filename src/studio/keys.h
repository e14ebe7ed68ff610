// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace tappet::studio {

// The keys of model files with what each expects, for completion and for the documentation beside the editor. They come
// from the same descriptions as `tappet elements` and `tappet schemes`.
nlohmann::ordered_json keys();

}  // namespace tappet::studio
