// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/contact_energy.h"

#include <fmt/format.h>

namespace tappet {

void EnergyGain::take(double work, double t, const std::string& from) {
  ++count;
  total += work;
  if (!(work > most)) return;
  most = work, most_t = t, contact = from;
}

std::string words_about_law(const EnergyGain& gain) {
  if (gain.count == 0) return {};
  return fmt::format(
      "energy gained in impacts: {:.3g} J in {} of them, most at t = {:.6g} s ({:.3g} J, contact {}). Newton's law of "
      "restitution allows this if there is friction; compare with `impact: poisson`",
      gain.total, gain.count, gain.most_t, gain.most, gain.contact);
}

std::string words_about_scheme(const EnergyGain& gain) {
  if (gain.count == 0) return {};
  return fmt::format(
      "energy gained by the error of the scheme in steps with impacts or projections: {:.3g} J in {} of them, most at "
      "t "
      "= {:.6g} s ({:.3g} J{}). It becomes smaller with dt; compare with a smaller step or another scheme",
      gain.total, gain.count, gain.most_t, gain.most, gain.contact.empty() ? "" : ", contact " + gain.contact);
}

}  // namespace tappet
