// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/contact_energy.h"

#include <fmt/format.h>

namespace tappet {

void EnergyGain::take(const ContactEnergy& energy, double clear, double t, int one) {
  if (!(energy.work > clear * energy.flow)) return;
  ++count;
  total += energy.work;
  if (energy.work > most) most = energy.work, most_t = t, contact = one;
}

std::string EnergyGain::words(const ContactList& contacts) const {
  if (count == 0) return {};
  return fmt::format(
      "energy gained in impacts: {:.3g} J in {} of them, most at t = {:.6g} s ({:.3g} J, contact {}). Newton's law of "
      "restitution allows this if there is friction; compare with `impact: poisson`",
      total, count, most_t, most, contact < contacts.named() ? contacts.name(contact) : "between colliders");
}

}  // namespace tappet
