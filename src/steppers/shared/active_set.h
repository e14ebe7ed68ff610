// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <numeric>

#include "steppers/stepper.h"
#include "system/contact_list.h"

namespace tappet {

// All contacts of the file and all found contacts.
inline void all_contacts(const ContactList& contacts, ContactSet& all) {
  make_room_anew(all, contacts.size());
  all.resize(contacts.size());
  std::iota(all.begin(), all.end(), 0);
}
inline ContactSet all_contacts(const ContactList& contacts) {
  ContactSet all;
  all_contacts(contacts, all);
  return all;
}
// The same again, after contacts were found.
inline void refresh(const ContactList& contacts, ContactSet& all) {
  if (contacts.system().has_colliders()) all_contacts(contacts, all);
}

// The contacts whose gap, or its forecast, is not positive.
inline void closed_contacts(const Vec& gap, ContactSet& set) {
  set.clear();
  for (int k = 0; k < gap.size(); ++k)
    if (gap[k] <= 0.0) set.push_back(k);
}

// The same, except that an impact on the time grid is seen at that step, independent of the round-off of its gap: a gap
// counts as closed if it shrank during the last step and is now below this fraction of that decrease.
inline constexpr double on_grid_margin = 1e-6;
inline void closed_contacts(const Vec& gap, const Vec& gap_before, ContactSet& set) {
  set.clear();
  for (int k = 0; k < gap.size(); ++k)
    if (gap[k] <= 0.0 || gap[k] <= on_grid_margin * (gap_before[k] - gap[k])) set.push_back(k);
}

// Adds contacts whose gap is below the limit to the set. Returns whether one was added.
inline bool add_contacts(const Vec& gap, double limit, ContactSet& set) {
  const size_t before = set.size();
  size_t next = 0;  // of those that were there
  for (int k = 0; k < gap.size(); ++k)
    if (gap[k] <= limit) {
      while (next < before && set[next] < k) ++next;
      if (next == before || set[next] != k) set.push_back(k);
    }
  if (set.size() > before) std::sort(set.begin(), set.end());  // in place: no allocation
  return set.size() > before;
}

// Whether `now` contains a contact that `before` did not.
inline bool some_contact_closed(const ContactSet& before, const ContactSet& now) {
  return !std::includes(before.begin(), before.end(), now.begin(), now.end());
}

// The entries that every report has at the end of a step over dt with these contacts in its active set.
inline void end_report(double dt, const ContactSet& before, const ContactSet& active, StepReport& report) {
  report.dt = dt;
  report.closed = static_cast<int>(active.size());
  report.impulsive = some_contact_closed(before, active);
}

// Copies from all rows of the system to the rows [joints | set], and back with zeros elsewhere.
inline void gather_rows(const ContactList& contacts, const ContactSet& set, const Vec& all, Vec& rows) {
  rows.resize(contacts.rows(set));
  int r = 0;
  for (; r < contacts.system().joint_rows(); ++r) rows[r] = all[r];
  for (int k : set) {
    const Contact& contact = contacts[k];
    for (int i = 0; i < contact.rows; ++i) rows[r++] = all[contact.row + i];
  }
}

// From the rows [joints | from] to the rows [joints | set], set ⊂ from.
inline void gather_from(const ContactList& contacts, const ContactSet& from, const Vec& rows_from,
                        const ContactSet& set, Vec& rows) {
  rows.resize(contacts.rows(set));
  int r = 0, f = contacts.system().joint_rows();
  for (; r < contacts.system().joint_rows(); ++r) rows[r] = rows_from[r];
  auto next = set.begin();
  for (int k : from) {
    const int count = contacts[k].rows;
    if (next != set.end() && *next == k) {
      for (int i = 0; i < count; ++i) rows[r++] = rows_from[f + i];
      ++next;
    }
    f += count;
  }
}

inline void scatter_rows(const ContactList& contacts, const ContactSet& set, const Vec& rows, Vec& all) {
  all.assign(contacts.rows(), 0.0);
  if (rows.empty()) return;
  int r = 0;
  for (; r < contacts.system().joint_rows(); ++r) all[r] = rows[r];
  for (int k : set) {
    const Contact& contact = contacts[k];
    for (int i = 0; i < contact.rows; ++i) all[contact.row + i] = rows[r++];
  }
}

}  // namespace tappet
