// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <tappet/error.h>

namespace tappet {

const char* const version = TAPPET_VERSION;

}  // namespace tappet
