// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "formula/mechanics.h"

namespace tappet {

int FormulaSystem::most_rows() const {
  int most = 0;
  for (const Joint& joint : joints) most = std::max(most, static_cast<int>(joint.rows.size()));
  for (const Contact& contact : contacts) most = std::max(most, 1 + static_cast<int>(contact.friction.size()));
  return most;
}

HeldSystem held_system(Graph& graph, const FormulaSystem& system) {
  using Part = MechanicsError::Part;
  HeldSystem result{system, {}};
  HeldFormulas held(graph, system.first_branch_slot());
  const auto hold = [&](Node& f, Part part, int index, int row) {
    if (f < 0) return;
    f = held.hold(f);
    result.origins.resize(held.switches().size(), {part, index, row});
  };
  FormulaSystem& s = result.system;
  for (int k = 0; k < static_cast<int>(s.contacts.size()); ++k) {
    hold(s.contacts[k].gap, Part::contact, k, 0);
    for (int r = 0; r < static_cast<int>(s.contacts[k].friction.size()); ++r)
      hold(s.contacts[k].friction[r].node, Part::contact, k, 1 + r);
  }
  for (int k = 0; k < static_cast<int>(s.joints.size()); ++k)
    for (int r = 0; r < static_cast<int>(s.joints[k].rows.size()); ++r)
      hold(s.joints[k].rows[r].node, Part::joint, k, r);
  for (int i = 0; i < static_cast<int>(s.forces.size()); ++i) hold(s.forces[i], Part::forces, i, 0);
  hold(s.potential, Part::potential, 0, 0);
  hold(s.kinetic, Part::kinetic, 0, 0);
  for (Node& entry : s.mass) hold(entry, Part::mass, 0, 0);
  s.switches = held.switches();
  return result;
}

}  // namespace tappet
