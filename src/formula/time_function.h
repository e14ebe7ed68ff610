// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/keys.h>

#include "formula/program.h"

namespace tappet {

struct TimeFunction::Compiled {
  Program value, first, second;
  std::vector<Program> switches;
};

}  // namespace tappet
