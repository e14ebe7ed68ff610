// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tappet {

// The page that shows a run, with two marks where its data goes; empty where the program was built without it.
std::string page_template();

}  // namespace tappet
