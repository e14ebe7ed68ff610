// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <numeric>

#include "system/system.h"

namespace tappet {

inline ContactSet all_contacts(const System& system) {
  ContactSet all(system.contacts().size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

// An approaching contact that would close within this part of a step is taken as closed: an impact that falls on
// the time grid is then seen at that step, whatever round-off makes of its gap.
inline constexpr double on_grid_margin = 1e-6;

// Contacts whose gap, or its forecast, is not positive.
inline void closed_contacts(const Vec& gap, ContactSet& set, double tolerance = 0.0) {
  set.clear();
  for (int k = 0; k < gap.size(); ++k)
    if (gap[k] <= tolerance) set.push_back(k);
}

// Whether `now` holds a contact that `before` did not.
inline bool some_contact_closed(const ContactSet& before, const ContactSet& now) {
  return !std::includes(before.begin(), before.end(), now.begin(), now.end());
}

// From all rows of the system to the rows [joints | set], and back with zeros elsewhere.
inline void gather_rows(const System& system, const ContactSet& set, const Vec& all, Vec& rows) {
  rows.resize(system.rows(set));
  int r = 0;
  for (; r < system.joint_rows(); ++r) rows[r] = all[r];
  for (int k : set) {
    const Contact& contact = system.contacts()[k];
    for (int i = 0; i < contact.rows; ++i) rows[r++] = all[contact.row + i];
  }
}

inline void scatter_rows(const System& system, const ContactSet& set, const Vec& rows, Vec& all) {
  all.assign(system.rows(), 0.0);
  if (rows.empty()) return;
  int r = 0;
  for (; r < system.joint_rows(); ++r) all[r] = rows[r];
  for (int k : set) {
    const Contact& contact = system.contacts()[k];
    for (int i = 0; i < contact.rows; ++i) all[contact.row + i] = rows[r++];
  }
}

}  // namespace tappet
