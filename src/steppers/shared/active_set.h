// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "steppers/shared/contact_memory.h"
#include "steppers/stepper.h"

namespace tappet {

// The contacts whose gap, or its forecast, is not positive.
inline void closed_contacts(const Vec& gap, ContactSet& set) {
  set.clear();
  for (int k = 0; k < gap.size(); ++k)
    if (gap[k] <= 0.0) set.push_back(k);
}

// Contacts whose gap is at most the limit join the set. Whether one did.
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

// The contacts whose law holds in a step, and those of the step before. It follows found contacts to their new places
// (contact_memory.h), so a scheme need not.
class ActiveSet {
 public:
  explicit ActiveSet(const ContactList& contacts) : contacts_(contacts) {
    now_.reserve(contacts.size()), before_.reserve(contacts.size());
  }

  // A new step: the contacts that were active are those of the step before, and none is active.
  void start() {
    memory_.follow(contacts_, now_);
    std::swap(now_, before_);
    now_.clear();
  }

  // A new step, in which contacts are active whose gap, or its forecast, is not positive. An impact that falls on the
  // time grid is seen at that step whatever round-off makes of its gap: a gap that shrank since the step before and is
  // now below a millionth of what it lost counts as closed. The gaps are kept for the next step; `gap` then holds other
  // numbers.
  void start(Vec& gap) {
    constexpr double on_grid = 1e-6;
    start();
    const Vec& gap_before = gaps_.before(contacts_, gap);
    for (int k = 0; k < gap.size(); ++k)
      if (gap[k] <= 0.0 || gap[k] <= on_grid * (gap_before[k] - gap[k])) now_.push_back(k);
    gaps_.keep(contacts_, gap);
  }

  void push_back(int k) { now_.push_back(k); }  // in ascending order
  // Contacts for which `joins` is true join the set.
  template <class Joins>
  void add_if(Joins&& joins) {
    make_room(joined_, contacts_.size());
    joined_.clear();
    size_t next = 0;
    for (int k = 0; k < contacts_.size(); ++k) {
      const bool is_in = next < now_.size() && now_[next] == k;
      next += is_in;
      if (is_in || joins(k)) joined_.push_back(k);
    }
    std::swap(now_, joined_);
  }
  // Within a step the list of contacts has become another one.
  void follow() { memory_.follow(contacts_, now_, before_); }
  bool add(const Vec& gap, double limit) { return add_contacts(gap, limit, now_); }
  void close(const Vec& gap) { closed_contacts(gap, now_); }

  operator const ContactSet&() const { return now_; }
  ContactSet& set() { return now_; }
  bool empty() const { return now_.empty(); }
  auto begin() const { return now_.begin(); }
  auto end() const { return now_.end(); }
  bool was_active(int k) const { return std::binary_search(before_.begin(), before_.end(), k); }

  void archive(Archive& a) { a(now_, before_, memory_, gaps_); }

  // What every report says at the end of a step over dt.
  void report(double dt, StepReport& report) const {
    report.dt = dt;
    report.closed = static_cast<int>(now_.size());
    report.impulsive = some_contact_closed(before_, now_);
  }

 private:
  const ContactList& contacts_;
  ContactSet now_, before_, joined_;
  ContactMemory memory_;  // of now_
  GapMemory gaps_;
};

}  // namespace tappet
