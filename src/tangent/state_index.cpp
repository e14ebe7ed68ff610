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
  // Positions and velocities of a body have the same names: the velocity of a position is written with a prime.
  const std::vector<std::string> velocities = system.u_names(), positions = system.q_names();
  const auto place = [&](const std::vector<std::string>& names, const std::string& wanted) {
    return static_cast<int>(std::find(names.begin(), names.end(), wanted) - names.begin());
  };
  const bool alike = system.rotations().empty() && system.q_size() == n;
  if (const int i = place(positions, name); i < system.q_size()) return alike ? i : -1;
  if (const int i = place(velocities, name); i < n) return n + i;
  if (name.ends_with('\''))
    if (const int i = place(velocities, name.substr(0, name.size() - 1)); i < n) return n + i;
  return -1;
}

}  // namespace tappet
