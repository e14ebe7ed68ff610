// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "steppers/shared/contact_coupling.h"

#include <algorithm>

namespace tappet {

bool ContactCoupling::add(const Contact& contact) {
  if (contact.source != Constraint::Source::found) return false;
  const auto [a, b] = std::minmax(contact.frames[0], contact.frames[1]);
  if (contacts_.system().frames()[a].columns.empty()) return false;  // the ground
  const std::pair<int, int> pair(a, b);
  const auto place = std::lower_bound(pairs_.begin(), pairs_.end(), pair);
  if (place != pairs_.end() && *place == pair) return false;
  pairs_.insert(place, pair);
  return true;
}

bool ContactCoupling::cover(const ContactSet& set) {
  constexpr size_t few = 64, many_times = 4;
  bool grown = false;
  for (int k : set) grown |= add(contacts_[k]);
  if (grown && pairs_.size() > few + many_times * set.size()) {
    pairs_.clear();
    for (int k : set) add(contacts_[k]);
  }
  return grown;
}

Coupling ContactCoupling::pattern() const {
  const System& system = contacts_.system();
  Coupling coupling = system.constrained_coupling();
  for (const auto& [a, b] : pairs_)
    for (int i : system.frames()[a].columns)
      for (int j : system.frames()[b].columns) coupling.tie(i, j);
  return coupling;
}

}  // namespace tappet
