// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tappet {

// A scheme that has something to say about a run as a whole, which becomes a warning of its summary.
struct Remarks {
  virtual ~Remarks() = default;
  virtual std::vector<std::string> remarks() const = 0;
};

}  // namespace tappet
