// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "steppers/shared/active_set.h"
#include "system/system.h"

namespace tappet {

// What is kept by contact from one step to the next follows the contacts: the list of found ones is a new one whenever
// they are sought (System::find_contacts). One memory for each thing that is kept.
class ContactMemory {
 public:
  void keep(const System& system) { search_ = system.searches(); }
  bool is_current(const System& system) const { return search_ == system.searches(); }

  // Where contact k stood at the last keep(): −1 where it was not there.
  int index(const System& system, int k) const {
    if (k < system.named_contacts() || is_current(system)) return k;
    return search_ + 1 == system.searches() ? system.contacts()[k].before : -1;
  }
  int row(const System& system, const Contact& contact) const {
    if (contact.source != Constraint::Source::found || is_current(system)) return contact.row;
    return search_ + 1 == system.searches() ? contact.row_before : -1;
  }

  // The contacts of a set by their present indices; those that are gone leave it.
  void follow(const System& system, ContactSet& set) {
    if (is_current(system)) return;
    const int named = system.named_contacts(), contacts = static_cast<int>(system.contacts().size());
    size_t next = std::lower_bound(set.begin(), set.end(), named) - set.begin(), kept = next;
    for (int k = named; k < contacts && next < set.size(); ++k) {
      const int before = index(system, k);
      if (before < 0) continue;
      while (next < set.size() && set[next] < before) ++next;
      if (next < set.size() && set[next] == before) set[kept++] = k, ++next;  // both lists ascend: kept ≤ next
    }
    set.resize(kept);
    keep(system);
  }

 private:
  long search_ = 0;
};

// Gaps, or forecasts of them, of the step before: a contact that was not there counts as unchanged.
class GapMemory {
 public:
  const Vec& before(const System& system, const Vec& now) {
    if (before_.empty()) return now;
    if (!memory_.is_current(system)) {
      moved_.resize(now.size());
      for (int k = 0; k < now.size(); ++k) {
        const int at = memory_.index(system, k);
        moved_[k] = at < 0 ? now[k] : before_[at];
      }
      std::swap(before_, moved_);
      memory_.keep(system);
    }
    return before_;
  }
  void keep(const System& system, Vec& now) {
    std::swap(before_, now);
    memory_.keep(system);
  }

 private:
  Vec before_, moved_;
  ContactMemory memory_;
};

// The impulses of the last solution, from which the next one starts: zero where a contact is new or did not take part.
class ImpulseMemory {
 public:
  void recall(const System& system, const ContactSet& set, Vec& P) const {  // rows [joints | set]
    P.assign(system.rows(set), 0.0);
    if (last_.empty()) return;
    int r = 0;
    for (; r < system.joint_rows(); ++r) P[r] = last_[r];
    for (int k : set) {
      const Contact& contact = system.contacts()[k];
      const int row = memory_.row(system, contact);
      for (int i = 0; i < contact.rows && row >= 0; ++i) P[r + i] = last_[row + i];
      r += contact.rows;
    }
  }
  void keep(const System& system, const ContactSet& set, const Vec& P) {
    scatter_rows(system, set, P, last_);
    memory_.keep(system);
  }
  void forget() { last_.resize(0); }
  void reserve(int rows) { last_.reserve(rows); }

 private:
  Vec last_;  // all rows of the system
  ContactMemory memory_;
};

}  // namespace tappet
