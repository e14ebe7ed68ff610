// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "record/version.h"

namespace tappet {

const char* const version = TAPPET_VERSION;

}  // namespace tappet
