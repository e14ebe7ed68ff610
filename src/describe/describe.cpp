// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <tappet/describe.h>

namespace tappet {

std::string Range::text() const { return fmt::format("{} to {}", least, most); }

}  // namespace tappet
