// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "model/formula_system.h"

namespace tappet {

FormulaSystem formula_system(Formulas& f) {
  FormulaSystem system;
  const int own = static_cast<int>(f.coordinates.size());
  const int n = system.n = own + static_cast<int>(f.body_coordinates.size());
  // If there are only bodies, formulas name their coordinates but do not contain their masses.
  system.kinetic = f.kinetic.value_or(f.coordinates.empty() ? f.graph.constant(0.0) : -1);
  system.potential = f.potential.value_or(-1);
  system.forces_are_complete = f.forces_are_complete;
  if (!f.mass.empty()) {
    system.mass.assign(n * n, f.graph.constant(0.0));
    for (int i = 0; i < own; ++i)
      for (int j = 0; j < own; ++j) system.mass[i * n + j] = f.mass[i][j];
  }
  if (!f.forces.empty())
    for (int i = 0; i < n; ++i)
      system.forces.push_back(i < static_cast<int>(f.forces.size()) && f.forces[i] ? *f.forces[i]
                                                                                   : f.graph.constant(0.0));
  for (const FormulaJoint& joint : f.joints) {
    system.joints.emplace_back();
    for (Node row : joint.rows) system.joints.back().rows.push_back({row, joint.velocity_level});
  }
  for (FormulaContact& contact : f.contacts) {
    contact.law.friction = static_cast<ContactLaw::Friction>(contact.slip.size());
    system.contacts.push_back({contact.gap, {}});
    for (int i = 0; i < contact.law.friction_rows(); ++i)
      system.contacts.back().friction.push_back({contact.slip[i], contact.slip_is_velocity});
  }
  return system;
}

}  // namespace tappet
