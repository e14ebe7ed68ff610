// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/archive.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "steppers/shared/contact_rows.h"
#include "system/contact_list.h"

namespace tappet {

// Every search makes a new list of found contacts (ContactList::find). If a scheme keeps data by contact from one step
// to the next, the data must follow the contacts to their new places. Each kind of data has its own memory.
class ContactMemory {
 public:
  void keep(const ContactList& contacts) { search_ = contacts.searches(); }
  void archive(Archive& a) { a(search_); }
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

  // The contacts of sets by their present indices. Contacts that no longer exist are removed.
  template <class... Sets>
  void follow(const ContactList& contacts, Sets&... sets) {
    if (is_current(contacts)) return;
    (move(contacts, sets), ...);
    keep(contacts);
  }

 private:
  void move(const ContactList& contacts, ContactSet& set) {
    // A contact that slides from piece to piece may change its place among those of its colliders, so the old indices
    // are not always ascending.
    const auto first = std::lower_bound(set.begin(), set.end(), contacts.named());
    make_room_anew(old_, set.size());
    old_.assign(first, set.end());
    set.erase(first, set.end());
    for (int k = contacts.named(); k < contacts.size() && !old_.empty(); ++k)
      if (const int before = index(contacts, k); before >= 0 && std::binary_search(old_.begin(), old_.end(), before))
        set.push_back(k);
  }

  long search_ = 0;
  std::vector<int> old_;  // workspace
};

// Data by contact that a scheme keeps from one step to the next. follow() moves them to the present places of their
// contacts. A contact that was not in the list before gets `fresh`, and the data of contacts that vanished are dropped.
template <class T>
class ByContact {
 public:
  explicit ByContact(const ContactList& contacts, const T& fresh = {}) : fresh_(fresh), data_(contacts.size(), fresh) {
    memory_.keep(contacts);
  }

  // Returns whether there is another list than at the last call.
  bool follow(const ContactList& contacts) {
    if (memory_.is_current(contacts)) return false;
    make_room_anew(moved_, contacts.size());
    moved_.assign(contacts.size(), fresh_);
    for (int k = 0; k < contacts.size(); ++k)
      if (const int before = memory_.index(contacts, k); before >= 0) moved_[k] = data_[before];
    std::swap(data_, moved_);
    memory_.keep(contacts);
    return true;
  }
  void archive(Archive& a) { a(data_, memory_); }
  void reset() { std::fill(data_.begin(), data_.end(), fresh_); }

  int size() const { return static_cast<int>(data_.size()); }
  T& operator[](int k) { return data_[k]; }
  const T& operator[](int k) const { return data_[k]; }
  std::vector<T>& all() { return data_; }
  const std::vector<T>& all() const { return data_; }

 private:
  const T fresh_;
  std::vector<T> data_, moved_;
  ContactMemory memory_;
};

// Moves numbers by row of the system to the present rows of their contacts. The rows of a contact that was not in the
// list at the last keep() get `fresh`. `spare` only provides memory.
inline void follow_rows(const ContactList& contacts, const ContactMemory& memory, Vec& rows, Vec& spare,
                        double fresh = 0.0) {
  if (memory.is_current(contacts)) return;
  spare.assign(contacts.rows(), fresh);
  std::copy_n(rows.begin(), contacts.system().named_rows(), spare.begin());
  for (int k = contacts.named(); k < contacts.size(); ++k) {
    const Contact& contact = contacts[k];
    const int before = memory.row(contacts, contact);
    for (int i = 0; i < contact.rows && before >= 0; ++i) spare[contact.row + i] = rows[before + i];
  }
  std::swap(rows, spare);
}

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
  void archive(Archive& a) { a(before_, memory_); }

 private:
  Vec before_, moved_;
  ContactMemory memory_;
};

// The impulses of the last solution, from which the next one starts. They are zero if a contact is new or did not take
// part, and after a solution without any rows. A scheme that tries each step without contacts first lets them outlast
// that one.
class ImpulseMemory {
 public:
  // The rows [joints | set] from the row `first` on.
  void recall(const ContactList& contacts, const ContactSet& set, Vec& P, int first = 0) const {
    P.assign(contacts.rows(set) - first, 0.0);
    if (last_.empty() || without_ > longest_without_) return;
    for (int r = first; r < contacts.system().joint_rows(); ++r) P[r - first] = last_[r];
    for (const auto& [k, contact, row] : contacts.each(set)) {
      const int before = memory_.row(contacts, contact);
      for (int i = 0; i < contact.rows && before >= 0; ++i) P[row + i - first] = last_[before + i];
    }
  }
  void keep(const ContactList& contacts, const ContactSet& set, const Vec& P) {
    scatter_rows(contacts, set, P, last_);
    memory_.keep(contacts);
    without_ = 0;
  }
  void nothing_to_keep() { ++without_; }  // there were no rows to solve for
  void outlast(int solutions) { longest_without_ = solutions; }
  void reserve(int rows) { last_.reserve(rows); }
  void archive(Archive& a) { a(last_, without_, memory_); }

 private:
  Vec last_;                               // all rows of the system
  int without_ = 0, longest_without_ = 0;  // the number of solutions without rows since then, and the largest allowed
  ContactMemory memory_;
};

}  // namespace tappet
