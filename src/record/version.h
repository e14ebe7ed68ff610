// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tappet {

extern const char* const version;  // "0.1.0"

}  // namespace tappet
