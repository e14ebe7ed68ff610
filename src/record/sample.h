// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/recorder.h>

#include "problem/contact_problem.h"

namespace tappet {

// Of the contacts that were found between colliders: how many are in reach, and the largest −gap among them.
struct FoundSample {
  int count = 0;
  double penetration = 0;
  std::vector<FoundContact> touching = {};  // one by one, where the run records them so
};

}  // namespace tappet
