// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "math/wide/sums.h"
#include "system/contact_list.h"

namespace tappet {

// From all rows of the system to the rows [joints | set].
inline void gather_rows(const ContactList& contacts, const ContactSet& set, const Vec& all, Vec& rows) {
  rows.resize(contacts.rows(set));
  for (int r = 0; r < contacts.system().joint_rows(); ++r) rows[r] = all[r];
  for (const auto& [k, contact, row] : contacts.each(set))
    for (int i = 0; i < contact.rows; ++i) rows[row + i] = all[contact.row + i];
}

// From the rows [joints | set] to all rows of the system, with zeros elsewhere.
inline void scatter_rows(const ContactList& contacts, const ContactSet& set, const Vec& rows, Vec& all) {
  if (rows.empty()) return all.assign(contacts.rows(), 0.0);
  const int joints = contacts.system().joint_rows();
  all.resize(contacts.rows());
  copy(joints, rows.data(), all.data());
  clear(all.size() - joints, all.data() + joints);
  for (const auto& [k, contact, row] : contacts.each(set))
    for (int i = 0; i < contact.rows; ++i) all[contact.row + i] = rows[row + i];
}

}  // namespace tappet
