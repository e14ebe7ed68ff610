// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "tangent/gradient/state_index.h"

#include <algorithm>

namespace tappet {

namespace {

// The velocity that is the rate of a position of a body, and of nothing else; −1 if there is none.
int velocity_of_position(const System& system, int position) {
  const auto& bodies = system.bodies();
  const bool of_body = std::any_of(bodies.begin(), bodies.end(), [&](const System::Body& body) {
    return position >= body.q && position < body.q + body.nq;
  });
  if (!of_body) return -1;
  Vec unit(system.u_size()), rate(system.q_size());
  int found = -1;
  for (int j = 0; j < system.u_size(); ++j) {
    unit.set_zero(), unit[j] = 1;
    system.rate(system.initial().q, unit, rate);
    if (rate[position] == 0) continue;
    if (found >= 0 || rate[position] != 1) return -1;
    found = j;
  }
  return found;
}

}  // namespace

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
  if (const int i = place(positions, name); i < system.q_size()) return velocity_of_position(system, i);
  if (const int i = place(velocities, name); i < n) return n + i;
  if (name.ends_with('\''))
    if (const int i = place(velocities, name.substr(0, name.size() - 1)); i < n) return n + i;
  return -1;
}

}  // namespace tappet
