// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "support/paths.h"

namespace tappet::test {

std::string data() { return TAPPET_TEST_DATA; }
std::string shipped_models() { return TAPPET_MODELS; }

}  // namespace tappet::test
