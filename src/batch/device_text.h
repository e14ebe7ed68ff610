// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace tappet {

// The text of a file of src/batch/device, by its name without ".h". It was read when Tappet was built.
std::string_view device_text(std::string_view name);

}  // namespace tappet
