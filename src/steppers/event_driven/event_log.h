// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "steppers/stepper.h"

namespace tappet::events {

// The events of a step, and which of them belong to the present instant.
class EventLog {
 public:
  explicit EventLog(std::vector<Event>& events) : events_(events) {}

  void begin_step() { events_.clear(), instant_ = 0; }
  void begin_instant() { instant_ = events_.size(); }

  void note(Event::Kind kind, int contact, double t, int place = -1) { events_.push_back({t, kind, contact, place}); }
  void note(const Event& event) { events_.push_back(event); }
  size_t size() const { return events_.size(); }
  std::vector<Event> of_instant() const { return {events_.begin() + static_cast<long>(instant_), events_.end()}; }

  // There is another list of contacts: the events of this step refer to the present places. place(k) is that of the
  // contact k of the list before.
  template <class Place>
  void follow_contacts(const Place& place) {
    for (Event& event : events_)
      if (event.contact >= 0) event.contact = place(event.contact);
  }

  // Whether this was noted at the present instant.
  bool has(int contact, Event::Kind kind) const {
    return std::any_of(events_.begin() + static_cast<long>(instant_), events_.end(),
                       [&](const Event& e) { return e.contact == contact && e.kind == kind; });
  }
  // Events from this one on get another time.
  void retime(size_t first, double t) {
    for (size_t i = first; i < events_.size(); ++i) events_[i].t = t;
  }

 private:
  std::vector<Event>& events_;
  size_t instant_ = 0;
};

}  // namespace tappet::events
