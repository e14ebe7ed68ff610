// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/watch/energy_sources.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "elements/depends_on_time.h"

namespace tappet {

namespace {

bool some_depend_on_time(const auto& entries) {
  return std::any_of(entries.begin(), entries.end(), [](const auto& entry) { return depends_on_time(entry.element); });
}

// Of the elements, only these have no energy of their own and are no dampers.
bool is_applied(const ForceVariant& force) {
  return std::holds_alternative<AppliedForce>(force) || std::holds_alternative<AppliedTorque>(force) ||
         std::holds_alternative<OwnForce>(force);
}

bool is_own(const ContactEntry& contact) { return std::holds_alternative<OwnContact>(contact.element); }
bool is_own(const JointEntry& joint) { return std::holds_alternative<OwnJoint>(joint.element); }

bool formulas_depend_on_time(const FormulaMechanics& formulas) {
  bool depends = formulas.forces_depend_on_t() || formulas.mass_depends_on_t();
  for (int k = 0; k < formulas.blocks(); ++k) depends |= formulas.has_chi(k);
  return depends;
}

// Formulas are compared at a few points.
bool vanish_at_rest(const Formulas& formulas) {
  constexpr size_t most = 100;
  if (formulas.forces_are_complete || formulas.forces.size() > most) return false;
  const size_t n = formulas.coordinates.size() + formulas.body_coordinates.size();
  std::vector<double> x(1 + 2 * n);
  for (const auto& force : formulas.forces)
    for (int sample = 1; sample <= 3 && force; ++sample) {
      for (size_t i = 0; i < n; ++i) x[1 + i] = std::sin(1.7 * sample + 0.9 * static_cast<double>(i));
      if (formulas.graph.evaluate(*force, x) != 0.0) return false;
    }
  return true;
}

}  // namespace

bool has_energy_sources(const System& system) {
  const Model& model = system.model();
  if (!model.state_forces.empty() || !vanish_at_rest(model.formulas)) return true;
  if (system.formulas() && formulas_depend_on_time(*system.formulas())) return true;
  for (const auto& force : model.forces)
    if (is_applied(force.element)) return true;
  for (const auto& joint : model.joints)
    if (is_own(joint)) return true;
  for (const auto& contact : model.contacts)
    if (is_own(contact)) return true;
  return some_depend_on_time(model.joints) || some_depend_on_time(model.velocity_joints) ||
         some_depend_on_time(model.contacts) || some_depend_on_time(model.forces);
}

}  // namespace tappet
