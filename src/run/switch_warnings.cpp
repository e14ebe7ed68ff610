// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/switch_warnings.h"

#include <fmt/format.h>

namespace tappet {

std::vector<std::string> switch_warnings(const System& system, const std::string& scheme) {
  std::vector<std::string> warnings;
  if (scheme == "event-driven")
    for (const std::string& formula : system.surface_switches())
      warnings.push_back(fmt::format(
          "{} contains a switch (max, abs, …) that {} does not locate; the motion is wrong where contact passes it",
          formula, scheme));
  return warnings;
}

}  // namespace tappet
