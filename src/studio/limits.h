// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace tappet::studio {

// What a run in the studio may use at most, so that a typing error cannot hang the machine.
struct Limits {
  long steps = 2'000'000;
  double seconds = 120;                         // of a run
  std::size_t megabytes = 4096;                 // of memory of one page, with its results
  static constexpr std::size_t body = 4 << 20;  // bytes of a request
  static constexpr int pages = 8;               // workers that are kept
  static constexpr int cancel_ms = 50;          // a run that goes on for longer after it was cancelled is killed
};

}  // namespace tappet::studio
