// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "tangent/state_index.h"

#include <algorithm>

namespace tappet {

int state_index(const System& system, const std::string& name) {
  const int n = system.u_size();
  const auto& coordinates = system.model().formulas.coordinates;
  for (size_t i = 0; i < coordinates.size(); ++i) {
    if (name == coordinates[i].name) return system.formula_u()[i];
    if (name == coordinates[i].name + "'") return n + system.formula_u()[i];
  }
  const std::vector<std::string> velocities = system.u_names(), positions = system.q_names();
  const auto place = [&](const std::vector<std::string>& names) {
    return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  if (const int i = place(velocities); i < n) return n + i;
  const bool alike = system.rotations().empty() && system.q_size() == n;
  if (const int i = place(positions); alike && i < n) return i;
  return -1;
}

}  // namespace tappet
