// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tappet::test {

std::string data();            // the folder test/data
std::string shipped_models();  // the folder models

}  // namespace tappet::test
