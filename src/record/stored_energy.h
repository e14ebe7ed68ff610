// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "system/system.h"

namespace tappet {

// One part of the energy at the start [J].
struct EnergyPart {
  enum class Kind { kinetic, weight, stored, formula };  // stored: in springs and elastic bodies
  Kind kind = Kind::kinetic;
  std::string name;  // of the body or group, or of the force; for a formula the term as it is written
  double value = 0;
};

// The kinetic energy of all coordinates together, of each body and of each group of bodies. The potential energy of
// each term of the formula in `lagrangian:`, of each force that has a potential, and of each elastic body.
std::vector<EnergyPart> energy_parts(const System& system);

// Springs and elastic bodies may hold far more energy at the start than everything else, that is the kinetic energy and
// the work to lift all bodies by the size of the model. If so, this says what to look at. Otherwise it is empty.
std::string stored_energy_hint(const System& system);

}  // namespace tappet
