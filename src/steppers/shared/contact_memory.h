// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <utility>

#include "steppers/shared/contact_rows.h"
#include "system/contact_list.h"

namespace tappet {

// Every search makes a new list of found contacts (ContactList::find). If a scheme keeps data by contact from one step
// to the next, the data must follow the contacts to their new places. Each kind of data has its own memory.
class ContactMemory {
 public:
  void keep(const ContactList& contacts) { search_ = contacts.searches(); }
  bool is_current(const ContactList& contacts) const { return search_ == contacts.searches(); }

  // The place of contact k at the last keep(), or −1 if it was not there.
  int index(const ContactList& contacts, int k) const {
    if (k < contacts.named() || is_current(contacts)) return k;
    return search_ + 1 == contacts.searches() ? contacts[k].before : -1;
  }
  int row(const ContactList& contacts, const Contact& contact) const {
    if (contact.source != Constraint::Source::found || is_current(contacts)) return contact.row;
    return search_ + 1 == contacts.searches() ? contact.row_before : -1;
  }

  // The contacts of a set by their present indices. Contacts that no longer exist are removed.
  void follow(const ContactList& contacts, ContactSet& set) {
    if (is_current(contacts)) return;
    const int named = contacts.named();
    size_t next = std::lower_bound(set.begin(), set.end(), named) - set.begin(), kept = next;
    for (int k = named; k < contacts.size() && next < set.size(); ++k) {
      const int before = index(contacts, k);
      if (before < 0) continue;
      while (next < set.size() && set[next] < before) ++next;
      if (next < set.size() && set[next] == before) set[kept++] = k, ++next;  // both lists are ascending: kept ≤ next
    }
    set.resize(kept);
    keep(contacts);
  }

 private:
  long search_ = 0;
};

// Gaps, or forecasts of them, of the previous step. If a contact was not there, its gap counts as unchanged.
class GapMemory {
 public:
  const Vec& before(const ContactList& contacts, const Vec& now) {
    if (before_.empty()) return now;
    if (!memory_.is_current(contacts)) {
      moved_.resize(now.size());
      for (int k = 0; k < now.size(); ++k) {
        const int at = memory_.index(contacts, k);
        moved_[k] = at < 0 ? now[k] : before_[at];
      }
      std::swap(before_, moved_);
      memory_.keep(contacts);
    }
    return before_;
  }
  void keep(const ContactList& contacts, Vec& now) {
    std::swap(before_, now);
    memory_.keep(contacts);
  }

 private:
  Vec before_, moved_;
  ContactMemory memory_;
};

// The impulses of the last solution, from which the next one starts. They are zero if a contact is new or did not take
// part.
class ImpulseMemory {
 public:
  void recall(const ContactList& contacts, const ContactSet& set, Vec& P) const {  // rows [joints | set]
    P.assign(contacts.rows(set), 0.0);
    if (last_.empty()) return;
    for (int r = 0; r < contacts.system().joint_rows(); ++r) P[r] = last_[r];
    for (const auto& [k, contact, row] : contacts.each(set)) {
      const int before = memory_.row(contacts, contact);
      for (int i = 0; i < contact.rows && before >= 0; ++i) P[row + i] = last_[before + i];
    }
  }
  void keep(const ContactList& contacts, const ContactSet& set, const Vec& P) {
    scatter_rows(contacts, set, P, last_);
    memory_.keep(contacts);
  }
  void forget() { last_.resize(0); }
  void reserve(int rows) { last_.reserve(rows); }

 private:
  Vec last_;  // all rows of the system
  ContactMemory memory_;
};

}  // namespace tappet
