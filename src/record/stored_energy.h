// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "system/system.h"

namespace tappet {

// The energy of the start state by part [J].
struct EnergyPart {
  enum class Kind { kinetic, weight, stored, formula };  // stored: in springs and elastic bodies
  Kind kind = Kind::kinetic;
  std::string name;  // of the body or group, of the force; of a formula: the term as it is written
  double value = 0;
};

// Kinetic: of all coordinates together, of each body, of each group of bodies. Potential: each term of the formula in
// `lagrangian:`, each force that has a potential, each elastic body.
std::vector<EnergyPart> energy_parts(const System& system);

// If springs and elastic bodies hold far more energy at the start than everything else (the kinetic energy, and the
// weight of all bodies lifted by the size of the model), what to look at; otherwise empty.
std::string stored_energy_hint(const System& system);

}  // namespace tappet
